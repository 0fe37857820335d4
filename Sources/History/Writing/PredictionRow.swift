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

    /// Milliseconds that a row is put off at most before it is left out.
    private static let mostDelayed: Int64 = 20

    /// A clock set back can repeat a millisecond: where the moment, camera and track are taken, the row goes to one of
    /// the next milliseconds, so that it takes nobody's place.
    static func insert(_ rows: [PredictionRow], stretch: Int64, in db: Database) throws {
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
                INSERT OR IGNORE INTO prediction(end_ms, camera, track, label, confidence, frames, clock)
                VALUES(?, ?, ?, ?, ?, ?, ?)
                """)
        for row in rows {
            let (camera, label) = (try id(of: row.camera), try id(of: row.label))
            for delay in 0..<Self.mostDelayed {
                try statement.execute(arguments: [
                    row.endMilliseconds + delay, camera, row.track, label, row.confidence, row.frames, stretch,
                ])
                if db.changesCount > 0 { break }
            }
        }
    }
}
