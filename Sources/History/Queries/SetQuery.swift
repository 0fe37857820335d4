import Actions
import Foundation
import GRDB

/// One set as it is printed: `spotter history sets --json`.
public struct SetRow: Sendable, Encodable, Equatable {
    public var session: String
    public var camera: String
    public var track: Int
    /// Place in the session, from 1.
    public var number: Int
    public var body: SetBody

    enum CodingKeys: String, CodingKey { case session, camera, track, number }

    /// The body's fields stand beside the others.
    public func encode(to encoder: any Encoder) throws {
        try body.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(session, forKey: .session)
        try container.encode(camera, forKey: .camera)
        try container.encode(track, forKey: .track)
        try container.encode(number, forKey: .number)
    }
}

extension HistoryQuery {
    /// Hands over set after set, newest first; `since` and `until` mean when a set began. A history from before there
    /// were sets has none.
    public func sets(_ filter: SessionFilter = SessionFilter(), each: (SetRow) throws -> Void) throws {
        try read { db in
            guard try db.tableExists("session_set") else { return }
            var condition = SQLCondition()
            condition.add("s.start_ms >= ?", filter.since.map(Timestamp.milliseconds))
            condition.add("s.start_ms < ?", filter.until.map(Timestamp.milliseconds))
            condition.add("camera = ?", filter.camera)
            condition.add("label = ?", filter.action)
            // The rest before a set is looked up among all sets of its session, also those the question leaves out.
            let sql = """
                SELECT s.*, camera, track,
                  (SELECT max(end_ms) FROM session_set b WHERE b.session = s.session AND b.number < s.number) AS rested_from
                FROM session_set s JOIN session ON session.id = s.session
                WHERE \(condition.sql) ORDER BY s.start_ms DESC, s.session DESC LIMIT ?
                """
            let rows = try Row.fetchCursor(db, sql: sql, arguments: condition.arguments + [filter.limit ?? -1])
            while let row = try rows.next() { try each(SetRow(row)) }
        }
    }
}

extension SetRow {
    fileprivate init(_ row: Row) {
        let before = row.optionalInteger("rested_from") == nil ? nil : row.moment("rested_from")
        let body = SetBody(SessionSet(row), after: before.map(Timestamp.date(milliseconds:)))
        self.init(
            session: row.text("session"), camera: row.text("camera"), track: row.integer("track"),
            number: row.integer("number"), body: body)
    }
}
