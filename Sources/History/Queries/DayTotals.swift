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
    func days(_ filter: DayFilter, movedTo zone: TimeZone) throws -> [DayRow] {
        let gregorian = Calendar.gregorian(in: zone)
        let through = filter.through.flatMap(gregorian.date(ofDay:))
        let sessions = SessionFilter(
            since: filter.from.flatMap(gregorian.date(ofDay:)),
            until: through.flatMap { gregorian.date(byAdding: .day, value: 1, to: $0) }, camera: filter.camera,
            zone: filter.zone)
        var sums = MovedDays(calendar: DayCalendar(timeZone: zone))
        try read { db in
            guard try filter.zone == nil || db.tableExists("day_zone") else { return }
            try sums.add(sessions, in: db)
        }
        return sums.days.values.map(\.rounded).filter { row in filter.action.map { row.seconds[$0] != nil } ?? true }
            .sorted { ($0.day, $0.camera) < ($1.day, $1.camera) }.suffix(filter.limit ?? .max)
    }
}

/// The sums of sessions on the days of some time zone. Each session is read as a few numbers, not as a whole.
private struct MovedDays {
    var calendar: DayCalendar
    var days: [DayCamera: DayRow] = [:]

    mutating func add(_ filter: SessionFilter, in db: Database) throws {
        let condition = try filter.condition(in: db)
        let corrections = try SetCorrection.table(in: db)
        let plain = "\(condition.sql) AND id NOT IN (SELECT session FROM \(corrections))"
        try each("SELECT start_ms, camera FROM session WHERE \(condition.sql)", condition, in: db) { _, day in
            day.sessions += 1
        }
        try each(
            """
            SELECT start_ms, camera, label, frames, seconds, reps FROM session CROSS JOIN session_action
              ON session_action.session = session.id WHERE \(plain)
            """, condition, in: db
        ) { row, day in
            let label = row.text("label")
            day.frames[label, default: 0] += row.integer("frames")
            day.seconds[label, default: 0] += row.number("seconds").rounded(decimals: 3)
            if let reps = row.optionalInteger("reps") { day.reps[label, default: 0] += reps }
        }
        try each(
            """
            SELECT start_ms, camera, reason, frames FROM session CROSS JOIN session_excluded
              ON session_excluded.session = session.id WHERE \(condition.sql)
            """, condition, in: db
        ) { row, day in day.excludedFrames[row.text("reason"), default: 0] += row.integer("frames") }
        // What people corrected is worked out session by session.
        let reader = try SessionReader(db)
        let corrected = "\(condition.sql) AND id IN (SELECT session FROM \(corrections))"
        try each("SELECT * FROM session WHERE \(corrected)", condition, in: db) { row, day in
            for action in try reader.session(row).actions { day.add(action) }
        }
    }

    /// Passes rows to `body` together with the day of their `start_ms` and camera.
    private mutating func each(
        _ sql: String, _ condition: SQLCondition, in db: Database, _ body: (Row, inout DayRow) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(db, sql: sql + " ORDER BY start_ms", arguments: condition.arguments)
        while let row = try rows.next() {
            let day = calendar.day(of: Timestamp.date(milliseconds: row.moment("start_ms")))
            let key = DayCamera(day: day, camera: row.text("camera"))
            try body(row, &days[key, default: DayRow(day: key.day, camera: key.camera)])
        }
    }
}
