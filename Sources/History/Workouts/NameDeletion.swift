import Foundation
import GRDB
import Records
import Workouts

extension Store {
    /// Deletes a name everywhere: in the workouts, and in every record of the log. Receivers get each of those workouts
    /// again with a higher revision and without the name. The workouts themselves stay.
    ///
    /// Copies made earlier (backups, `.before-v…`, `.corrupt-…`) are not changed.
    /// - Returns: how many workouts had the name.
    /// - Throws: ``HistoryError``.
    public func deleteName(_ name: String, wall: Date, clock: ClockState = .now()) throws -> Int {
        let count = try write { db -> Int in
            // Records outlive their workouts, so the log is searched as well.
            let ids = try String.fetchAll(
                db,
                sql: """
                    SELECT id FROM workout WHERE name = :name
                    UNION SELECT id FROM record WHERE type = 'workout' AND json_extract(body, '$.name') = :name
                    """, arguments: ["name": name])
            for id in ids {
                try db.execute(sql: "UPDATE workout SET name = NULL, rev = rev + 1 WHERE id = ?", arguments: [id])
                try db.execute(
                    sql: "UPDATE record SET body = json_remove(body, '$.name') WHERE type = 'workout' AND id = ?",
                    arguments: [id])
                let last = try Row.fetchOne(
                    db, sql: "SELECT * FROM record WHERE type = 'workout' AND id = ? ORDER BY rev DESC LIMIT 1",
                    arguments: [id])
                let stored = try WorkoutRows.workout(id, in: db)
                let body = try stored.map { try JSONText.encode(WorkoutBody($0)) } ?? last?.text("body")
                guard let body else { continue }
                let known = try Int.fetchOne(db, sql: "SELECT rev FROM workout WHERE id = ?", arguments: [id])
                let rev = max((last?.integer("rev") ?? 0) + 1, known ?? 0)
                try db.execute(sql: "UPDATE workout SET rev = ? WHERE id = ?", arguments: [rev, id])
                try RecordLog.append(
                    .workout, id: id, rev: rev, final: stored?.isOpen != true, body: body,
                    wallMilliseconds: Timestamp.milliseconds(wall), clock: clock, in: db)
            }
            return ids.count
        }
        if count > 0 { try checkpoint() }
        return count
    }
}
