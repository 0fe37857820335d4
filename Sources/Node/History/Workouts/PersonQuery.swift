import Foundation
import GRDB
import Records
import Workouts

/// One name that people typed, as `spotter person list` shows it.
public struct PersonRow: Sendable, Encodable, Equatable {
    /// The name, as it was written last.
    public var name: String
    /// The other ways in which it was written, and the nicknames that were chosen with it.
    public var spellings, nicknames: [String]
    /// How many workouts have it.
    public var workouts: Int
    /// The first and the last of them: RFC 3339, UTC.
    public var first, last: String
}

extension HistoryQuery {
    /// Everybody whose name or nickname was typed for a workout, by name. A person who only chose a nickname is listed by it.
    ///
    /// - Throws: ``HistoryError``.
    public func people() throws -> [PersonRow] {
        try read { db in
            guard try db.tableExists("workout") else { return [] }
            let hasNicknames = try db.columns(in: "workout").contains { $0.name == "nickname" }
            let nickname = hasNicknames ? "nickname" : "NULL"
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT coalesce(name, \(nickname)) AS person, CASE WHEN name IS NOT NULL THEN \(nickname) END AS nickname,
                      count(*) AS workouts, min(start_ms) AS first, max(start_ms) AS last
                    FROM workout WHERE coalesce(name, \(nickname)) IS NOT NULL GROUP BY 1, 2 ORDER BY last
                    """)
            var people: [String: PersonRow] = [:]
            while let row = try rows.next() {
                people[PersonName.key(row.text("person")), default: PersonRow(row)].add(row)
            }
            return people.values.sorted { $0.name.lowercased() < $1.name.lowercased() }
        }
    }

    /// The workouts in which a name or nickname was typed, oldest first.
    ///
    /// - Throws: ``HistoryError``.
    public func workouts(ofPerson name: String) throws -> [WorkoutRow] {
        try read { db in
            guard try db.tableExists("workout") else { return [] }
            return try NameDeletion(name, told: nil).workouts(in: db)
                .compactMap { try StoredWorkouts.workout($0, in: db).map(WorkoutRow.init) }
                .sorted { ($0.body.start, $0.id) < ($1.body.start, $1.id) }
        }
    }

    /// How many records of the log and answers to commands hold a name.
    ///
    /// - Throws: ``HistoryError``.
    public func recordsAndCommands(with name: String) throws -> (records: Int, commands: Int) {
        let name = NameInText(name)
        func count(_ sql: String, in db: Database) throws -> Int {
            let texts = try String.fetchCursor(db, sql: sql)
            var count = 0
            while let text = try texts.next() { count += name.isIn(text) ? 1 : 0 }
            return count
        }
        return try read { db in
            guard try db.tableExists("cmd_seen") else { return (0, 0) }
            let records = try count(
                """
                SELECT json_array(json_extract(body, '$.name'), json_extract(body, '$.nickname')) FROM record
                WHERE type = 'workout'
                """, in: db)
            let answers = try count("SELECT id || ' ' || response FROM cmd_seen", in: db)
            return (records, answers)
        }
    }

    /// The receivers that have not confirmed everything that is recorded now, with how many records they lack. The broker
    /// itself is none.
    ///
    /// - Throws: ``HistoryError``.
    public func waitingReceivers() throws -> [(name: String, records: Int)] {
        try read { db in
            let sql = """
                SELECT consumer, (SELECT count(*) FROM record WHERE seq > acked_seq) AS waiting FROM cursor
                WHERE consumer <> ? ORDER BY consumer
                """
            return try Row.fetchAll(db, sql: sql, arguments: [RecordLog.broker])
                .map { ($0.text("consumer"), $0.integer("waiting")) }.filter { $0.1 > 0 }
        }
    }
}

extension PersonRow {
    fileprivate init(_ row: Row) {
        let first = Timestamp.text(Timestamp.date(milliseconds: row.moment("first")))
        self.init(
            name: row.text("person"), spellings: [], nicknames: [], workouts: 0, first: first, last: first)
    }

    /// Adds a spelling. The newest one comes last.
    fileprivate mutating func add(_ row: Row) {
        let spelling = row.text("person")
        if spelling != name {
            spellings = (spellings + [name]).filter { $0 != spelling }
            name = spelling
        }
        if let nickname = row.optionalText("nickname"), !nicknames.contains(nickname) { nicknames.append(nickname) }
        workouts += row.integer("workouts")
        first = min(first, Timestamp.text(Timestamp.date(milliseconds: row.moment("first"))))
        last = max(last, Timestamp.text(Timestamp.date(milliseconds: row.moment("last"))))
    }
}
