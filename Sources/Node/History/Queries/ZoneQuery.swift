import Contract
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
    /// How often somebody used it: from a person's first set there to their last, within a session.
    public var uses = 0
    /// Uses in an hour of the time in which the camera saw anybody; `nil` where that time is not stored.
    public var usesPerHour: Double?
    /// The median length of a use, seconds; `nil` without uses.
    public var useSeconds: Double?
    /// The median time between two uses on the same day, seconds; `nil` without two uses.
    public var idleSeconds: Double?
    /// The time that people waited beside it while it was in use, added up over them, seconds.
    public var waitingSeconds = 0.0

    enum CodingKeys: String, CodingKey {
        case camera, zone, sets, reps, seconds, days, uses
        case usesPerHour = "uses_per_hour"
        case useSeconds = "use_seconds"
        case idleSeconds = "idle_seconds"
        case waitingSeconds = "waiting_seconds"
    }

    /// The JSON of a zone's use.
    package static let schema = Schema.object([
        ("camera", .required(.id)), ("zone", .required(.id)), ("sets", .required(.count)), ("reps", .required(.count)),
        ("seconds", .required(.number(minimum: 0))), ("days", .required(.count)),
        ("uses", .required(.count, "From a person's first set there to their last, within a session.")),
        (
            "uses_per_hour",
            .optional(
                .number(minimum: 0), "In the time in which the camera saw anybody; absent where that is not stored.")
        ), ("use_seconds", .optional(.number(minimum: 0), "Median length of a use.")),
        ("idle_seconds", .optional(.number(minimum: 0), "Median time between two uses on the same day.")),
        ("waiting_seconds", .required(.number(minimum: 0), "Added up over the people who waited.")),
    ])
}

extension HistoryQuery {
    /// The use of each zone, most seconds first. A history from before zones existed has none. All rows: the filter's limit
    /// does not apply.
    ///
    /// - Parameter configured: the zones that exist now, by camera. They are among the rows also when nobody used them.
    /// - Throws: ``HistoryError``.
    public func zones(
        _ filter: HistoryFilter = HistoryFilter(), configured: [(camera: String, zone: String)] = []
    ) throws -> [ZoneRow] {
        var rows: [ZonePlace: ZoneRow] = [:]
        for (camera, zone) in configured
        where (filter.camera ?? camera) == camera && (filter.zone ?? zone) == zone {
            rows[ZonePlace(camera: camera, zone: zone)] = ZoneRow(
                camera: camera, zone: zone, sets: 0, reps: 0, seconds: 0, days: 0)
        }
        for row in try usedZones(filter) { rows[ZonePlace(camera: row.camera, zone: row.zone)] = row }
        try addTurnover(filter, to: &rows)
        return rows.values.sorted { ($1.seconds, $0.camera, $0.zone) < ($0.seconds, $1.camera, $1.zone) }
    }

    private func addTurnover(_ filter: HistoryFilter, to rows: inout [ZonePlace: ZoneRow]) throws {
        let own = try filter.timeZone ?? timeZone() ?? TimeZoneName.utc
        let (turnovers, waiting) = try read { db in
            guard try db.tableExists("day_zone") else { return ([ZonePlace: ZoneTurnover](), nil as ZoneWaiting?) }
            return (try ZoneTurnover.all(filter, zone: own, in: db), try ZoneWaiting(filter, in: db))
        }
        for (place, var row) in rows {
            let turnover = turnovers[place]
            row.uses = turnover?.uses ?? 0
            row.useSeconds = turnover?.useSeconds?.rounded(decimals: 3)
            row.idleSeconds = turnover?.idleSeconds?.rounded(decimals: 3)
            row.waitingSeconds = (waiting?.waitingSeconds[place] ?? 0).rounded(decimals: 3)
            if let open = waiting?.openSeconds[place.camera], open > 0 {
                row.usesPerHour = (Double(row.uses) / open * 3600).rounded(decimals: 2)
            }
            rows[place] = row
        }
    }

    private func usedZones(_ filter: HistoryFilter) throws -> [ZoneRow] {
        let own = try timeZone()
        return try read { db in
            guard try db.tableExists("day_zone") else { return [] }
            let span = filter.span(own)
            var condition = span.condition(filter, labels: false)
            condition.add("zone = ?", filter.zone)
            let sql = """
                SELECT camera, zone, total(sets) AS sets, total(reps) AS reps, total(seconds) AS seconds,
                  count(DISTINCT day) AS days
                FROM day_zone WHERE sets > 0 AND \(condition.sql) GROUP BY camera, zone
                """
            let whole = try Row.fetchAll(db, sql: sql, arguments: condition.arguments).map { row in
                let use = DayRow.ZoneUse(row)
                return ZoneRow(
                    camera: row.text("camera"), zone: row.text("zone"), sets: use.sets, reps: use.reps,
                    seconds: use.seconds, days: row.integer("days"))
            }
            var rows = Dictionary(whole.map { (ZonePlace(camera: $0.camera, zone: $0.zone), $0) }) { $1 }
            for part in span.parts {
                for (camera, zones) in try PartTotals.zones(part, camera: filter.camera, in: db) {
                    for (zone, use) in zones where (filter.zone ?? zone) == zone {
                        let place = ZonePlace(camera: camera, zone: zone)
                        let before = rows[place]
                        rows[place] = ZoneRow(
                            camera: camera, zone: zone, sets: use.sets + (before?.sets ?? 0),
                            reps: use.reps + (before?.reps ?? 0),
                            seconds: (use.seconds + (before?.seconds ?? 0)).rounded(decimals: 3),
                            days: 1 + (before?.days ?? 0))
                    }
                }
            }
            return Array(rows.values)
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
