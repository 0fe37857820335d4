import Foundation
import GRDB
import Records
import Workouts

/// Imports the rows of one export inside one transaction.
struct Importer {
    private let db: Database
    private let idleMilliseconds: Int64
    private var report = ImportReport()
    private var check = ImportCheck()
    private var statements: [ExportTable: Statement] = [:]
    /// The numbers of cameras and labels in `name`.
    private var names: [String: Int64] = [:]
    private var hasForgotten = false
    /// The head that was asked for last, and whether it is new. Parts come side by side.
    private var lastHead: (kind: String, key: String, isNew: Bool)?
    private var days: ImportedDays
    private var corrections: ImportedCorrections

    /// - Parameters:
    ///   - idleMilliseconds: how long after its last exercise a session was still open.
    ///   - timeZone: the time zone by whose midnights the history divides its days.
    init(_ db: Database, idleMilliseconds: Int64, timeZone: TimeZone) throws {
        self.db = db
        self.idleMilliseconds = idleMilliseconds
        days = ImportedDays(db, timeZone: timeZone)
        corrections = ImportedCorrections(db, timeZone: timeZone)
        // A row that belongs to a session, day or rollup is imported only together with it. All that came are noted.
        try db.execute(
            sql: """
                CREATE TEMP TABLE IF NOT EXISTS taken(
                  kind TEXT, key TEXT, is_new INTEGER NOT NULL, rev INTEGER, PRIMARY KEY(kind, key)) WITHOUT ROWID;
                DELETE FROM temp.taken;
                CREATE TEMP TABLE IF NOT EXISTS forgotten(camera TEXT, track INTEGER, from_ms INTEGER, to_ms INTEGER);
                CREATE INDEX IF NOT EXISTS temp.forgotten_person ON forgotten(camera, track, from_ms);
                DELETE FROM temp.forgotten;
                """)
    }

    mutating func insert(_ row: ExportRow) throws {
        try check.check(row)
        switch row.table {
        case .about: try refuseMixture(row)
        case .sessions: try insertSession(row)
        case .sessionActions, .sessionExcluded: try insertPart(row, of: "session", key: row["session"])
        case .sets:
            try corrections.note(set: row)
            try insertPart(row, of: "session", key: row["session"])
        case .corrections:
            corrections.note(correction: row)
            try insertPart(row, of: "session", key: row["session"])
        case .days:
            try applyCorrections()
            try insertDay(row)
        case .dayActions, .dayExcluded, .dayZones: try insertPart(row, of: "day", key: dayKey(row))
        case .rollups: try insertRollup(row)
        case .rollupActions: try insertPart(row, of: "rollup", key: row["rollup"])
        case .workouts: try insertWorkout(row)
        case .workoutSteps: try insertStep(row)
        case .absences:
            // The node's next look at the camera decides about one that has not ended.
            guard row["end"] != .none else { return count(.absences, isNew: false) }
            count(.absences, isNew: try store(row))
        case .alarms:
            // One that is open belongs to the floor that the other node sees.
            let isOver = row["ended"] != .none || row["acknowledged"] != .none
            count(.alarms, isNew: try isOver && store(row))
        case .occupancy, .occupancyZones: count(row.table, isNew: try store(row))
        case .predictions: try insertPrediction(row)
        case .questions: try insertQuestion(row)
        case .questionPools: count(.questionPools, isNew: try store(row))
        }
    }

    /// Stores the corrections of sessions that were there, before the totals of days come.
    private mutating func applyCorrections() throws {
        let changed = try corrections.apply()
        guard changed.sets > 0 else { return }
        report.changedSets += changed.sets
        let table = ExportTable.corrections.rawValue
        report.added[table, default: 0] += changed.corrections
        report.present[table, default: 0] -= changed.corrections
        report.changedDays += changed.days
    }

    /// What was made up is not added to what was seen, nor the other way round.
    private func refuseMixture(_ about: ExportRow) throws {
        let (isMadeUp, fits) = (about["made_up"] == .integer(1), try Meta.value(.madeUp, in: db) != nil)
        guard isMadeUp != fits else { return }
        throw ImportError(
            isMadeUp ? "it is an export of a made-up history" : "it was not made up, and the history was",
            advice: isMadeUp
                ? "name a made-up history with --database, such as one of `spotter setup --demo --folder`"
                : "name another history with --database")
    }

    mutating func finish() throws -> ImportReport {
        try check.finish()
        try applyCorrections()
        report.changedDays += try days.addSessions()
        try db.execute(sql: "DROP TABLE temp.taken; DROP TABLE temp.forgotten")
        return report
    }
}

// MARK: - Heads

extension Importer {
    private mutating func insertSession(_ row: ExportRow) throws {
        guard row["end_reason"] != .none else {
            report.openSessions += 1
            return try note("session", row["id"], isNew: false, of: row)
        }
        guard case .text(let id) = row["id"], try !SessionDeletion.isDeleted(id, in: db) else {
            report.deletedSessions += 1
            try note("session", row["id"], isNew: false, of: row)
            return try forget(row)
        }
        try insertHead("session", key: row["id"], row)
        try corrections.note(session: row)
    }

