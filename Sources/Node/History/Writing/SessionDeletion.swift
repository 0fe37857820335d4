import Foundation
import GRDB
import Records

extension Store {
    /// The outcome of deleting a session.
    public enum Deletion: Sendable, Equatable {
        /// The session was deleted, now or earlier.
        case deleted
        /// There is no session with this id, and where it went.
        case unknown(MissingSession)
        /// It is still open and must be ended first.
        case open
    }

    /// Deletes a person's session: its rows, its predictions, and its content in the record log. Receivers get a record
    /// with a higher revision that says `deleted`. The day's totals stay, since they name nobody.
    ///
    /// Copies made earlier (backups, `.before-v…`, `.corrupt-…`) are not changed.
    /// - Throws: ``HistoryError``.
    public func deleteSession(_ id: String, wall: Date, clock: ClockState = .now()) throws -> Deletion {
        let outcome = try write { db -> Deletion in
            let session = try Row.fetchOne(db, sql: "SELECT * FROM session WHERE id = ?", arguments: [id])
            let rev = try Int.fetchOne(
                db, sql: "SELECT max(rev) FROM record WHERE type = 'session' AND id = ?", arguments: [id])
            if let session {
                if session.optionalText("end_reason") == nil { return .open }
                try SessionDeletion.deletePredictions(of: session, idle: settings.sessionIdle, in: db)
            } else if try rev == nil || SessionDeletion.isDeleted(id, in: db) {
                return .unknown(try MissingSession(id, in: db))
            }
            try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [id])
            // Records are emptied instead of deleted, so that receivers find no hole in the positions.
            try db.execute(
                sql: "UPDATE record SET body = ? WHERE type = 'session' AND id = ?",
                arguments: [SessionDeletion.tombstone, id])
            let last = max(rev ?? 0, session?.integer("rev") ?? 0)
            try RecordLog.append(
                .session, id: id, rev: Int(Int64(last).clamped) + 1, final: true, body: SessionDeletion.tombstone,
                wallMilliseconds: Timestamp.milliseconds(wall), clock: clock, in: db)
            return .deleted
        }
        if outcome == .deleted { try checkpoint() }
        return outcome
    }

}

/// Deleted sessions in the record log, and the deletion of their predictions.
enum SessionDeletion {
    static let tombstone = #"{"deleted":true}"#
    /// The body of a session that became part of another one.
    static func tombstone(mergedInto id: String) -> String { #"{"deleted":true,"merged_into":"\#(id)"}"# }
    /// A session ends with the first prediction after its idle time, which can be this much later.
    private static let reaction = Duration.seconds(1)

    /// How long after its last exercise a session can have predictions of its person, milliseconds.
    static func idleMilliseconds(_ idle: Duration) -> Int64 {
        let whole = (idle + reaction).components
        return whole.seconds * 1000 + whole.attoseconds / 1_000_000_000_000_000
    }

    /// Deletes the predictions of a session's person: from its start until it was closed, `idle` after the last
    /// exercise. Predictions that belong to another session of the same track stay, also where two recordings that ran
    /// faster than their clock share times and tracks.
    static func deletePredictions(of session: Row, idle: Duration, in db: Database) throws {
        let (start, end) = (session.moment("start_ms"), session.moment("end_ms"))
        let person: StatementArguments = [
            "id": session.text("id"), "track": session.integer("track"), "camera": session.text("camera"),
            "start": start, "end": end, "closed": end + idleMilliseconds(idle),
        ]
        try db.execute(
            sql: """
                DELETE FROM prediction WHERE end_ms BETWEEN :start AND :closed AND track = :track
                  AND camera = (SELECT id FROM name WHERE text = :camera)
                  AND NOT EXISTS (
                    SELECT 1 FROM session o WHERE o.id <> :id AND o.camera = :camera AND o.track = :track
                      AND ((o.start_ms < prediction.end_ms AND prediction.end_ms <= o.end_ms)
                        OR (prediction.end_ms > :end AND o.start_ms > :start AND o.start_ms <= prediction.end_ms)))
                """, arguments: person)
    }

    /// Whether the newest record of a session says that it was deleted.
    static func isDeleted(_ id: String, in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT json_extract(body, '$.deleted') IS 1 FROM record WHERE type = 'session' AND id = ? ORDER BY rev DESC LIMIT 1
                """, arguments: [id]) == true
    }
}
