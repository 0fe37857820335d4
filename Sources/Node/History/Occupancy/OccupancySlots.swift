import GRDB
import Records

extension HistoryFilter {
    /// The condition for rows that lie in the span if they began in it, such as a quarter of an hour, and for the camera.
    ///
    /// - Parameter prefix: what stands before the columns, such as `o.`.
    func startCondition(_ prefix: String = "") -> SQLCondition {
        var condition = SQLCondition()
        condition.add("\(prefix)start_ms >= ?", since.map(Timestamp.milliseconds))
        condition.add("\(prefix)start_ms < ?", until.map(Timestamp.milliseconds))
        condition.add("\(prefix)camera = ?", camera)
        return condition
    }
}

/// The quarters of an hour of a filter, oldest first, with the cameras' absences.
struct OccupancySlots {
    /// What was seen of a camera, or of a zone of it, in one of them.
    struct Seen {
        let start: Int64
        /// The number of the camera, from 0.
        let camera: Int
        let watchedSeconds: Double
        let personSeconds: Double
        let most: Int
    }

    private(set) var rows: [Seen] = []
    /// When each camera delivered no pictures while others watched, milliseconds since 1970.
    private(set) var absences: [[Range<Int64>]] = []

    /// Reads the slots. A history from before they were stored has none.
    init(_ filter: HistoryFilter, in db: Database) throws {
        guard try db.tableExists("occupancy") else { return }
        let since = filter.since.map(Timestamp.milliseconds), until = filter.until.map(Timestamp.milliseconds)
        var condition = filter.startCondition("o.")
        condition.add("o.camera IN (SELECT camera FROM occupancy_zone WHERE zone = ?)", filter.zone)
        let cameras = try Row.fetchAll(
            db, sql: "SELECT DISTINCT o.camera AS camera FROM occupancy o WHERE \(condition.sql) ORDER BY 1",
            arguments: condition.arguments
        ).map { $0.text("camera") }
        absences = try Self.absences(cameras, since, until, in: db)
        // Numbers are read in less time than names.
        let number = cameras.indices.map { "WHEN ? THEN \($0)" }.joined(separator: " ")
        guard !cameras.isEmpty else { return }
        // The floor's most is that of all cameras at once; one camera and one zone have their own.
        var source = "o.person_seconds, \(filter.camera == nil ? "o.most_of_all" : "o.most") FROM occupancy o"
        var arguments = StatementArguments(cameras)
        if let zone = filter.zone {
            source = """
                ifnull(z.person_seconds, 0), ifnull(z.most, 0) FROM occupancy o
                  LEFT JOIN occupancy_zone z ON z.start_ms = o.start_ms AND z.camera = o.camera AND z.clock = o.clock
                    AND z.zone = ?
                """
            arguments += [zone]
        }
        let found = try Row.fetchCursor(
            db,
            sql: """
                SELECT o.start_ms, CASE o.camera \(number) END, o.watched_seconds, \(source) WHERE \(condition.sql)
                ORDER BY o.start_ms
                """, arguments: arguments + condition.arguments)
        while let row = try found.next() {
            rows.append(
                Seen(
                    start: Int64(row.number(at: 0)), camera: Int(row.number(at: 1)),
                    watchedSeconds: row.number(at: 2), personSeconds: row.number(at: 3), most: Int(row.number(at: 4))))
        }
    }

    private static func absences(
        _ cameras: [String], _ since: Int64?, _ until: Int64?, in db: Database
    ) throws -> [[Range<Int64>]] {
        guard cameras.count > 1 else { return cameras.map { _ in [] } }
        var condition = SQLCondition()
        condition.add("(end_ms IS NULL OR end_ms >= ?)", since)
        condition.add("start_ms < ?", until)
        let rows = try Row.fetchCursor(
            db, sql: "SELECT camera, start_ms, end_ms FROM camera_absence WHERE \(condition.sql)",
            arguments: condition.arguments)
        var absences: [String: [Range<Int64>]] = [:]
        while let row = try rows.next() {
            let start = row.moment("start_ms")
            let end = row.optionalInteger("end_ms") == nil ? Int64.max : row.moment("end_ms")
            absences[row.text("camera"), default: []].append(start..<max(start, end))
        }
        return cameras.map { absences[$0] ?? [] }
    }

    /// Passes the slots to `body`, each with what the cameras saw in it.
    func each(_ body: (_ start: Int64, _ seen: ArraySlice<Seen>) -> Void) {
        var place = rows.startIndex
        while place < rows.endIndex {
            let start = rows[place].start
            let end = rows[place...].firstIndex { $0.start != start } ?? rows.endIndex
            body(start, rows[place..<end])
            place = end
        }
    }
}
