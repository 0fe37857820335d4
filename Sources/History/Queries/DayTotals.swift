import Foundation
import GRDB
import Records

extension DayRow {
    /// Reads a day's totals.
    init(day: String, camera: String, in db: Database) throws {
        self.init(day: day, camera: camera)
        let head = try Row.fetchOne(
            db, sql: "SELECT sessions, rev FROM day_camera WHERE day = ? AND camera = ?", arguments: [day, camera])
        sessions = head?.integer("sessions") ?? 0
        rev = head?.integer("rev") ?? 0
        var days = [self]
        try DayRow.addTotals(to: &days, in: db)
        self = days[0]
    }

    /// Adds what was counted to days with their sessions. However many days there are, each table is asked once.
    static func addTotals(to days: inout [DayRow], in db: Database) throws {
        guard let first = days.map(\.day).min(), let last = days.map(\.day).max() else { return }
        let cameras = Set(days.map(\.camera))
        // Of several cameras all are read: the days of each lie side by side.
        let camera = cameras.count == 1 ? cameras.first : nil
        let places = Dictionary(
            days.enumerated().map { (DayCamera(day: $1.day, camera: $1.camera), $0) }, uniquingKeysWith: { $1 })
        func read(_ table: String, _ each: (Row, inout DayRow) -> Void) throws {
            let sql = """
                SELECT * FROM \(table) WHERE day BETWEEN ? AND ?\(camera == nil ? "" : " AND camera = ?")
                """
            let span: [String] = [first, last] + (camera.map { [$0] } ?? [])
            let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: StatementArguments(span))
            while let row = try rows.next() {
                let day = DayCamera(day: row.text("day"), camera: row.text("camera"))
                if let place = places[day] { each(row, &days[place]) }
            }
        }
        try read("day_action") { row, day in
            let label = row.text("label")
            // Less than nothing is left where a correction took frames that the day before holds.
            day.frames[label] = max(0, row.integer("frames"))
            day.seconds[label] = max(0, row.number("seconds")).rounded(decimals: 3)
            day.reps[label] = row.optionalInteger("reps").map { max(0, $0) }
        }
        try read("day_excluded") { row, day in day.excludedFrames[row.text("reason")] = row.integer("frames") }
        guard try db.tableExists("day_zone") else { return }
        try read("day_zone") { row, day in
            guard row.integer("sets") > 0 else { return }
            day.zones = (day.zones ?? [:]).merging([row.text("zone"): ZoneUse(row)]) { $1 }
        }
    }
}

extension HistoryQuery {
    /// Totals by day in another time zone than the node's own: the sums of the sessions that began on each day.
    func days(_ filter: HistoryFilter, movedTo zone: TimeZone) throws -> [DayRow] {
        var sums = MovedDays(zone: zone)
        var sessions = filter
        (sessions.action, sessions.limit) = (nil, nil)
        try read { db in
            guard try filter.zone == nil || db.tableExists("day_zone") else { return }
            try sums.add(sessions, in: db)
        }
        return sums.days.values.map(\.rounded).filter { row in filter.action.map { row.seconds[$0] != nil } ?? true }
            .sorted { ($0.day, $0.camera) < ($1.day, $1.camera) }
    }
}

/// The sums of sessions on the days of some time zone. SQLite adds up what lies between two changes of the zone's offset.
private struct MovedDays {
    let zone: TimeZone
    var days: [DayCamera: DayRow] = [:]

    init(zone: TimeZone) { self.zone = zone }

    mutating func add(_ filter: HistoryFilter, in db: Database) throws {
        let corrections = try SetCorrection.table(in: db)
        for (span, offset) in try spans(filter, in: db) {
            var part = filter
            (part.since, part.until) = (span.start, span.end)
            let condition = try part.condition(in: db)
            let day = "(start_ms + \(offset)) / 86400000"
            let plain = "\(condition.sql) AND id NOT IN (SELECT session FROM \(corrections))"
            try each(
                "SELECT \(day) AS d, camera, count(*) AS sessions FROM session WHERE \(condition.sql) GROUP BY d, camera",
                condition, in: db
            ) { row, day in day.sessions += row.integer("sessions") }
            try each(
                """
                SELECT \(day) AS d, camera, label, sum(frames) AS frames, sum(seconds) AS seconds, sum(reps) AS reps
                FROM session CROSS JOIN session_action ON session_action.session = session.id
                WHERE \(plain) GROUP BY d, camera, label
                """, condition, in: db
            ) { row, day in
                let label = row.text("label")
                day.frames[label, default: 0] += row.integer("frames")
                day.seconds[label, default: 0] += row.number("seconds")
                if let reps = row.optionalInteger("reps") { day.reps[label, default: 0] += reps }
            }
            try each(
                """
                SELECT \(day) AS d, camera, reason, sum(frames) AS frames FROM session CROSS JOIN session_excluded
                  ON session_excluded.session = session.id WHERE \(condition.sql) GROUP BY d, camera, reason
                """, condition, in: db
            ) { row, day in day.excludedFrames[row.text("reason"), default: 0] += row.integer("frames") }
            // What people corrected is worked out session by session.
            let reader = try SessionReader(db)
            let corrected = "\(condition.sql) AND id IN (SELECT session FROM \(corrections))"
            try each("SELECT *, \(day) AS d FROM session WHERE \(corrected)", condition, in: db) { row, day in
                for action in try reader.session(row).actions { day.add(action) }
            }
        }
    }

    /// The stretches of the filter's span in which the zone has one offset from UTC, and that in milliseconds.
    private func spans(_ filter: HistoryFilter, in db: Database) throws -> [(span: DateInterval, offset: Int64)] {
        let bounds = try Row.fetchOne(db, sql: "SELECT min(start_ms) AS first, max(start_ms) AS last FROM session")
        guard let bounds, bounds.optionalInteger("first") != nil else { return [] }
        var start = Timestamp.date(milliseconds: bounds.moment("first"))
        var end = Timestamp.date(milliseconds: bounds.moment("last") + 1)
        start = max(start, filter.since ?? start)
        end = min(end, filter.until ?? end)
        var spans: [(DateInterval, Int64)] = []
        while start < end {
            let change = zone.nextDaylightSavingTimeTransition(after: start).map { min($0, end) } ?? end
            let next = change > start ? change : end
            spans.append((DateInterval(start: start, end: next), Int64(zone.secondsFromGMT(for: start)) * 1000))
            start = next
        }
        return spans
    }

    /// Passes rows to `body` together with their day and camera.
    private mutating func each(
        _ sql: String, _ condition: SQLCondition, in db: Database, _ body: (Row, inout DayRow) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(db, sql: sql, arguments: condition.arguments)
        while let row = try rows.next() {
            let midday = Timestamp.text(milliseconds: row.moment("d") * 86_400_000 + 43_200_000)
            let key = DayCamera(day: String(midday.prefix(10)), camera: row.text("camera"))
            try body(row, &days[key, default: DayRow(day: key.day, camera: key.camera)])
        }
    }
}
