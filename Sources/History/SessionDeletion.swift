import Foundation
import GRDB

extension Store {
    /// What became of a session that was to be deleted.
    public enum Deletion: Sendable, Equatable {
        case deleted
        case unknown
        /// It still goes on; end it first.
        case open
    }

    /// Forgets a person's session: its rows, its predictions, and what the record log still held of it. Receivers get a
    /// record with a higher revision that says `deleted`. The day's totals stay; they name nobody.
    ///
    /// Copies made before (backups, `.before-v…`, `.corrupt-…`) are not touched.
    public func deleteSession(_ id: String, wall: Date, clock: ClockState = .now()) throws -> Deletion {
        let outcome = try write { db -> Deletion in
            let session = try Row.fetchOne(db, sql: "SELECT * FROM session WHERE id = ?", arguments: [id])
            let rev = try Int.fetchOne(
                db, sql: "SELECT max(rev) FROM record WHERE type = 'session' AND id = ?", arguments: [id])
            if let session {
                if (session["end_reason"] as String?) == nil { return .open }
                try Self.deletePredictions(of: session, in: db)
            } else if try rev == nil || SessionDeletion.isDeleted(id, in: db) {
                return .unknown
            }
            try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [id])
            // Emptied instead of deleted: a receiver that counts positions misses none.
            try db.execute(
                sql: "UPDATE record SET body = ? WHERE type = 'session' AND id = ?",
                arguments: [SessionDeletion.tombstone, id])
            let last = max(rev ?? 0, session?["rev"] ?? 0)
            try RecordLog.append(
                .session, id: id, rev: last + 1, final: true, body: SessionDeletion.tombstone,
                wallMilliseconds: Timestamp.milliseconds(wall), clock: clock, in: db)
            return .deleted
        }
        if outcome == .deleted { try checkpoint() }
        return outcome
    }

    private static func deletePredictions(of session: Row, in db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM prediction WHERE end_ms BETWEEN ? AND ? AND track = ?
                  AND camera = (SELECT id FROM name WHERE text = ?)
                """,
            arguments: [session["start_ms"], session["end_ms"], session["track"], session["camera"]])
    }
}

/// What the record log knows of sessions that were deleted.
enum SessionDeletion {
    static let tombstone = #"{"deleted":true}"#

    /// Whether the newest record of a session says that it was deleted.
    static func isDeleted(_ id: String, in db: Database) throws -> Bool {
        let body = try String.fetchOne(
            db, sql: "SELECT body FROM record WHERE type = 'session' AND id = ? ORDER BY rev DESC LIMIT 1",
            arguments: [id])
        return body == tombstone
    }
}
