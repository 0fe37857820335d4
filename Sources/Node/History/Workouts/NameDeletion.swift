import Foundation
import GRDB
import Records
import Workouts

extension Store {
    /// Deletes a name everywhere in the history: in the workouts, in every record of the log, and in what commands and
    /// requests left. The code of the member goes, too. Receivers get each of those workouts again with a higher revision and
    /// without the name. The workouts themselves stay.
    ///
    /// - Parameter name: as it was typed, or a nickname. Letter case, blanks around it and its normal form do not matter.
    /// - Returns: how many workouts had the name.
    /// - Throws: ``HistoryError``.
    public func deleteName(_ name: String, wall: Date, clock: ClockState = .now()) throws -> Int {
        let deletion = NameDeletion(name, told: (wall, clock))
        let count = try write { db in try deletion.run(in: db) }
        try checkpoint()
        return count
    }
}

/// One deletion of a name inside the caller's transaction.
struct NameDeletion {
    private let key: String
    /// When it is recorded for receivers, and by which clock; `nil` for a copy, whose records nobody gets from there.
    private let told: (wall: Date, clock: ClockState)?

    init(_ typed: String, told: (wall: Date, clock: ClockState)?) {
        self.told = told
        key = PersonName.key(typed)
    }

    /// Deletes the name from a history of this version, or from a copy of an earlier one.
    ///
    /// - Returns: how many workouts had it.
    func run(in db: Database) throws -> Int {
        let all = try workouts(in: db)
        let names = try Self.nameColumns(in: db)
        for id in all { try deleteName(ofWorkout: id, names, in: db) }
        if !key.isEmpty {
            try forget(in: db)
            try MemberCode.forget(key, in: db)
        }
        return all.count
    }

    /// The ids of the workouts that have the name, in the history or in the log.
    func workouts(in db: Database) throws -> [String] {
        guard !key.isEmpty, try db.tableExists("workout") else { return [] }
        let names = try Self.nameColumns(in: db)
        var ids = try ids("SELECT id, \(names.joined(separator: ", ")) FROM workout", names, in: db)
        // Records outlive their workouts, so the log is searched as well.
        ids += try self.ids(
            """
            SELECT DISTINCT id, json_extract(body, '$.name') AS name, json_extract(body, '$.nickname') AS nickname
            FROM record WHERE type = 'workout'
            """, ["name", "nickname"], in: db)
        return Set(ids).sorted()
    }

    /// The columns that hold what people typed. An earlier version had no nicknames.
    private static func nameColumns(in db: Database) throws -> [String] {
        guard try db.tableExists("workout") else { return [] }
        let stored = Set(try db.columns(in: "workout").map(\.name))
        return ["name", "nickname"].filter(stored.contains)
    }

    /// Names from before there was one form are compared as names, not as bytes.
    private func ids(_ sql: String, _ columns: [String], in db: Database) throws -> [String] {
        var ids: [String] = []
        let rows = try Row.fetchCursor(db, sql: sql)
        while let row = try rows.next() {
            let texts = columns.compactMap { row.optionalText($0) }
            if texts.contains(where: { PersonName.key($0) == key }) { ids.append(row.text("id")) }
        }
        return ids
    }

    private func deleteName(ofWorkout id: String, _ names: [String], in db: Database) throws {
        let nothing = names.map { "\($0) = NULL" }.joined(separator: ", ")
        try db.execute(sql: "UPDATE workout SET \(nothing), rev = rev + 1 WHERE id = ?", arguments: [id])
        try db.execute(
            sql: """
                UPDATE record SET body = json_remove(body, '$.name', '$.nickname') WHERE type = 'workout' AND id = ?
                """, arguments: [id])
        try DeliveryRows.forget(workout: id, in: db)
        if let told { try tell(id, told.wall, told.clock, in: db) }
    }

    /// Records the workout once more, without the name.
    private func tell(_ id: String, _ wall: Date, _ clock: ClockState, in db: Database) throws {
        let last = try Row.fetchOne(
            db, sql: "SELECT * FROM record WHERE type = 'workout' AND id = ? ORDER BY rev DESC LIMIT 1",
            arguments: [id])
        let stored = try StoredWorkouts.workout(id, in: db)
        guard let body = try stored.map({ try JSONText.encode($0.body.forReceivers) }) ?? last?.text("body") else {
            return
        }
        let known = try Int.fetchOne(db, sql: "SELECT rev FROM workout WHERE id = ?", arguments: [id])
        let rev = max((last?.integer("rev") ?? 0) + 1, known ?? 0)
        try db.execute(sql: "UPDATE workout SET rev = ? WHERE id = ?", arguments: [rev, id])
        try RecordLog.append(
            .workout, id: id, rev: rev, final: stored?.workout.isOpen != true, body: body,
            wallMilliseconds: Timestamp.milliseconds(wall), clock: clock, in: db)
    }

    /// Deletes the responses to commands that hold the name, such as an error that repeats what was typed. In a copy of an
    /// earlier version requests of programs may hold it, too.
    private func forget(in db: Database) throws {
        for row in try rows(of: "cmd_seen", in: db) where isIn(row.text("response")) || isIn(row.text("id")) {
            try db.execute(sql: "DELETE FROM cmd_seen WHERE id = ?", arguments: [row.text("id")])
        }
        for row in try rows(of: "request", in: db)
        where isIn(row.text("command")) || isIn(row.optionalText("answer") ?? "") {
            try db.execute(sql: "DELETE FROM request WHERE id = ?", arguments: [row.text("id")])
        }
    }

    private func rows(of table: String, in db: Database) throws -> [Row] {
        try db.tableExists(table) ? Row.fetchAll(db, sql: "SELECT * FROM \(table)") : []
    }

    /// Whether a text of JSON mentions the name.
    private func isIn(_ text: String) -> Bool { NameInText(key).isIn(text) }
}

/// Looks for a name in texts: in every letter case and normal form, as it is and as JSON writes it.
public struct NameInText: Sendable {
    private let forms: Set<String>

    /// - Parameter name: as it was typed.
    public init(_ name: String) {
        let key = PersonName.key(name)
        let inJSON = (try? JSONText.encode(key)).map { PersonName.key(String($0.dropFirst().dropLast())) }
        forms = Set([key, inJSON].compactMap { $0 }.filter { !$0.isEmpty })
    }

    /// Whether the text mentions the name.
    public func isIn(_ text: String) -> Bool {
        let text = PersonName.key(text)
        return forms.contains { text.contains($0) }
    }
}
