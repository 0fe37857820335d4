import Contract
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

    /// The whole days of a span that fit a filter, with their sessions alone.
    static func heads(_ filter: HistoryFilter, _ span: DaySpan, in db: Database) throws -> [DayRow] {
        let condition = span.condition(filter, labels: false)
        let labels =
            filter.action == nil ? "" : " AND (day, camera) IN (SELECT day, camera FROM day_action WHERE label = ?)"
        let zones =
            filter.zone == nil
            ? "" : " AND (day, camera) IN (SELECT day, camera FROM day_zone WHERE zone = ? AND sets > 0)"
        let named = [filter.action, filter.zone].compactMap { $0 }
        return try Row.fetchAll(
            db, sql: "SELECT * FROM day_camera WHERE \(condition.sql)\(labels)\(zones)",
            arguments: condition.arguments + StatementArguments(named)
        ).map { row in
            var day = DayRow(day: row.text("day"), camera: row.text("camera"))
            (day.sessions, day.rev) = (row.integer("sessions"), row.integer("rev"))
            return day
        }
    }

    /// Adds what was counted to days with their sessions. However many days there are, each table is asked once.
    ///
    /// - Parameter parts: the days that already have what was counted in a part of them.
    static func addTotals(to days: inout [DayRow], except parts: Set<String> = [], in db: Database) throws {
        let whole = days.filter { !parts.contains($0.day) }
        guard let first = whole.map(\.day).min(), let last = whole.map(\.day).max() else { return }
        let cameras = Set(whole.map(\.camera))
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
                if let place = places[day], !parts.contains(day.day) { each(row, &days[place]) }
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
