import Foundation
import GRDB
import Records

/// One prediction as printed by `spotter history predictions --json`.
public struct StoredPrediction: Sendable, Codable, Equatable {
    /// When the window ended: RFC 3339, UTC.
    public var time: String
    /// The camera's id.
    public var camera: String
    /// The person's track id.
    public var track: Int
    /// The label, or the reason why the frames were not counted.
    public var label: String
    /// Confidence, 0…1, three decimals.
    public var confidence: Double
    /// The number of frames credited.
    public var frames: Int

    /// The JSON of a prediction in a history.
    package static let schema = Schema.object([
        ("time", .required(.moment)), ("camera", .required(.id)), ("track", .required(.count)),
        ("label", .required(.words)), ("confidence", .required(.share)), ("frames", .required(.count)),
    ])
}

extension HistoryQuery {
    /// Passes predictions to `each`, newest first. Memory use does not grow with their number.
    ///
    /// - Returns: how many were passed on, and how many there are.
    /// - Throws: ``HistoryError``, or the error of `each`.
    @discardableResult
    public func predictions(
        _ filter: HistoryFilter = HistoryFilter(), each: (StoredPrediction) throws -> Void
    ) throws -> RowCount {
        try read { db in
            var condition = SQLCondition()
            condition.add("end_ms >= ?", filter.since.map(Timestamp.milliseconds))
            condition.add("end_ms < ?", filter.until.map(Timestamp.milliseconds))
            condition.add("camera = (SELECT id FROM name WHERE text = ?)", filter.camera)
            condition.add("label = (SELECT id FROM name WHERE text = ?)", filter.action)
            return try db.pass(
                StoredPrediction.columns, "FROM prediction p WHERE \(condition.sql)", order: "end_ms DESC",
                condition.arguments, limit: filter.limit
            ) { try each(StoredPrediction($0)) }
        }
    }

    /// The predictions of a session that are still stored, oldest first.
    ///
    /// - Throws: ``HistoryError``.
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
