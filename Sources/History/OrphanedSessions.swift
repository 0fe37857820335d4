import Actions
import Foundation
import GRDB

/// Sessions that a dead run left open.
enum OrphanedSessions {
    /// Closes each at its last committed moment, with the reason `crash`, and records it.
    ///
    /// - Returns: how many there were.
    static func close(in pool: DatabasePool, wall: Date, clock: ClockState = .now()) throws -> Int {
        try pool.write { db in
            let ids = try String.fetchAll(db, sql: "SELECT id FROM session WHERE end_reason IS NULL ORDER BY start_ms")
            for id in ids {
                try db.execute(
                    sql: "UPDATE session SET end_reason = ?, rev = rev + 1, recorded_ms = ? WHERE id = ?",
                    arguments: [Session.EndReason.crash.rawValue, Timestamp.milliseconds(wall), id])
                guard let row = try SessionRow.fetch(id, in: db) else { continue }
                try RecordLog.append(
                    .session, id: id, rev: row.rev, final: true, body: JSONText.encode(SessionBody(row)),
                    wallMilliseconds: Timestamp.milliseconds(wall), clock: clock, in: db)
            }
            return ids.count
        }
    }
}
