import Actions
import Contract
import Foundation
import GRDB
import Records

/// Copies what can still be read from a damaged database into a new one.
enum Recovery {
    /// The tables to copy, in the order of their dependencies. Single predictions are left out to save time.
    private static let tables = [
        "clock_stretch", "session", "session_action", "session_excluded", "session_set", "set_correction", "day_camera",
        "day_action", "day_excluded", "day_zone", "workout", "workout_step", "workout_rep", "camera_absence",
        "occupancy", "occupancy_zone", "alarm", "member_code",
    ]
    /// The number of rows in memory at a time.
    private static let chunk = 500

    /// Builds a new history next to the damaged one from what can be read, with an identity and a record of the loss,
    /// and puts it in place. The damaged file is only read, and kept.
    ///
    /// - Returns: where the damaged file is now, and how many sessions were saved.
    /// - Throws: ``HistoryError``.
    static func replace(
        _ path: String, settings: HistorySettings, wall: Date, atStep: @escaping (FileReplacement.Step) throws -> Void
    ) throws -> (aside: String, savedSessions: Int) {
        let replacement = FileReplacement(kind: .recovery, path: path, wall: wall, atStep: atStep)
        DatabaseFiles.removeDatabase(replacement.part)
        do {
            let pool = try Store.open(replacement.part, settings: settings)
            let saved = try copy(from: path, into: pool, wall: wall) { try atStep(.halfBuilt) }
            _ = try NodeIdentity.establish(in: pool, configured: settings.nodeId, wall: wall)
            try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try pool.close()
            let aside = try replacement.install()
            return (aside ?? path, saved)
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Copies each table row by row until a row cannot be read, and declares the loss in the record log. What cannot be
    /// read is lost already, so errors of reading are ignored (`try?`); errors of writing are not.
    ///
    /// - Returns: how many sessions were saved: 0 when the file cannot be opened at all.
    private static func copy(
        from damaged: String, into pool: DatabasePool, wall: Date, halfway: () throws -> Void
    ) throws -> Int {
        var configuration = Configuration()
        configuration.readonly = true
        // SQLite would delete the log of an empty file, and the log may be all that is left.
        let isEmpty = DatabaseFiles.status(damaged)?.st_size == 0
        let old = isEmpty ? nil : try? DatabaseQueue(path: damaged, configuration: configuration)
        let lost = old.flatMap { try? $0.read { try lastPositions($0) } }
        if let old {
            for table in tables { try copy(table, from: old, into: pool) }
            // The damaged file may be of an earlier version.
            try pool.write { try PackedWorkouts.pack(in: $0) }
            try halfway()
            try copyMeta(from: old, into: pool)
        }
        try declareGap(lost, in: pool, wall: wall)
        return try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM session") ?? 0 }
    }

    private static func copy(_ table: String, from old: DatabaseQueue, into pool: DatabasePool) throws {
        let known = Set(try pool.read { try $0.columns(in: table) }.map(\.name))
        var failure: (any Error)?
        _ = try? old.read { db in
            let cursor = try Row.fetchCursor(db, sql: "SELECT * FROM \(table)")
            var isReadable = true
            while isReadable {
                var rows: [Row] = []
                do {
                    while rows.count < chunk, let row = try cursor.next() { rows.append(row.copy()) }
                    isReadable = rows.count == chunk
                } catch {
                    isReadable = false
                }
                do { try insert(rows, into: table, columns: known, pool) } catch {
                    failure = error
                    return
                }
            }
        }
        if let failure { throw failure }
    }

    private static func insert(_ rows: [Row], into table: String, columns known: Set<String>, _ pool: DatabasePool)
        throws
    {
        guard !rows.isEmpty else { return }
        try pool.write { db in
            for row in rows {
                let values = row.filter { known.contains($0.0) }
                let places = Array(repeating: "?", count: values.count).joined(separator: ",")
                let names = values.map(\.0).joined(separator: ",")
                do {
                    try db.cachedStatement(sql: "INSERT OR IGNORE INTO \(table)(\(names)) VALUES(\(places))")
                        .execute(arguments: StatementArguments(values.map(\.1)))
                } catch let error as DatabaseError
                    where [.SQLITE_CONSTRAINT, .SQLITE_MISMATCH].contains(error.resultCode)
                {
                    continue  // A row whose session was lost, or half of whose columns were.
                }
            }
        }
    }

    /// Copies the node id, the connection number and settings made by command. The epoch is not copied on purpose.
    private static func copyMeta(from old: DatabaseQueue, into pool: DatabasePool) throws {
        for key in [Meta.Key.nodeId, .connection, .cameraSwitches, .model, .discovery, .madeUp] {
            guard let value = try? old.read({ try Meta.value(key, in: $0) }) else { continue }
            try pool.write { try Meta.set(key, value, in: $0) }
        }
    }

    private static func lastPositions(_ db: Database) throws -> (epoch: String, acked: Int64, last: Int64) {
        let epoch = try Meta.value(.epoch, in: db) ?? ""
        let acked = try Int64.fetchOne(db, sql: "SELECT max(acked_seq) FROM cursor") ?? 0
        let last = try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'record'") ?? 0
        return (epoch, max(0, acked.clamped), last.clamped)
    }

    /// Tells receivers that the old epoch ended early, and which of its records are lost.
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
