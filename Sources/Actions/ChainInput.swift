import Poses

/// One frame on its way into the recognition chain, with what was asked for before it.
struct ChainInput {
    let frame: TrackedFrame
    /// Ends every open session before this frame, with the reason `stopped`.
    let endsSessions: Bool
}
