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
            var parts = ["1"]
            var arguments: StatementArguments = []
            func add(_ part: String, _ value: (any DatabaseValueConvertible)?) {
                guard let value else { return }
                parts.append(part)
                arguments += [value]
            }
            add("end_ms >= ?", filter.since.map(Timestamp.milliseconds))
            add("end_ms < ?", filter.until.map(Timestamp.milliseconds))
            add("camera = (SELECT id FROM name WHERE text = ?)", filter.camera)
            add("label = (SELECT id FROM name WHERE text = ?)", filter.action)
            let sql = """
                SELECT end_ms, (SELECT text FROM name WHERE id = camera) AS camera, track,
                  (SELECT text FROM name WHERE id = label) AS label, confidence, frames
                FROM prediction WHERE \(parts.joined(separator: " AND ")) ORDER BY end_ms DESC LIMIT ?
                """
            let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments + [filter.limit ?? -1])
            while let row = try rows.next() {
                let thousandths: Int = row["confidence"]
                try each(
                    StoredPrediction(
                        time: Timestamp.text(milliseconds: row["end_ms"]), camera: row["camera"], track: row["track"],
                        label: row["label"], confidence: Double(thousandths) / 1000, frames: row["frames"]))
            }
        }
    }
}
