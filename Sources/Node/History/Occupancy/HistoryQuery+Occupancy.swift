import Foundation
import GRDB
import Records

extension HistoryQuery {
    /// How full the floor is at each hour of the day: 24 rows.
    ///
    /// A quarter of an hour lies in the span if it began in it. Hours are those of the filter's time zone, or else the
    /// node's. With a camera only it counts, and with a zone only the people in it. The limit does not apply.
    ///
    /// - Throws: ``HistoryError``.
    public func hours(_ filter: HistoryFilter = HistoryFilter()) throws -> Occupancy {
        try occupancy(filter, keys: (0..<24).map { OccupancyKey(weekday: nil, hour: $0) }) {
            OccupancyKey(weekday: nil, hour: $0.hour)
        }
    }

    /// The same for each hour of each weekday: 168 rows, beginning with Monday.
    ///
    /// - Throws: ``HistoryError``.
    public func weekdays(_ filter: HistoryFilter = HistoryFilter()) throws -> Occupancy {
        let keys = (1...7).flatMap { weekday -> [OccupancyKey] in
            (0..<24).map { OccupancyKey(weekday: weekday, hour: $0) }
        }
        return try occupancy(filter, keys: keys) { OccupancyKey(weekday: $0.weekday, hour: $0.hour) }
    }

    private func occupancy(
        _ filter: HistoryFilter, keys: [OccupancyKey], key: (LocalHours.Place) -> OccupancyKey
    ) throws -> Occupancy {
        let zone = try filter.timeZone ?? timeZone() ?? TimeZoneName.utc
        return try read { db in
            let slots = try OccupancySlots(filter, in: db)
            let sessions = try SessionStarts.count(filter, in: db)
            let bounds = [slots.rows.first?.start, slots.rows.last?.start, sessions.first?.slot, sessions.last?.slot]
                .compactMap { $0 }
            let hours = LocalHours(zone, from: bounds.min() ?? 0, to: bounds.max() ?? 0)
            var totals = OccupancyTotals<OccupancyKey>(slots)
            slots.each { start, seen in totals.add(seen, of: start, to: key(hours.place(of: start))) }
            var begun: [OccupancyKey: Int] = [:]
            for row in sessions { begun[key(hours.place(of: row.slot)), default: 0] += row.count }
            let rows = keys.map { key in
                let cell = totals.cells[key]
                return OccupancyRow(
                    weekday: key.weekday, hour: key.hour, people: cell?.mean?.rounded(decimals: 3),
                    most: cell.map(\.most), sessions: begun[key] ?? 0,
                    watchedSeconds: (cell?.watchedSeconds ?? 0).rounded(decimals: 3))
            }
            let first = slots.rows.first?.start
            return Occupancy(
                rows: rows, first: first.map(Timestamp.text(milliseconds:)),
                earlierSessions: sessions.filter { $0.slot < first ?? .max }.reduce(0) { $0 + $1.count })
        }
    }
}

private struct OccupancyKey: Hashable {
    let weekday: Int?
    let hour: Int
}

/// The sessions of a filter, by the quarter of an hour in which they began, oldest first.
private enum SessionStarts {
    static func count(_ filter: HistoryFilter, in db: Database) throws -> [(slot: Int64, count: Int)] {
        guard try filter.zone == nil || db.tableExists("day_zone") else { return [] }
        let condition = try filter.condition(in: db)
        let length = OccupancySlot.lengthMs
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT start_ms / \(length) AS slot, count(*) AS count FROM session WHERE \(condition.sql)
                GROUP BY slot ORDER BY slot
                """, arguments: condition.arguments)
        var counts: [(slot: Int64, count: Int)] = []
        while let row = try rows.next() { counts.append((Int64(row.number(at: 0)) * length, Int(row.number(at: 1)))) }
        return counts
    }
}
