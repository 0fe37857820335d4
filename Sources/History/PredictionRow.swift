import GRDB

/// One prediction as it is kept for some days: about 20 bytes on disk. Only windows with a person in them are kept.
struct PredictionRow: Sendable, Equatable {
    /// When the window ended, milliseconds since 1970.
    let endMilliseconds: Int64
    let camera: String
    let track: Int
    let label: String
    /// Thousandths.
    let confidence: Int
    let frames: Int

    /// A row of the same moment, camera and track (a clock set back can repeat a millisecond) replaces the earlier one;
    /// the sums do not come from these rows.
    static func insert(_ rows: [PredictionRow], in db: Database) throws {
        guard !rows.isEmpty else { return }
        var ids: [String: Int64] = [:]
        func id(of name: String) throws -> Int64 {
            if let known = ids[name] { return known }
            try db.execute(sql: "INSERT INTO name(text) VALUES(?) ON CONFLICT DO NOTHING", arguments: [name])
            let id = try Int64.fetchOne(db, sql: "SELECT id FROM name WHERE text = ?", arguments: [name]) ?? 0
            ids[name] = id
            return id
        }
        let statement = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO prediction(end_ms, camera, track, label, confidence, frames)
                VALUES(?, ?, ?, ?, ?, ?)
                """)
        for row in rows {
            try statement.execute(arguments: [
                row.endMilliseconds, id(of: row.camera), row.track, id(of: row.label), row.confidence, row.frames,
            ])
        }
    }
}
