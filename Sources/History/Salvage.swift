import Actions
import Foundation
import GRDB

/// Saves from a damaged database what can still be read.
enum Salvage {
    /// Tables in the order their rows depend on each other. Single predictions are not worth the time.
    private static let tables = [
        "session", "session_action", "session_excluded", "session_set", "day_camera", "day_action",
        "day_excluded",
    ]

    /// Copies row by row until a table cannot be read on, and declares the loss in the record log. What cannot be read
    /// is lost already, so reading forgives every error (`try?`); writing forgives none.
    ///
    /// - Returns: how many sessions were saved. A file that cannot be opened at all saves none.
    static func copy(from damaged: String, into pool: DatabasePool, wall: Date) throws -> Int {
        let old = try? DatabaseQueue(path: damaged)
        let lost = old.flatMap { try? $0.read { try lastPositions($0) } }
        if let old {
            for table in tables { try copy(table, from: old, into: pool) }
            try copyMeta(from: old, into: pool)
        }
        try declareGap(lost, in: pool, wall: wall)
        return try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM session") ?? 0 }
    }

    private static func copy(_ table: String, from old: DatabaseQueue, into pool: DatabasePool) throws {
        var rows: [Row] = []
        _ = try? old.read { db in
            let cursor = try Row.fetchCursor(db, sql: "SELECT * FROM \(table)")
            while let row = try cursor.next() { rows.append(row.copy()) }
        }
        try pool.write { db in
            for row in rows {
                let columns = Array(row.columnNames)
                let places = Array(repeating: "?", count: columns.count).joined(separator: ",")
                let sql = "INSERT OR IGNORE INTO \(table)(\(columns.joined(separator: ","))) VALUES(\(places))"
                do {
                    try db.execute(sql: sql, arguments: StatementArguments(row.databaseValues))
                } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                    continue  // A row whose session was lost, or half of whose columns were.
                }
            }
        }
    }

    /// The node stays the node, and its connection numbers go on; the epoch is a new one on purpose.
    private static func copyMeta(from old: DatabaseQueue, into pool: DatabasePool) throws {
        for key in [Meta.Key.nodeId, .connection, .cameraSwitches, .model, .discovery] {
            guard let value = try? old.read({ try Meta.value(key, in: $0) }) else { continue }
            try pool.write { try Meta.set(key, value, in: $0) }
        }
    }

    private static func lastPositions(_ db: Database) throws -> (epoch: String, acked: Int64, last: Int64) {
        let epoch = try Meta.value(.epoch, in: db) ?? ""
        let acked = try Int64.fetchOne(db, sql: "SELECT max(acked_seq) FROM cursor") ?? 0
        let last = try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'record'") ?? 0
        return (epoch, acked, last)
    }

    /// Receivers learn that the old epoch ended early, and which of its records will never come.
    private static func declareGap(
        _ lost: (epoch: String, acked: Int64, last: Int64)?, in pool: DatabasePool, wall: Date
    ) throws {
        let from = (lost?.acked ?? 0) + 1
        let through = max(lost?.last ?? 0, from - 1)
        let body = GapBody(
            fromSeq: from, toSeq: through, reason: "corruption", records: Int(through - from + 1), epoch: lost?.epoch)
        _ = try pool.write { db in
            try RecordLog.append(
                .gap, id: UUIDv7.string(at: wall), rev: 1, final: true, body: JSONText.encode(body),
                wallMilliseconds: Timestamp.milliseconds(wall), clock: .now(), in: db)
        }
    }
}
