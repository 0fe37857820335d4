import Records

/// How full the floor is at an hour: `spotter history hours --json`, and with a weekday `spotter history weekdays --json`.
public struct OccupancyRow: Sendable, Codable, Equatable {
    /// The weekday, from 1 for Monday to 7 for Sunday; `nil` for all days together.
    public var weekday: Int?
    /// The hour of the day, 0…23.
    public var hour: Int
    /// The mean number of people while the node watched; `nil` where it never did.
    public var people: Double?
    /// The most people at once; `nil` where the node never watched.
    public var most: Int?
    /// The sessions that began in this hour.
    public var sessions: Int
    /// For how long the node watched, seconds.
    public var watchedSeconds: Double

    enum CodingKeys: String, CodingKey {
        case weekday, hour, people, most, sessions
        case watchedSeconds = "watched_seconds"
    }

    /// The JSON of an hour.
    package static let schema = Schema.object([
        ("weekday", .optional(.integer(minimum: 1, maximum: 7), "1 is Monday; absent for all days together.")),
        ("hour", .required(.integer(minimum: 0, maximum: 23))),
        (
            "people",
            .optional(.number(minimum: 0), "Mean number of people while the node watched; absent where it never did.")
        ),
        ("most", .optional(.count, "Most people at once.")),
        ("sessions", .required(.count, "Sessions that began in this hour.")),
        ("watched_seconds", .required(.number(minimum: 0))),
    ])
}

/// How full the floor was, by the hour, and what the answer leaves out.
public struct Occupancy: Sendable, Equatable {
    /// One row for each hour, or for each hour of each weekday, in order.
    public var rows: [OccupancyRow]
    /// When the node began to keep how many people it sees: RFC 3339, UTC; `nil` where it did not in this span.
    public var first: String?
    /// The sessions of the span that began before ``first``.
    public var earlierSessions: Int
    /// For how long the node watched in the span, seconds.
    public var watchedSeconds: Double { rows.reduce(0) { $0 + $1.watchedSeconds } }
    /// Whether anything was seen.
    public var isEmpty: Bool { rows.allSatisfy { $0.watchedSeconds == 0 && $0.sessions == 0 } }
}
