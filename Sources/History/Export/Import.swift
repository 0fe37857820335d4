import Foundation
import GRDB
import Records

/// What an import added, and what it left unchanged.
public struct ImportReport: Sendable, Codable, Equatable {
    /// The rows that were added, by table.
    public var added: [String: Int] = [:]
    /// The rows that existed already, by table.
    public var present: [String: Int] = [:]
    /// The sessions that were open when the export was written. They are not imported; a later export has their end.
    public var openSessions = 0
    /// The sessions that were deleted on this node earlier, and stay deleted.
    public var deletedSessions = 0
    /// The workouts that went on when the export was written. They are not imported.
    public var openWorkouts = 0

    enum CodingKeys: String, CodingKey {
        case added, present
        case openSessions = "open_sessions"
        case deletedSessions = "deleted_sessions"
        case openWorkouts = "open_workouts"
    }
}

/// Why a row of an export cannot be imported. Nothing of the export was imported then.
public struct ImportError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let reason: String

    /// An error with this reason.
    public init(_ reason: String) { self.reason = reason }

    public var description: String {
        "\(reason); nothing was imported: give an export of `spotter export`, whole and unchanged"
    }
}

extension Store {
    /// Adds an export to the history, in one transaction. Existing rows stay as they are, so importing twice has no
    /// further effect: a session, a workout and a rollup are identified by their ids, a day by its date and camera, a
    /// prediction by its moment, camera and person.
    ///
    /// Importing publishes nothing and leaves positions, cursors and the epoch unchanged. The node that recorded the
    /// sessions has already published them under the same ids and revisions.
    ///
    /// Every row is checked by ``ImportCheck`` before it is stored. If you can read an export twice, check all of it
    /// first.
    /// - Parameter next: returns the rows in the order of an export; `nil` at the end.
    /// - Throws: ``ImportError``, ``HistoryError``, or the error of `next`; nothing was then changed.
    public func importing(_ next: () throws -> ExportRow?) throws -> ImportReport {
        do {
            return try pool.write { db in
                var importer = try Importer(
                    db, idleMilliseconds: SessionDeletion.idleMilliseconds(settings.sessionIdle))
                while let row = try next() { try importer.insert(row) }
                return try importer.finish()
            }
        } catch let error as DatabaseError {
            throw HistoryError(error, path: path)
        }
    }
}

/// Imports the rows of one export inside one transaction.
private struct Importer {
    /// A row's values as the database stores them, by column.
    private typealias Values = [String: (any DatabaseValueConvertible)?]

    private let db: Database
    private let idleMilliseconds: Int64
    private var report = ImportReport()
    private var check = ImportCheck()

    /// - Parameter idleMilliseconds: how long after its last exercise a session was still open.
    init(_ db: Database, idleMilliseconds: Int64) throws {
        self.db = db
        self.idleMilliseconds = idleMilliseconds
        // A row that belongs to a session, day or rollup is imported only together with it.
        try db.execute(
            sql: """
                CREATE TEMP TABLE IF NOT EXISTS taken(kind TEXT, key TEXT, PRIMARY KEY(kind, key)) WITHOUT ROWID;
                DELETE FROM temp.taken;
                CREATE TEMP TABLE IF NOT EXISTS forgotten(camera TEXT, track INTEGER, from_ms INTEGER, to_ms INTEGER);
                DELETE FROM temp.forgotten;
                """)
    }

    mutating func insert(_ row: ExportRow) throws {
        try check.check(row)
        let values = try stored(row)
        switch row.table {
        case .about: break
        case .sessions: try insertSession(row, values)
        case .sessionActions, .sessionExcluded, .sets, .corrections:
            try insertPart(row, values, of: "session", key: row["session"])
        case .days: try insertHead("day", key: dayKey(row), row, values)
        case .dayActions, .dayExcluded, .dayZones: try insertPart(row, values, of: "day", key: dayKey(row))
        case .rollups: try insertHead("rollup", key: row["id"], row, values, also: ("dirty", 0))
        case .rollupActions: try insertPart(row, values, of: "rollup", key: row["rollup"])
        case .workouts: try insertWorkout(row, values)
        case .workoutSteps: try insertPart(row, values, of: "workout", key: row["workout"])
        case .predictions: try insertPrediction(row, values)
        }
    }

    mutating func finish() throws -> ImportReport {
        try check.finish()
        return report
    }

    private mutating func insertSession(_ row: ExportRow, _ values: Values) throws {
        guard row["end_reason"] != .none else {
            report.openSessions += 1
            return
        }
        guard case .text(let id) = row["id"], try !SessionDeletion.isDeleted(id, in: db) else {
            report.deletedSessions += 1
            return try forget(values)
        }
        try insertHead("session", key: row["id"], row, values)
    }

    private mutating func insertWorkout(_ row: ExportRow, _ values: Values) throws {
        guard row["end_reason"] != .none else { return report.openWorkouts += 1 }
        try insertHead("workout", key: row["id"], row, values)
    }

