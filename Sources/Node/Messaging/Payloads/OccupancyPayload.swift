import Foundation
import History
import Records

/// `occupancy`: how many people the node sees now, and how many are usual at this hour.
public struct OccupancyPayload: Sendable, Codable, Equatable {
    /// The contract's version.
    public var v = 1
    /// The people in view of all cameras; `nil` while no camera delivers pictures. Who is seen by two cameras counts twice.
    public var people: Int?
    /// The median of the same hour of the same weekday in the weeks before; `nil` while there is none.
    public var usual: Double?
    /// How many weeks ``usual`` stands for, 1…8.
    public var weeks: Int?
    /// When this was observed.
    public var ts: Date

    /// The people at a moment.
    public init(people: Int?, usual: UsualOccupancy?, ts: Date) {
        self.people = people
        self.usual = usual?.people
        weeks = usual?.weeks
        self.ts = ts
    }

    /// Whether more than the time is different.
    package func differs(from other: OccupancyPayload) -> Bool {
        (people, usual, weeks) != (other.people, other.usual, other.weeks)
    }
}

extension OccupancyPayload {
    /// The contract's schema of this payload.
    package static let schema = Schema.object([
        ("v", .contractVersion),
        (
            "people",
            .optional(.count, "People in view of all cameras; absent while no camera delivers pictures.")
        ),
        (
            "usual",
            .optional(
                .number(minimum: 0),
                "Median of the same hour of the same weekday in the weeks before; absent while there is none.")
        ), ("weeks", .optional(.integer(minimum: 1, maximum: 8), "How many weeks usual stands for.")),
        ("ts", .required(.moment)),
    ])
}
