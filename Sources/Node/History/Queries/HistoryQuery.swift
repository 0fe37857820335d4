import Contract
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
                schema: try count("PRAGMA user_version"),
                madeUp: try Meta.value(.madeUp, in: db) == nil ? nil : true)
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
    /// - Returns: how many were passed on, and how many there are.
    /// - Throws: ``HistoryError``, or the error of `each`.
    @discardableResult
    public func sessions(
        _ filter: HistoryFilter = HistoryFilter(), each: (SessionRow) throws -> Void
    ) throws -> RowCount {
        try read { db in
            guard try filter.zone == nil || db.tableExists("day_zone") else { return RowCount(shown: 0, found: 0) }
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
            return try count(filter, condition, shown: (filter.limit ?? .max) - left, in: db)
        }
    }

    /// Counts sessions. Whether corrections left anything of an action is looked up where there are corrections.
    private func count(
        _ filter: HistoryFilter, _ condition: SQLCondition, shown: Int, in db: Database
    ) throws -> RowCount {
        guard let limit = filter.limit, shown >= limit else { return RowCount(shown: shown, found: shown) }
        var count = RowCount(
            shown: shown, found: try db.rowCount("FROM session WHERE \(condition.sql)", condition.arguments))
        guard count.isCut, count.found <= RowCount.maximum, let action = filter.action else { return count }
        let sql = """
            SELECT * FROM session WHERE \(condition.sql) AND id IN (SELECT session FROM \(try SetCorrection.table(in: db)))
            """
        let reader = try SessionReader(db)
        let rows = try Row.fetchCursor(db, sql: sql, arguments: condition.arguments)
        while let row = try rows.next() {
            if try !reader.session(row).holds(action) { count.found -= 1 }
        }
        return count
    }

    /// The sessions as one list; for a bounded number of them.
    ///
    /// - Throws: ``HistoryError``.
    public func sessions(_ filter: HistoryFilter = HistoryFilter()) throws -> [SessionRow] {
        var rows: [SessionRow] = []
        try sessions(filter) { rows.append($0) }
        return rows
    }

    /// The session with this id; `nil` if there is none.
    ///
    /// - Throws: ``HistoryError``.
    public func session(_ id: String) throws -> SessionRow? { try read { try SessionRow.fetch(id, in: $0) } }

    /// Totals of each action, most frames first. All rows: the filter's limit does not apply.
    ///
    /// - Throws: ``HistoryError``.
    public func actions(_ filter: HistoryFilter = HistoryFilter()) throws -> [ActionRow] {
        let zone = try timeZone()
        return try read { db in
            let span = filter.span(zone)
            let condition = span.condition(filter, labels: true)
            let sql = """
                SELECT label, max(0, total(frames)) AS frames, max(0, total(seconds)) AS seconds,
                  CASE WHEN count(reps) > 0 THEN max(0, total(reps)) END AS reps, count(DISTINCT day) AS days
                FROM day_action WHERE \(condition.sql) GROUP BY label
                """
            let whole = try Row.fetchAll(db, sql: sql, arguments: condition.arguments).map { row in
                ActionRow(
                    label: row.text("label"), frames: row.integer("frames"), seconds: row.number("seconds"),
                    reps: row.optionalInteger("reps"), days: row.integer("days"))
            }
            var rows = Dictionary(whole.map { ($0.label, $0) }) { $1 }
            for part in span.parts {
                try ActionRow.add(PartTotals.rows(part, camera: filter.camera, in: db), to: &rows, filter.action)
            }
            return rows.values.map(\.rounded).sorted { ($1.frames, $0.label) < ($0.frames, $1.label) }
        }
    }

    /// Totals by day and camera, oldest first; with a limit the newest. The days at the ends of the span hold what lies in
    /// the span. In another time zone than the node's own they are the sums of the sessions that began on each day.
    ///
    /// - Returns: the rows, and how many there are without the limit.
    /// - Throws: ``HistoryError``.
    public func newestDays(_ filter: HistoryFilter = HistoryFilter()) throws -> (rows: [DayRow], count: RowCount) {
        let own = try timeZone()
        return try read { db in
            guard try filter.zone == nil || db.tableExists("day_zone") else {
                return ([], RowCount(shown: 0, found: 0))
            }
            if let zone = filter.timeZone, let own, own.identifier != zone.identifier {
                return try MovedDays.rows(filter, zone, in: db)
            }
            let span = filter.span(own)
            let parts = try span.parts.flatMap { part in
                try PartTotals.rows(part, camera: filter.camera, in: db).filter { $0.fits(filter) }
            }
            var (rows, count) = try (DayRow.heads(filter, span, in: db) + parts)
                .sorted { ($0.day, $0.camera) < ($1.day, $1.camera) }.newest(filter.limit)
            try DayRow.addTotals(to: &rows, except: Set(span.parts.map(\.day)), in: db)
            return (rows.map { $0.limited(to: filter) }, count)
        }
    }

    /// The rows of ``newestDays(_:)``.
    ///
    /// - Throws: ``HistoryError``.
    public func days(_ filter: HistoryFilter = HistoryFilter()) throws -> [DayRow] { try newestDays(filter).rows }

    /// The days at the ends of a filter's span of which only a part lies in it.
    ///
    /// - Throws: ``HistoryError``.
    public func partialDays(_ filter: HistoryFilter) throws -> [(day: String, start: Date, end: Date)] {
        filter.span(try timeZone()).parts.map { ($0.day, $0.start, $0.end) }
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
