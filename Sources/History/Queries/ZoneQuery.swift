import GRDB
import Records

/// The use of one zone over several days: `spotter history zones --json`.
public struct ZoneRow: Sendable, Codable, Equatable {
    /// The camera's id.
    public var camera: String
    /// The zone's name.
    public var zone: String
    /// The number of sets that took place there.
    public var sets: Int
    /// Their repetitions.
    public var reps: Int
    /// Their duration.
    public var seconds: Double
    /// The number of days on which it was used.
    public var days: Int
}

extension HistoryQuery {
    /// The use of each zone over whole days, most seconds first. A history from before zones existed has none.
    ///
    /// - Throws: ``HistoryError``.
    public func zones(_ filter: DayFilter = DayFilter()) throws -> [ZoneRow] {
        try read { db in
            guard try db.tableExists("day_zone") else { return [] }
            var condition = filter.condition(labels: false)
            condition.add("zone = ?", filter.zone)
            let sql = """
                SELECT camera, zone, total(sets) AS sets, total(reps) AS reps, total(seconds) AS seconds,
                  count(DISTINCT day) AS days
                FROM day_zone WHERE sets > 0 AND \(condition.sql) GROUP BY camera, zone
                ORDER BY seconds DESC, camera, zone LIMIT ?
                """
            return try Row.fetchAll(db, sql: sql, arguments: condition.arguments + [filter.limit ?? -1]).map { row in
                let use = DayRow.ZoneUse(row)
                return ZoneRow(
                    camera: row.text("camera"), zone: row.text("zone"), sets: use.sets, reps: use.reps,
                    seconds: use.seconds, days: row.integer("days"))
            }
        }
    }
}

extension DayRow.ZoneUse {
    /// Reads a row of `day_zone`, or a sum of several.
    init(_ row: Row) {
        self.init(
            sets: row.integer("sets"), reps: row.integer("reps"), seconds: row.number("seconds").rounded(decimals: 3))
    }
}
