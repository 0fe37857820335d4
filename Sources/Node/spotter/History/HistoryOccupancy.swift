import ArgumentParser
import CommandLineProgram
import Foundation
import History
import Records

extension History {
    struct Hours: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "How full the floor is at each hour of the day.",
            discussion: """
                PEOPLE is the mean number of people in view while the node watched. Time in
                which it did not is left out. MOST is the most people at once.

                EXAMPLES
                  spotter history hours --last 4w
                  spotter history hours --zone rack-1 --chart
                  spotter history hours --since 2026-11-01 --csv > hours.csv
                """)
        @OptionGroup var options: Options
        @OptionGroup var drawing: ChartOptions

        func run() throws {
            try options.refuseAction(of: "hours")
            let query = try options.query()
            let filter = try options.filter(query)
            let occupancy = try query.hours(filter)
            let notes = options.notes(occupancy, filter, try options.zone(query))
            if drawing.chart {
                return try drawing.show(chart(occupancy.rows), occupancy.count, notes: notes, options)
            }
            try options.show(.occupancy(weekdays: false), notes: notes) { body in
                if !occupancy.isEmpty { try occupancy.rows.forEach(body) }
                return occupancy.count
            }
        }

        private func chart(_ rows: [OccupancyRow]) -> BarChart {
            var chart = BarChart()
            for row in rows {
                chart.add(
                    BarChart.Bar(
                        name: row.clock, value: row.people ?? 0, text: row.people.map(OccupancyRow.text) ?? "-",
                        kind: 0))
            }
            return chart
        }
    }

    struct Weekdays: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "How full the floor is at each hour of each weekday, as a heat map.",
            discussion: """
                The numbers are the mean number of people in view while the node watched.
                Time in which it did not is left out.

                EXAMPLES
                  spotter history weekdays --last 3M
                  spotter history weekdays --camera rack-1 --table
                  spotter history weekdays --json
                """)
        @OptionGroup var options: Options

        @Flag(help: "Print a line for each hour instead of the heat map.")
        var table = false

        func run() throws {
            try options.refuseAction(of: "weekdays")
            let query = try options.query()
            let filter = try options.filter(query)
            let occupancy = try query.weekdays(filter)
            let notes = options.notes(occupancy, filter, try options.zone(query))
            guard !table, !options.json, !options.csv, !occupancy.isEmpty else {
                return try options.show(.occupancy(weekdays: true), notes: notes) { body in
                    if !occupancy.isEmpty { try occupancy.rows.forEach(body) }
                    return occupancy.count
                }
            }
            for line in HeatMap(occupancy.rows).text(.standardOutput()) { Output.raw(line + "\n") }
            try options.finish(occupancy.count, notes)
        }
    }
}

extension Occupancy {
    /// A floor is known as a whole or not at all.
    fileprivate var count: RowCount { RowCount(shown: isEmpty ? 0 : rows.count, found: isEmpty ? 0 : rows.count) }
}

extension OccupancyRow {
    /// `07:00`.
    fileprivate var clock: String { (hour < 10 ? "0" : "") + "\(hour):00" }
    /// `Mon`; empty for all days together.
    fileprivate var day: String { weekday.map { HeatMap.days[$0 - 1] } ?? "" }

    /// A mean number of people: `0.4`, `12.3`.
    static func text(_ people: Double) -> String { String(format: "%.1f", people) }
}

extension History.Listing<OccupancyRow> {
    fileprivate static func occupancy(weekdays: Bool) -> Self {
        let heads = ["HOUR", "PEOPLE", "MOST", "SESSIONS", "WATCHED"], first = weekdays ? 1 : 0
        return Self(
            table: Table((weekdays ? ["DAY"] : []) + heads, rightAligned: Set((1...4).map { $0 + first })),
            cells: { row in
                (weekdays ? [row.day] : []) + [
                    row.clock, row.people.map(OccupancyRow.text) ?? "-", row.most.map(String.init) ?? "-",
                    String(row.sessions), DurationText.of(row.watchedSeconds),
                ]
            }, csv: .occupancy(weekdays: weekdays))
    }
}

extension History.Options {
    fileprivate func refuseAction(of name: String) throws {
        if action != nil { throw ValidationError("--action does not suit \(name): leave it away.") }
        if limit != nil { throw ValidationError("--limit does not suit \(name): leave it away.") }
    }

    /// Says what the numbers stand for, and what they leave out.
    fileprivate func notes(_ occupancy: Occupancy, _ filter: HistoryFilter, _ zone: TimeZone) -> [String] {
        guard let first = occupancy.first, let began = Timestamp.date(text: first) else {
            return ["How many people there were is not stored for this time: only sessions are counted."]
        }
        let start = filter.since ?? began
        let end = min(filter.until ?? Date(), Date())
        let (whole, watched) = (max(0, end.timeIntervalSince(start)), occupancy.watchedSeconds)
        var notes = ["The node watched for \(DurationText.of(watched)); only this time counts."]
        if whole - watched >= 60 {
            notes[0] =
                "The node watched for \(DurationText.of(watched)) of \(DurationText.of(whole)); the rest is left out."
        }
        if occupancy.earlierSessions > 0 {
            notes.append(
                "People are counted since \(Wording.minute(first, zone)). "
                    + "\(occupancy.earlierSessions.counted("session")) began before.")
        }
        return notes
    }
}