    private mutating func insertWorkout(_ row: ExportRow) throws {
        guard row["end_reason"] != .none else {
            report.openWorkouts += 1
            return try note("workout", row["id"], isNew: false, of: row)
        }
        try insertHead("workout", key: row["id"], row)
    }

    /// Predictions of a person whose session was deleted must not come back either.
    private mutating func forget(_ session: ExportRow) throws {
        hasForgotten = true
        let person = [
            try Self.stored(session["camera"]), try Self.stored(session["track"]), try Self.moment(session["start"]),
            try Self.moment(session["end"]),
        ]
        try db.cachedStatement(sql: "INSERT INTO temp.forgotten(camera, track, from_ms, to_ms) VALUES(?, ?, ?, ?)")
            .execute(arguments: StatementArguments(person))
    }

    /// Inserts a row that others belong to, unless one with its key exists.
    private mutating func insertHead(_ kind: String, key: ExportValue, _ row: ExportRow) throws {
        let isNew = try store(row)
        count(row.table, isNew: isNew)
        try note(kind, key, isNew: isNew, of: row)
    }

    /// Inserts the totals of a day, also in place of older ones; see ``ImportedDays``.
    private mutating func insertDay(_ row: ExportRow) throws {
        if case .text(let day) = row["day"], case .text(let camera) = row["camera"], case .integer(let rev) = row["rev"]
        {
            try days.makeRoom(for: DayCamera(day: day, camera: camera), revision: rev)
        }
        try insertHead("day", key: dayKey(row), row)
    }

    /// Inserts five-minute sums, also in place of an earlier revision of the same.
    private mutating func insertRollup(_ row: ExportRow) throws {
        try db.cachedStatement(sql: "DELETE FROM rollup WHERE id = ? AND rev < ?")
            .execute(arguments: [try Self.stored(row["id"]), try Self.stored(row["rev"])])
        try insertHead("rollup", key: row["id"], row)
    }

    /// Remembers that a row came to which others may belong.
    private func note(_ kind: String, _ key: ExportValue, isNew: Bool, of row: ExportRow) throws {
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO temp.taken(kind, key, is_new, rev) VALUES(?, ?, ?, ?)")
            .execute(arguments: [kind, try Self.stored(key), isNew, try Self.stored(row["rev"])])
    }

    private func dayKey(_ row: ExportRow) -> ExportValue {
        guard case .text(let day) = row["day"], case .text(let camera) = row["camera"] else { return .none }
        return .text("\(day) \(camera)")
    }
}

// MARK: - Parts

extension Importer {
    private mutating func insertPart(_ row: ExportRow, of kind: String, key: ExportValue) throws {
        count(row.table, isNew: try isNew(kind, key, row) && store(row))
    }

    /// Whether the head that a row belongs to is new with this import. Every head stands before its rows.
    private mutating func isNew(_ kind: String, _ key: ExportValue, _ row: ExportRow) throws -> Bool {
        guard case .text(let key) = key else { throw ImportError("a row of \(row.table.rawValue) belongs to nothing") }
        if let lastHead, lastHead.key == key, lastHead.kind == kind { return lastHead.isNew }
        let found = try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT is_new FROM temp.taken WHERE kind = ? AND key = ?"), arguments: [kind, key])
        // Only the sums of a day can stand alone in a history.
        if found == nil, kind != "day" {
            throw ImportError("a row of \(row.table.rawValue) belongs to a \(kind) that is not there: '\(key)'")
        }
        let isNew = found == true
        lastHead = (kind, key, isNew)
        return isNew
    }

    /// Inserts a step with its measurements as the history keeps them.
    private mutating func insertStep(_ row: ExportRow) throws {
        guard try isNew("workout", row["workout"], row), case .text(let workout) = row["workout"],
            case .integer(let number) = row["number"], try store(row)
        else { return count(row.table, isNew: false) }
        count(row.table, isNew: true)
        try PackedWorkouts.packStep(Int(number), of: workout, in: db)
    }

