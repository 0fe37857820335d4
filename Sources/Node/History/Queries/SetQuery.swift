import Actions
import Contract
import Foundation
import GRDB
import Records

/// One set as printed by `spotter history sets --json`.
public struct SetRow: Sendable, Encodable, Equatable {
    /// The session's id.
    public var session: String
    /// The camera's id.
    public var camera: String
    /// The person's track id.
    public var track: Int
    /// The set itself.
    public var body: SetBody
    /// The set's number.
    public var number: Int { body.number }

    enum CodingKeys: String, CodingKey { case session, camera, track }

    /// Encodes the body's fields in the same object as the others.
    public func encode(to encoder: any Encoder) throws {
        try body.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(session, forKey: .session)
        try container.encode(camera, forKey: .camera)
        try container.encode(track, forKey: .track)
    }
}

extension SetRow {
    /// The JSON of a set in a history.
    package static let schema = SetBody.schema.adding([
        ("session", .required(.uuid)), ("camera", .required(.id)), ("track", .required(.count)),
    ])
}

extension HistoryQuery {
    /// Passes sets to `each`, newest first. `since` and `until` refer to the beginning of a set. A history from before
    /// sets existed has none.
    ///
    /// - Returns: how many were passed on, and how many there are.
    /// - Throws: ``HistoryError``, or the error of `each`.
    @discardableResult
    public func sets(_ filter: HistoryFilter = HistoryFilter(), each: (SetRow) throws -> Void) throws -> RowCount {
        try read { try SetRow.each(filter, in: $0, each) }
    }
}

extension SetRow {
    /// Passes the sets of a filter to `body`, newest first.
    @discardableResult
    static func each(_ filter: HistoryFilter, in db: Database, _ body: (SetRow) throws -> Void) throws -> RowCount {
        guard try db.tableExists("session_set"), try filter.zone == nil || db.tableExists("day_zone") else {
            return RowCount(shown: 0, found: 0)
        }
        var condition = SQLCondition()
        condition.add("s.start_ms >= ?", filter.since.map(Timestamp.milliseconds))
        condition.add("s.start_ms < ?", filter.until.map(Timestamp.milliseconds))
        condition.add("camera = ?", filter.camera)
        condition.add("ifnull(c.label, s.label) = ?", filter.action)
        condition.add("s.zone = ?", filter.zone)
        let corrections = try SetCorrection.table(in: db)
        // The index of their times gives the sets in order, so that nothing is sorted.
        let source = """
            FROM session_set s CROSS JOIN session ON session.id = s.session
              LEFT JOIN \(corrections) c ON c.session = s.session AND c.number = s.number
            WHERE \(condition.sql)
            """
        // The previous set is looked up among all sets of the session, also those the filter excludes.
        let columns = """
            s.*, camera, track, \(SetCorrection.columns),
              (SELECT end_ms FROM session_set b WHERE b.session = s.session AND b.number < s.number
               ORDER BY number DESC LIMIT 1) AS rested_from
            """
        return try db.pass(
            columns, source, order: "s.start_ms DESC, s.session DESC", condition.arguments, limit: filter.limit
        ) { try body(SetRow($0)) }
    }
}

extension SetRow {
    fileprivate init(_ row: Row) {
        let before = row.optionalInteger("rested_from") == nil ? nil : row.moment("rested_from")
        let body = SetBody(
            SessionSet(row), after: before.map(Timestamp.date(milliseconds:)),
            correction: SetCorrection(row))
        self.init(
            session: row.text("session"), camera: row.text("camera"), track: row.integer("track"), body: body)
    }
}
