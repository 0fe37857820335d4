/// A person who lies on the floor and does not move.
public struct LyingPerson: Sendable, Equatable {
    /// What was seen before.
    public enum Cause: String, Sendable, Codable, CaseIterable {
        /// The person fell.
        case fall
        /// The person lay there for long.
        case still
    }

    /// The person's track.
    public let track: Int
    /// What was seen before.
    public let cause: Cause
    /// Since when the person has lain there, in seconds on the source's clock.
    public let since: Double
    /// The zone; `nil` outside all zones.
    public let zone: String?
    /// Whether the person is up again. This is told once.
    public let isUp: Bool

    /// A person of these values.
    package init(track: Int, cause: Cause, since: Double, zone: String? = nil, isUp: Bool = false) {
        (self.track, self.cause, self.since, self.zone, self.isUp) = (track, cause, since, zone, isUp)
    }
}
