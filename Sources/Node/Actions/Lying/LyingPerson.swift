/// A person who lies on the floor and does not move.
public struct LyingPerson: Sendable, Equatable {
    /// What was seen before.
    public enum Cause: String, Sendable, Codable, CaseIterable {
        /// The person fell.
        case fall
        /// The person lay there for long.
        case still
    }

    /// Counts who was told, from 1. A person keeps the number under whatever track they are seen, until they are up.
    public let number: Int
    /// What was seen before.
    public let cause: Cause
    /// Since when the person has lain there, in seconds on the source's clock.
    public let since: Double
    /// The zone; `nil` outside all zones.
    public let zone: String?
    /// Whether the person is up again. This is told once.
    public let isUp: Bool

    /// The same person, up again.
    var up: LyingPerson { LyingPerson(number: number, cause: cause, since: since, zone: zone, isUp: true) }

    /// A person of these values.
    package init(number: Int, cause: Cause, since: Double, zone: String? = nil, isUp: Bool = false) {
        (self.number, self.cause, self.since, self.zone, self.isUp) = (number, cause, since, zone, isUp)
    }
}
