import Poses

/// One frame on its way through the recognition chain, with the request that applies before it.
struct ChainInput {
    let frame: TrackedFrame
    /// Whether every open session ends before this frame, with the reason `stopped`.
    let endsSessions: Bool
}
