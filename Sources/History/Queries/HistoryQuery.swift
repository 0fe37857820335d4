import Foundation
import GRDB
import Records

/// Queries on a history. Reading neither disturbs the writer nor waits for it.
public struct HistoryQuery: Sendable {
    let reader: any DatabaseReader
    let path: String

    init(reader: any DatabaseReader, path: String) {
        self.reader = reader
        self.path = path
    }

    /// Opens a history for reading only. A node may be writing it at the same time, and a newer spotter may have
    /// written it.
    ///
    /// - Throws: ``HistoryError/missing(path:)``, ``HistoryError/unreadable(path:reason:)``,
    ///   ``HistoryError/notReadable(path:reason:)``.
    public init(path: String) throws {
        guard access(path, R_OK) == 0 else {
            let code = errno
            let isMissing = code == ENOENT || code == ENOTDIR
            let reason = String(cString: strerror(code))
            throw isMissing ? HistoryError.missing(path: path) : .notReadable(path: path, reason: reason)
        }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        do {
            reader = try Self.open(path, configuration)
        } catch let error as DatabaseError where error.isRefusal {
            throw HistoryError.notReadable(path: path, reason: error.reason)
        } catch {
            throw HistoryError(error, path: path, opening: true)
        }
        self.path = path
    }

    /// Ends what is being read now, from another thread; that question fails. Does nothing while nothing is read.
    public func interrupt() { reader.interrupt() }

    /// The history's node, and how much it contains.
    ///
    /// - Throws: ``HistoryError``.
    public func summary() throws -> HistorySummary {
        try read { db in
            let count = { (sql: String) in try Int.fetchOne(db, sql: sql) ?? 0 }
            return HistorySummary(
                node: try Meta.value(.nodeId, in: db) ?? "", epoch: try Meta.value(.epoch, in: db) ?? "",
                timeZone: try Meta.value(.timeZone, in: db), sessions: try count("SELECT count(*) FROM session"),
                openSessions: try count("SELECT count(*) FROM session WHERE end_reason IS NULL"),
                // Counting predictions would read the whole table, which has millions of rows.
                predictionsSince: try Int64.fetchOne(db, sql: "SELECT min(end_ms) FROM prediction")
                    .map(Timestamp.text(milliseconds:)),
                lastSeq: try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'record'") ?? 0,
                schema: try count("PRAGMA user_version"))
        }
    }

    /// The time zone whose midnights separate the days; `nil` if none is stored.
    ///
    /// - Throws: ``HistoryError``.
    public func timeZone() throws -> TimeZone? {
        try read { try Meta.value(.timeZone, in: $0) }.flatMap(TimeZone.init(identifier:))
    }