    private mutating func insertPrediction(_ row: ExportRow) throws {
        if hasForgotten, try isForgotten(row) { return }
        guard case .text(let camera) = row["camera"], case .text(let label) = row["label"] else { return }
        let confidence = Double.fromDatabaseValue(try Self.stored(row["confidence"])) ?? 0
        try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO prediction(end_ms, camera, track, label, confidence, frames)
                VALUES(?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            try Self.moment(row["end"]), try id(of: camera), try Self.stored(row["track"]), try id(of: label),
            Int64((confidence * 1000).rounded()), try Self.stored(row["frames"]),
        ])
        count(row.table, isNew: db.changesCount > 0)
    }

    /// Inserts a question with its answer, unless it is there. One about a set needs the set's session.
    private mutating func insertQuestion(_ row: ExportRow) throws {
        let names = [
            "kind", "sample", "reason", "weight", "week", "camera", "session", "number", "shown", "reps", "likely",
            "model",
            "answer", "answer_reps",
        ]
        var values = try Dictionary(uniqueKeysWithValues: names.map { ($0, try Self.stored(row[$0])) })
        for name in ["start", "end", "answered"] { values[name + "_ms"] = try Self.moment(row[name]) }
        values["poses"] = PackedDigits.bytes(row["poses"]).map { Data($0).databaseValue } ?? .null
        let columns = values.keys.sorted()
        let same = ["kind", "sample", "weight", "camera", "start_ms", "end_ms", "session", "number", "likely"]
        try db.cachedStatement(
            sql: """
                INSERT INTO question(\(columns.joined(separator: ", ")))
                SELECT \(columns.map { ":" + $0 }.joined(separator: ", "))
                WHERE (:session IS NULL OR EXISTS (SELECT 1 FROM session WHERE id = :session))
                  AND NOT EXISTS (SELECT 1 FROM question WHERE \(same.map { "\($0) IS :\($0)" }.joined(separator: " AND ")))
                """
        ).execute(arguments: StatementArguments(values))
        count(.questions, isNew: db.changesCount > 0)
    }

    private func isForgotten(_ row: ExportRow) throws -> Bool {
        let person: StatementArguments = [
            "camera": try Self.stored(row["camera"]), "track": try Self.stored(row["track"]),
            "end": try Self.moment(row["end"]), "idle": idleMilliseconds,
        ]
        return try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT 1 FROM temp.forgotten f
                    WHERE camera = :camera AND track = :track AND :end BETWEEN from_ms AND to_ms + :idle
                      AND (:end <= to_ms OR NOT EXISTS (
                        SELECT 1 FROM session o WHERE o.camera = :camera AND o.track = :track
                          AND o.start_ms > f.from_ms AND o.start_ms <= :end))
                    """), arguments: person) == true
    }

    private mutating func id(of name: String) throws -> Int64 {
        if let known = names[name] { return known }
        try db.execute(sql: "INSERT INTO name(text) VALUES(?) ON CONFLICT DO NOTHING", arguments: [name])
        let id = try Int64.fetchOne(db, sql: "SELECT id FROM name WHERE text = ?", arguments: [name]) ?? 0
        names[name] = id
        return id
    }
}

// MARK: - Rows

extension Importer {
    /// Inserts a row as it is.
    ///
    /// - Returns: whether it was new.
    private mutating func store(_ row: ExportRow) throws -> Bool {
        guard let statement = try statement(row.table) else { return false }
        let columns = row.table.columns
        var arguments: [DatabaseValue] = []
        arguments.reserveCapacity(columns.count)
        for place in columns.indices {
            let value = row.values[place]
            switch columns[place].kind {
            case .moment: arguments.append(try Self.moment(value))
            case .text where ["name", "nickname"].contains(columns[place].name): arguments.append(Self.name(value))
            default: arguments.append(try Self.stored(value))
            }
        }
        statement.setUncheckedArguments(StatementArguments(arguments))
        try statement.execute()
        return db.changesCount > 0
    }

    private mutating func statement(_ table: ExportTable) throws -> Statement? {
        if let known = statements[table] { return known }
        guard let place = table.place else { return nil }
        var columns = table.columns.map(\.source)
        var marks = columns.map { _ in "?" }
        if table == .rollups {
            // The node that recorded it has published it.
            columns.append("dirty")
            marks.append("0")
        }
        let sql = """
            INSERT OR IGNORE INTO \(place.table)(\(columns.joined(separator: ", ")))
            VALUES(\(marks.joined(separator: ", ")))
            """
        let statement = try db.makeStatement(sql: sql)
        statements[table] = statement
        return statement
    }

    /// A checked value as the database stores it.
    private static func stored(_ value: ExportValue) throws -> DatabaseValue {
        switch value {
        case .none: .null
        case .text(let text): text.databaseValue
        case .integer(let number): number.databaseValue
        case .number(let number): number.databaseValue
        }
    }

    private static func moment(_ value: ExportValue) throws -> DatabaseValue {
        guard case .text(let text) = value else { return .null }
        guard let moment = Timestamp.milliseconds(text: text) else { throw ImportError("'\(text)' is no moment") }
        return moment.databaseValue
    }

    /// A name in its normal form.
    private static func name(_ value: ExportValue) -> DatabaseValue {
        guard case .text(let text) = value else { return .null }
        return (PersonName(text)?.text).databaseValue
    }

    private mutating func count(_ table: ExportTable, isNew: Bool) {
        if isNew {
            report.added[table.rawValue, default: 0] += 1
        } else {
            report.present[table.rawValue, default: 0] += 1
        }
    }
}
