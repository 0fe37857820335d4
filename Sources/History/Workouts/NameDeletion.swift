import Foundation
import GRDB
import Records
import Workouts

extension Store {
    /// Deletes a name everywhere: in the workouts, in every record of the log, and in what commands and requests left.
    /// Receivers get each of those workouts again with a higher revision and without the name. The workouts themselves
    /// stay.
    ///
    /// Copies made earlier (backups, `.before-v…`, `.corrupt-…`) are not changed.
    /// - Parameter name: as it was typed. Blanks around it and its normal form do not matter.
    /// - Returns: how many workouts had the name.
    /// - Throws: ``HistoryError``.
    public func deleteName(_ name: String, wall: Date, clock: ClockState = .now()) throws -> Int {
        let deletion = NameDeletion(name, wall: wall, clock: clock)
        let count = try write { db in try deletion.run(in: db) }
        try checkpoint()
        return count
    }
}

/// One deletion of a name inside the caller's transaction.
private struct NameDeletion {
    /// The name in its normal form.
    let name: String
    let typed: String
    let wall: Date
    let clock: ClockState

    init(_ typed: String, wall: Date, clock: ClockState) {
        (self.typed, self.wall, self.clock) = (typed, wall, clock)
        name = PersonName.normal(typed)
    }

    func run(in db: Database) throws -> Int {
        guard !name.isEmpty else { return 0 }
        var ids: [String] = []
        // Names from before there was one form are compared as names, not as bytes.
        let stored = try String.fetchAll(db, sql: "SELECT DISTINCT name FROM workout WHERE name IS NOT NULL")
        for text in stored where PersonName.normal(text) == name {
            ids += try String.fetchAll(db, sql: "SELECT id FROM workout WHERE name = ?", arguments: [text])
        }
        // Records outlive their workouts, so the log is searched as well.
        let records = try Row.fetchCursor(
            db, sql: "SELECT DISTINCT id, json_extract(body, '$.name') AS name FROM record WHERE type = 'workout'")
        while let row = try records.next() {
            guard let text = row.optionalText("name"), PersonName.normal(text) == name else { continue }
            ids.append(row.text("id"))
        }
        let all = Set(ids).sorted()
        for id in all { try deleteName(ofWorkout: id, in: db) }
        try CommandLog.forget([name, typed], in: db)
        try NodeRequests.forget([name, typed], in: db)
        return all.count
    }

    private func deleteName(ofWorkout id: String, in db: Database) throws {
        try db.execute(sql: "UPDATE workout SET name = NULL, rev = rev + 1 WHERE id = ?", arguments: [id])
        try db.execute(
            sql: "UPDATE record SET body = json_remove(body, '$.name') WHERE type = 'workout' AND id = ?",
            arguments: [id])
        let last = try Row.fetchOne(
            db, sql: "SELECT * FROM record WHERE type = 'workout' AND id = ? ORDER BY rev DESC LIMIT 1",
            arguments: [id])
        let stored = try StoredWorkouts.workout(id, in: db)
        guard let body = try stored.map({ try JSONText.encode($0.body) }) ?? last?.text("body") else { return }
        let known = try Int.fetchOne(db, sql: "SELECT rev FROM workout WHERE id = ?", arguments: [id])
        let rev = max((last?.integer("rev") ?? 0) + 1, known ?? 0)
        try db.execute(sql: "UPDATE workout SET rev = ? WHERE id = ?", arguments: [rev, id])
        try RecordLog.append(
            .workout, id: id, rev: rev, final: stored?.workout.isOpen != true, body: body,
            wallMilliseconds: Timestamp.milliseconds(wall), clock: clock, in: db)
    }
}

extension CommandLog {
    /// Deletes the responses that hold one of these texts, such as an error that repeats what was typed.
    fileprivate static func forget(_ texts: [String], in db: Database) throws {
        for text in Set(texts) {
            try db.execute(
                sql: "DELETE FROM cmd_seen WHERE instr(response, ?) > 0 OR instr(id, ?) > 0",
                arguments: [try text.insideJSON, text])
        }
    }
}

extension NodeRequests {
    /// Empties the requests that hold one of these texts. Their rows stay, because somebody may wait for the answer.
    ///
    /// A request that waits to start a workout stays as it is: its workout is younger than the deletion.
    fileprivate static func forget(_ texts: [String], in db: Database) throws {
        for text in Set(texts) {
            try db.execute(
                sql: """
                    UPDATE request SET command = '{}' WHERE instr(command, :text) > 0
                      AND (answer IS NOT NULL
                        OR CASE WHEN json_valid(command) THEN json_extract(command, '$.cmd') = 'name_delete' END)
                    """, arguments: ["text": try text.insideJSON])
            try db.execute(
                sql: "UPDATE request SET answer = '{}' WHERE instr(answer, ?) > 0", arguments: [try text.insideJSON])
        }
    }
}

extension String {
    /// The text as it stands inside a text of JSON.
    fileprivate var insideJSON: String {
        get throws { String(try JSONText.encode(self).dropFirst().dropLast()) }
    }
}