    /// The name of the model that was chosen for the node instead of the configured one; `nil` for none.
    ///
    /// - Throws: ``HistoryError``.
    public func chosenModel() throws -> String? {
        try read { try Meta.value(.model, in: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Passes sessions to `each`, newest first. Memory use does not grow with their number.
    ///
    /// - Throws: ``HistoryError``, or the error of `each`.
    public func sessions(_ filter: SessionFilter = SessionFilter(), each: (SessionRow) throws -> Void) throws {
        try read { db in
            guard try filter.zone == nil || db.tableExists("day_zone") else { return }
            let condition = try filter.condition(in: db)
            // Only the session itself says whether its corrections left anything of an action.
            let limit = filter.action == nil ? filter.limit ?? -1 : -1
            let sql = "SELECT * FROM session WHERE \(condition.sql) ORDER BY start_ms DESC, id DESC LIMIT ?"
            let rows = try Row.fetchCursor(db, sql: sql, arguments: condition.arguments + [limit])
            let reader = try SessionReader(db)
            var left = filter.limit ?? .max
            while left > 0, let row = try rows.next() {
                let session = try reader.session(row)
                if let action = filter.action, !session.holds(action) { continue }
                try each(session)
                left -= 1
            }
        }
    }

    /// The sessions as one list; for a bounded number of them.
    ///
    /// - Throws: ``HistoryError``.
    public func sessions(_ filter: SessionFilter = SessionFilter()) throws -> [SessionRow] {
        var rows: [SessionRow] = []
        try sessions(filter) { rows.append($0) }
        return rows
    }

    /// The session with this id; `nil` if there is none.
    ///
    /// - Throws: ``HistoryError``.
    public func session(_ id: String) throws -> SessionRow? { try read { try SessionRow.fetch(id, in: $0) } }

    /// Totals of each action over whole days, most frames first.
    ///
    /// - Throws: ``HistoryError``.
    public func actions(_ filter: DayFilter = DayFilter()) throws -> [ActionRow] {
        try read { db in
            let condition = filter.condition(labels: true)
            let sql = """
                SELECT label, max(0, total(frames)) AS frames, max(0, total(seconds)) AS seconds,
                  CASE WHEN count(reps) > 0 THEN max(0, total(reps)) END AS reps, count(DISTINCT day) AS days
                FROM day_action WHERE \(condition.sql) GROUP BY label ORDER BY frames DESC, label LIMIT ?
                """
            return try Row.fetchAll(db, sql: sql, arguments: condition.arguments + [filter.limit ?? -1]).map { row in
                ActionRow(
                    label: row.text("label"), frames: row.integer("frames"),
                    seconds: row.number("seconds").rounded(decimals: 3), reps: row.optionalInteger("reps"),
                    days: row.integer("days"))
            }
        }
    }

    /// Frames that were not counted, by reason, over whole days.
    ///
    /// - Throws: ``HistoryError``.
    public func excludedFrames(_ filter: DayFilter = DayFilter()) throws -> [String: Int] {
        try read { db in
            let condition = filter.condition(labels: false)
            let sql = "SELECT reason, total(frames) AS frames FROM day_excluded WHERE \(condition.sql) GROUP BY reason"
            return try Row.fetchAll(db, sql: sql, arguments: condition.arguments)
                .reduce(into: [:]) { $0[$1.text("reason")] = $1.integer("frames") }
        }
    }

    /// Totals by day and camera, oldest first. With a `limit`, the newest of them. In another time zone than the node's own
    /// they are the sums of the sessions that began on each day.
    ///
    /// - Throws: ``HistoryError``.
    public func days(_ filter: DayFilter = DayFilter()) throws -> [DayRow] {
        if let zone = filter.timeZone, let own = try timeZone(), own.identifier != zone.identifier {
            return try days(filter, movedTo: zone)
        }
        return try read { db in
            guard try filter.zone == nil || db.tableExists("day_zone") else { return [] }
            let condition = filter.condition(labels: false)
            let labels =
                filter.action == nil ? "" : " AND (day, camera) IN (SELECT day, camera FROM day_action WHERE label = ?)"
            let zones =
                filter.zone == nil
                ? "" : " AND (day, camera) IN (SELECT day, camera FROM day_zone WHERE zone = ? AND sets > 0)"
            let sql = """
                SELECT * FROM day_camera WHERE \(condition.sql)\(labels)\(zones)
                ORDER BY day DESC, camera DESC LIMIT ?
                """
            let named = [filter.action, filter.zone].compactMap { $0 }
            let all = condition.arguments + StatementArguments(named) + [filter.limit ?? -1]
            var days = try Row.fetchAll(db, sql: sql, arguments: all).map { row in
                var day = DayRow(day: row.text("day"), camera: row.text("camera"))
                (day.sessions, day.rev) = (row.integer("sessions"), row.integer("rev"))
                return day
            }
            try DayRow.addTotals(to: &days, in: db)
            return days.reversed()
        }
    }

    /// One day of one camera; empty totals if nothing is stored.
    ///
    /// - Throws: ``HistoryError``.
    public func day(_ day: String, camera: String) throws -> DayRow {
        try read { try DayRow(day: day, camera: camera, in: $0) }
    }

    func read<T>(_ value: (Database) throws -> T) throws -> T {
        do {
            return try reader.read(value)
        } catch let error as DatabaseError {
            throw HistoryError(error, path: path, opening: true)
        }
    }

    /// Opens the database. SQLite cannot create its shared memory when no writer runs and the directory is not
    /// writable. If the log is empty, the file is then opened as immutable.
    private static func open(_ path: String, _ configuration: Configuration) throws -> DatabaseQueue {
        DatabaseFiles.undoInterruptedImport(path)
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM meta") }
            return queue
        } catch let error as DatabaseError where error.isRefusal {
            var log = stat()
            let isAtRest = ["-wal", "-journal"].allSatisfy { stat(path + $0, &log) != 0 || log.st_size == 0 }
            guard isAtRest, let name = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) else {
                throw error
            }
            return try DatabaseQueue(path: "file:\(name)?immutable=1", configuration: configuration)
        }
    }
}

extension DatabaseError {
    /// Whether SQLite has no permission to open the file or to create its companion files.
    fileprivate var isRefusal: Bool {
        [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH].contains(resultCode)
    }
}
