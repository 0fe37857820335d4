import Contract
import Foundation
import GRDB
import Records

/// Totals by day in another time zone than the node's own: the sums of the sessions that began on each day.
struct MovedDays {
    private let db: Database
    private let filter: HistoryFilter
    private let calendar: Calendar
    private let corrections: String
    /// The day on which a row of `session` began, in days since 1970, as SQL.
    private let day: String
    private var days: [DayCamera: DayRow] = [:]

    /// The newest days of a filter, oldest first, and how many there are.
    ///
    /// Only the sessions of these days are added up, so that a table of few days takes no time in a history of years.
    static func rows(
        _ filter: HistoryFilter, _ zone: TimeZone, in db: Database
    ) throws -> (rows: [DayRow], count: RowCount) {
        var moved = try MovedDays(filter, zone, in: db)
        let found = try moved.found()
        let chosen = filter.limit.map { Array(found.suffix($0)) } ?? found
        try moved.add(since: chosen.first?.day)
        let rows = chosen.compactMap { moved.days[$0]?.rounded.limited(to: filter) }
        return (rows, RowCount(shown: rows.count, found: found.count))
    }

    private init(_ filter: HistoryFilter, _ zone: TimeZone, in db: Database) throws {
        (self.db, self.filter, calendar) = (db, filter, .gregorian(in: zone))
        corrections = try SetCorrection.table(in: db)
        day = "((start_ms + \(try Self.offset(zone, in: db))) / 86400000)"
    }

    /// A zone's offset from UTC at the beginning of a session, in milliseconds, as SQL.
    private static func offset(_ zone: TimeZone, in db: Database) throws -> String {
        let bounds = try Row.fetchOne(db, sql: "SELECT min(start_ms) AS first, max(start_ms) AS last FROM session")
        guard let bounds, bounds.optionalInteger("first") != nil else { return "0" }
        func milliseconds(_ date: Date) -> Int64 { Int64(zone.secondsFromGMT(for: date)) * 1000 }
        var start = Timestamp.date(milliseconds: bounds.moment("first"))
        let end = Timestamp.date(milliseconds: bounds.moment("last"))
        var cases: [String] = []
        while let change = zone.nextDaylightSavingTimeTransition(after: start), change > start, change <= end {
            cases.append("WHEN start_ms < \(Timestamp.milliseconds(change)) THEN \(milliseconds(start))")
            start = change
        }
        return cases.isEmpty
            ? "\(milliseconds(start))" : "(CASE \(cases.joined(separator: " ")) ELSE \(milliseconds(start)) END)"
    }

    /// The days on which a session of the filter began, oldest first.
    private func found() throws -> [DayCamera] {
        var days: Set<DayCamera> = []
        var condition = try filter.condition(in: db)
        // Only a corrected session itself says whether its corrections left anything of an action.
        let isCorrected = "id IN (SELECT session FROM \(corrections))"
        if filter.action != nil {
            let reader = try SessionReader(db)
            let sql = "SELECT *, \(day) AS d FROM session WHERE \(condition.sql) AND \(isCorrected)"
            let rows = try Row.fetchCursor(db, sql: sql, arguments: condition.arguments)
            while let row = try rows.next() {
                guard try filter.action.map({ try reader.session(row).holds($0) }) == true else { continue }
                days.insert(key(row))
            }
            condition.add("NOT \(isCorrected)")
        }
        let sql = "SELECT DISTINCT \(day) AS d, camera FROM session WHERE \(condition.sql)"
        let rows = try Row.fetchCursor(db, sql: sql, arguments: condition.arguments)
        while let row = try rows.next() { days.insert(key(row)) }
        return days.sorted { ($0.day, $0.camera) < ($1.day, $1.camera) }
    }

    private func key(_ row: Row) -> DayCamera {
        let midday = Timestamp.text(milliseconds: row.moment("d") * 86_400_000 + 43_200_000)
        return DayCamera(day: String(midday.prefix(10)), camera: row.text("camera"))
    }

    /// Adds up the sessions from a day on.
    private mutating func add(since first: String?) throws {
        guard let first else { return }
        var filter = filter
        filter.action = nil
        if filter.limit != nil, let start = calendar.date(ofDay: first) {
            filter.since = max(start, filter.since ?? start)
        }
        let condition = try filter.condition(in: db)
        try each(
            "SELECT \(day) AS d, camera, count(*) AS sessions FROM session WHERE \(condition.sql) GROUP BY d, camera",
            condition
        ) { row, day in day.sessions += row.integer("sessions") }
        try each(
            """
            SELECT \(day) AS d, camera, label, sum(frames) AS frames, sum(seconds) AS seconds, sum(reps) AS reps
            FROM session CROSS JOIN session_action ON session_action.session = session.id
            WHERE \(condition.sql) AND id NOT IN (SELECT session FROM \(corrections)) GROUP BY d, camera, label
            """, condition
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
            """, condition
        ) { row, day in day.excludedFrames[row.text("reason"), default: 0] += row.integer("frames") }
        // What people corrected is worked out session by session.
        let reader = try SessionReader(db)
        let corrected = "\(condition.sql) AND id IN (SELECT session FROM \(corrections))"
        try each("SELECT *, \(day) AS d FROM session WHERE \(corrected)", condition) { row, day in
            for action in try reader.session(row).actions { day.add(action) }
        }
    }

    /// Passes rows to `body` together with their day and camera.
    private mutating func each(
        _ sql: String, _ condition: SQLCondition, _ body: (Row, inout DayRow) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(db, sql: sql, arguments: condition.arguments)
        while let row = try rows.next() {
            let key = key(row)
            try body(row, &days[key, default: DayRow(day: key.day, camera: key.camera)])
        }
    }
}
