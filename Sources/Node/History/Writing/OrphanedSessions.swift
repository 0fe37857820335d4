import Actions
import Contract
import Foundation
import GRDB
import Records

/// Sessions that a crashed run left open, or that were open in a restored backup.
enum OrphanedSessions {
    /// Closes each session at its last committed moment and records it.
    ///
    /// - Parameter reason: what ended them.
    /// - Returns: how many there were.
    static func close(
        in pool: DatabasePool, as reason: Session.EndReason, wall: Date, clock: ClockState
    ) throws -> Int {
        try pool.write { db in
            let open = try Row.fetchAll(
                db, sql: "SELECT id, clock FROM session WHERE end_reason IS NULL ORDER BY start_ms")
            for row in open {
                try close(row, as: reason, wallMilliseconds: Timestamp.milliseconds(wall), clock: clock, in: db)
            }
            return open.count
        }
    }

    /// Closes one open session where it was stored last, and records it.
    ///
    /// - Parameter row: its `id` and `clock`.
    static func close(
        _ row: Row, as reason: Session.EndReason, wallMilliseconds: Int64, clock: ClockState, in db: Database
    ) throws {
        let id = row.text("id")
        let isTrusted = try ClockStretch.state(of: row.position("clock"), in: db) == .synced
        try db.execute(
            sql: "UPDATE session SET end_reason = ?, rev = rev + 1, recorded_ms = ? WHERE id = ?",
            arguments: [reason.rawValue, wallMilliseconds, id])
        guard let row = try SessionRow.fetch(id, in: db) else { return }
        try RecordLog.append(
            .session, id: id, rev: row.rev, final: true, body: JSONText.encode(SessionBody(row)),
            wallMilliseconds: wallMilliseconds, clock: isTrusted ? clock : .unsynced, in: db)
    }
}
