import GRDB

/// A track that turned out to be a person who was here before.
struct LinkedTrack: Sendable, Equatable {
    let camera: String
    let from: Int
    let to: Int
    /// When the track began, milliseconds since 1970.
    let sinceMilliseconds: Int64
}

/// One stored prediction: about 20 bytes on disk, kept for some days. Only windows with a person are stored.
struct PredictionRow: Sendable, Equatable {
    /// When the window ended, milliseconds since 1970.
    let endMilliseconds: Int64
    let camera: String
    var track: Int
    let label: String
    /// Confidence in thousandths.
    let confidence: Int
    let frames: Int

    /// By how many milliseconds a row is moved at most before it is dropped.
    private static let maximumDelayed: Int64 = 20

    /// Gives the predictions of a track to the person it turned out to be.
    static func rename(_ link: LinkedTrack, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE OR IGNORE prediction SET track = :to WHERE end_ms >= :since AND track = :from
                  AND camera = (SELECT id FROM name WHERE text = :camera)
                """,
            arguments: ["to": link.to, "from": link.from, "since": link.sinceMilliseconds, "camera": link.camera])
    }

    /// Inserts rows. A clock set back can repeat a millisecond: if the time, camera and track are taken, the row moves
    /// to one of the next milliseconds, so that it replaces no other row.
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
            for delay in 0..<Self.maximumDelayed {
                try statement.execute(arguments: [
                    row.endMilliseconds + delay, camera, row.track, label, row.confidence, row.frames, stretch,
                ])
                if db.changesCount > 0 { break }
            }
        }
    }
}
