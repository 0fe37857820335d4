import Foundation
import GRDB

/// One prediction as it is printed: `spotter history predictions --json`.
public struct StoredPrediction: Sendable, Codable, Equatable {
    /// When the window ended, RFC 3339 in UTC.
    public var time: String
    public var camera: String
    public var track: Int
    public var label: String
    /// 0…1, three decimals.
    public var confidence: Double
    public var frames: Int
}

extension HistoryQuery {
    /// Hands over prediction after prediction, newest first; memory does not grow with their number.
    public func predictions(_ filter: SessionFilter = SessionFilter(), each: (StoredPrediction) throws -> Void) throws {
        try read { db in
            var condition = SQLCondition()
            condition.add("end_ms >= ?", filter.since.map(Timestamp.milliseconds))
            condition.add("end_ms < ?", filter.until.map(Timestamp.milliseconds))
            condition.add("camera = (SELECT id FROM name WHERE text = ?)", filter.camera)
            condition.add("label = (SELECT id FROM name WHERE text = ?)", filter.action)
            let sql = """
                SELECT \(StoredPrediction.columns) FROM prediction p
                WHERE \(condition.sql) ORDER BY end_ms DESC LIMIT ?
                """
            let rows = try Row.fetchCursor(db, sql: sql, arguments: condition.arguments + [filter.limit ?? -1])
            while let row = try rows.next() { try each(StoredPrediction(row)) }
        }
    }

    /// What is still kept of a session's predictions, oldest first.
    public func predictions(ofSession id: String) throws -> [StoredPrediction] {
        try read { db in
            let sql = """
                SELECT \(StoredPrediction.columns) FROM session s JOIN prediction p
                  ON p.end_ms BETWEEN s.start_ms AND s.end_ms AND p.track = s.track
                  AND p.camera = (SELECT id FROM name WHERE text = s.camera)
                WHERE s.id = ? ORDER BY p.end_ms
                """
            return try Row.fetchAll(db, sql: sql, arguments: [id]).map(StoredPrediction.init)
        }
    }
}

extension StoredPrediction {
    fileprivate static let columns = """
        p.end_ms, (SELECT text FROM name WHERE id = p.camera) AS camera, p.track,
          (SELECT text FROM name WHERE id = p.label) AS label, p.confidence, p.frames
        """

    fileprivate init(_ row: Row) {
        self.init(
            time: Timestamp.text(milliseconds: row.moment("end_ms")), camera: row.text("camera"),
            track: row.integer("track"), label: row.text("label"), confidence: row.number("confidence") / 1000,
            frames: row.integer("frames"))
    }
}
