import Actions
import Foundation
import GRDB
import Records

/// One set in the `body` of a session record and in `spotter history sessions --json`.
public struct SetBody: Sendable, Codable, Equatable {
    /// The exercise's label.
    public var label: String
    /// When the set began: RFC 3339, UTC.
    public var start: String
    /// When the set ended: RFC 3339, UTC.
    public var end: String
    /// The repetitions.
    public var reps: Int
    /// Seconds since the end of the session's previous set; `nil` for the first.
    public var restSeconds: Double?
    /// A coaching hint, 0…100; `nil` when too little was seen.
    public var form: Int?
    /// The zone in which most of the set took place; `nil` outside all zones.
    public var zone: String?

    enum CodingKeys: String, CodingKey {
        case label, start, end, reps, zone
        case form = "coaching_hint"
        case restSeconds = "rest_s"
    }
}

extension SetBody {
    /// The sets of a session, each with the rest before it; `nil` if there are none.
    static func list(_ sets: [SessionSet]) -> [SetBody]? {
        var before: Date?
        let bodies = sets.map { set in
            defer { before = set.end }
            return SetBody(set, after: before)
        }
        return bodies.isEmpty ? nil : bodies
    }

    /// The stored sets of a session; `nil` if there are none, as in a history from before sets existed.
    static func list(session: String, in db: Database) throws -> [SetBody]? {
        guard try db.tableExists("session_set") else { return nil }
        let sets = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT * FROM session_set WHERE session = ? ORDER BY number"),
            arguments: [session]
        ).map(SessionSet.init)
        return list(sets)
    }

    /// - Parameter before: when the session's previous set ended; `nil` for the first set.
    init(_ set: SessionSet, after before: Date?) {
        self.init(
            label: set.label, start: Timestamp.text(set.start), end: Timestamp.text(set.end), reps: set.reps,
            restSeconds: before.map { max(0, set.start.timeIntervalSince($0)).rounded(decimals: 1) }, form: set.form,
            zone: set.zone)
    }
}

extension SessionSet {
    /// Reads a row of `session_set`.
    init(_ row: Row) {
        self.init(
            number: row.integer("number"), label: row.text("label"),
            start: Timestamp.date(milliseconds: row.moment("start_ms")),
            end: Timestamp.date(milliseconds: row.moment("end_ms")), reps: row.integer("reps"),
            form: row.optionalInteger("form"), zone: row.optionalText("zone"))
    }
}

extension SetBody {
    /// The contract's schema of this body.
    package static let schema = Schema.object([
        ("label", .required(.words)), ("start", .required(.moment)), ("end", .required(.moment)),
        ("reps", .required(.count)),
        ("rest_s", .optional(.number(minimum: 0), "Since the session's previous set; absent for its first.")),
        ("coaching_hint", .optional(.integer(minimum: 0, maximum: 100), "No assessment of safety.")),
        ("zone", .optional(.id, "Where most of it took place; absent outside all zones.")),
    ])
}