    /// Predictions of a person whose session was deleted must not come back either.
    private func forget(_ session: Values) throws {
        let sql = "INSERT INTO temp.forgotten(camera, track, from_ms, to_ms) VALUES(:camera, :track, :start, :end)"
        try db.execute(sql: sql, arguments: StatementArguments(session))
    }

    /// Inserts a row that others belong to, unless one with its key exists.
    private mutating func insertHead(
        _ kind: String, key: ExportValue, _ row: ExportRow, _ values: Values,
        also extra: (column: String, value: Int)? = nil
    ) throws {
        let isNew = try insert(row.table, values, also: extra)
        count(row.table, isNew: isNew)
        guard isNew, case .text(let key) = key else { return }
        try db.execute(sql: "INSERT OR IGNORE INTO temp.taken(kind, key) VALUES(?, ?)", arguments: [kind, key])
    }

    private mutating func insertPart(
        _ row: ExportRow, _ values: Values, of kind: String, key: ExportValue
    ) throws {
        guard case .text(let key) = key else { throw ImportError("a row of \(row.table.rawValue) belongs to nothing") }
        let isWanted = try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT 1 FROM temp.taken WHERE kind = ? AND key = ?"), arguments: [kind, key])
        count(row.table, isNew: try isWanted == true && insert(row.table, values))
    }

    private mutating func insertPrediction(_ row: ExportRow, _ values: Values) throws {
        let person: StatementArguments = [
            "camera": values["camera"] ?? nil, "track": values["track"] ?? nil, "end": values["end"] ?? nil,
            "idle": idleMilliseconds,
        ]
        let isForgotten = try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT 1 FROM temp.forgotten f
                    WHERE camera = :camera AND track = :track AND :end BETWEEN from_ms AND to_ms + :idle
                      AND (:end <= to_ms OR NOT EXISTS (
                        SELECT 1 FROM session o WHERE o.camera = :camera AND o.track = :track
                          AND o.start_ms > f.from_ms AND o.start_ms <= :end))
                    """), arguments: person)
        if isForgotten == true { return }
        for column in ["camera", "label"] {
            guard case .text(let name) = row[column] else { continue }
            try db.cachedStatement(sql: "INSERT INTO name(text) VALUES(?) ON CONFLICT DO NOTHING")
                .execute(arguments: [name])
        }
        let sql = """
            INSERT OR IGNORE INTO prediction(end_ms, camera, track, label, confidence, frames)
            VALUES(:end, (SELECT id FROM name WHERE text = :camera), :track,
              (SELECT id FROM name WHERE text = :label), CAST(round(:confidence * 1000) AS INTEGER), :frames)
            """
        try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(values))
        count(row.table, isNew: db.changesCount > 0)
    }

    /// - Returns: whether the row was new.
    private func insert(
        _ table: ExportTable, _ values: Values, also extra: (column: String, value: Int)? = nil
    ) throws -> Bool {
        guard let place = table.place else { return false }
        var columns = table.columns.map(\.source)
        var marks = table.columns.map { ":\($0.name)" }
        if let extra {
            columns.append(extra.column)
            marks.append(String(extra.value))
        }
        let sql = """
            INSERT OR IGNORE INTO \(place.table)(\(columns.joined(separator: ", ")))
            VALUES(\(marks.joined(separator: ", ")))
            """
        try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(values))
        return db.changesCount > 0
    }

    /// The row's values as the database stores them, by column.
    private func stored(_ row: ExportRow) throws -> Values {
        var values: Values = [:]
        for (column, value) in zip(row.table.columns, row.values) {
            values[column.name] = .some(try column.stored(value, in: row.table))
        }
        return values
    }

    private func dayKey(_ row: ExportRow) -> ExportValue {
        guard case .text(let day) = row["day"], case .text(let camera) = row["camera"] else { return .none }
        return .text("\(day) \(camera)")
    }

    private mutating func count(_ table: ExportTable, isNew: Bool) {
        if isNew {
            report.added[table.rawValue, default: 0] += 1
        } else {
            report.present[table.rawValue, default: 0] += 1
        }
    }
}

extension ExportTable.Column {
    /// - Throws: ``ImportError`` for a value of another type, or for a missing value that is required.
    fileprivate func stored(_ value: ExportValue, in table: ExportTable) throws -> (any DatabaseValueConvertible)? {
        switch (kind, value) {
        case (_, .none) where isOptional: return nil
        case (.text, .text(let text)): return text
        case (.integer, .integer(let number)): return number
        case (.number, .number(let number)) where number.isFinite: return number
        case (.number, .integer(let number)): return Double(number)
        case (.moment, .text(let text)):
            if let moment = Timestamp.date(text: text) { return Timestamp.milliseconds(moment) }
        default: break
        }
        throw ImportError("'\(name)' of a row of \(table.rawValue) is missing or not what belongs there")
    }
}
