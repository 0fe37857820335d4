/// What a node publishes besides its records and states: the settings of `[mqtt]` that say so, with their defaults.
public struct Publishing: Sendable, Equatable {
    /// Whether every prediction is published on `…/cam/<camera>/live`.
    public var live = true
    /// Whether the live messages include the prominent person's joints.
    public var keypoints = false
    /// Whether warnings and errors are published on `…/log`.
    public var log = false
    /// Receivers that acknowledge on `…/ack/<name>` up to which position they have stored the records. When empty, the
    /// broker's acknowledgement counts.
    public var consumers: [String] = []
    /// Whether the node announces itself to Home Assistant.
    public var discovery = true

    /// The defaults.
    public init() {}
}
