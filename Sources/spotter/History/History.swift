import Agent
import ArgumentParser
import Foundation
import History

struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows what was recognised.",
        discussion: """
            EXAMPLES
              spotter history                                   totals of every action
              spotter history sessions --last 7d
              spotter history days --last 4w --chart
              spotter history sets --action squat --csv > squats.csv
              spotter history zones --last 7d
              spotter history sets --zone rack-1 --since 2026-11-21
              spotter history predictions --last 1h --camera rack1
              spotter history days --action squat --json
              spotter history sessions --json | jq '.[].actions[] | select(.label == "squat")'
            """,
        subcommands: [Actions.self, Sessions.self, Sets.self, Days.self, Zones.self, Predictions.self],
        defaultSubcommand: Actions.self)

    /// The filters and output formats of every query.
    struct Options: ParsableArguments {
        @OptionGroup var configurationFile: ConfigurationFile

        @Option(help: ArgumentHelp("The database file.", valueName: "file"))
        var database: String?

        @Option(help: ArgumentHelp("From a day (2026-11-21), or as long ago (12h, 7d, 4w, 1y).", valueName: "when"))
        var since: String?

        @Option(help: ArgumentHelp("The time up to now: 12h, 7d, 4w, 1y; the same as --since.", valueName: "span"))
        var last: String?

        @Option(help: ArgumentHelp("Up to and including a day, or up to as long ago.", valueName: "when"))
        var until: String?

        @Option(help: ArgumentHelp("Only this camera.", valueName: "id"))
        var camera: String?

        @Option(help: ArgumentHelp("Only this action.", valueName: "label"))
        var action: String?

        @Option(
            name: .customLong("zone"),
            help: ArgumentHelp("Only this zone: of sessions, sets, days and zones.", valueName: "name"))
        var zoneName: String?

        @Option(help: ArgumentHelp("At most this many, the newest.", valueName: "n"))
        var limit: Int?

        @Option(help: ArgumentHelp("Show and read times in this zone (default: the gym's).", valueName: "zone"))
        var tz: String?

        @Flag(help: "Print a JSON list instead of a table.")
        var json = false

        @Flag(help: "Print comma-separated values instead of a table.")
        var csv = false

        @Flag(help: "End with exit code 3 when there is nothing.")
        var failEmpty = false

        func validate() throws {
            if since != nil, last != nil { throw ValidationError("--since and --last say the same: give one of them.") }
            if json, csv { throw ValidationError("--json or --csv, not both.") }
            if let tz, TimeZone(identifier: tz) == nil {
                throw ValidationError("--tz takes a time zone such as Europe/Berlin, not '\(tz)'.")
            }
            for text in [since, last, until].compactMap({ $0 }) where TypedMoment(text).date(in: .current) == nil {
                throw ValidationError("'\(text)' is neither a day such as 2026-11-21 nor a time ago such as 7d.")
            }
            if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1.") }
        }

        /// Refuses `--zone` where the rows have no zone.
        func refuseZone() throws {
            guard zoneName != nil else { return }
            throw ValidationError("--zone suits 'spotter history' sessions, sets, days and zones only: leave it away.")
        }

        func query() throws -> HistoryQuery {
            if let database { return try HistoryQuery(path: database) }
            let configuration = try configurationFile.read()
            return try HistoryQuery(path: configuration.history.path)
        }

        /// The requested time zone, or else the gym's.
        func zone(_ query: HistoryQuery) throws -> TimeZone {
            try tz.flatMap(TimeZone.init(identifier:)) ?? query.timeZone() ?? .current
        }

        func sessions(_ zone: TimeZone) throws -> SessionFilter {
            SessionFilter(
                since: (since ?? last).flatMap { TypedMoment($0).date(in: zone) },
                until: until.flatMap { TypedMoment($0).date(in: zone, endOfDay: true) }, camera: camera,
                action: action, zone: zoneName, limit: limit ?? (json || csv ? nil : 50))
        }

        func days(_ zone: TimeZone) throws -> DayFilter {
            DayFilter(
                from: (since ?? last).flatMap { TypedMoment($0).day(in: zone) },
                through: until.flatMap { TypedMoment($0).day(in: zone) }, camera: camera, action: action,
                zone: zoneName, limit: limit)
        }

        /// Prints the rows as JSON, comma-separated, or as a table. With `--fail-empty`, no rows are a failure.
        ///
        /// - Parameter each: calls its argument with each row. Only a table keeps all rows, to know its columns'
        ///   widths.
        func show<Row: Encodable>(
            _ table: Table, cells: @escaping (Row) -> [String], each: ((Row) throws -> Void) throws -> Void
        ) throws {
            var table = table
            var count = 0
            if json {
                try each { row in
                    Output.line(count == 0 ? "[" : ",")
                    Output.raw(try JSON.text(row))
                    count += 1
                }
                Output.line(count == 0 ? "[]" : "\n]")
            } else if csv {
                Output.line(CSV.line(table.header))
                try each { row in
                    Output.line(CSV.line(cells(row)))
                    count += 1
                }
            } else {
                try each { row in
                    table.add(cells(row))
                    count += 1
                }
                if count == 0 { Output.line("Nothing was seen yet.") } else { table.print() }
            }
            try finish(isEmpty: count == 0)
        }

        func finish(isEmpty: Bool) throws {
            if isEmpty && failEmpty { throw ExitCode(ExitStatus.notFound.rawValue) }
        }
    }

    /// The options of queries that can also be drawn.
    struct ChartOptions: ParsableArguments {
        @Flag(help: "Draw bars instead of a table.")
        var chart = false

        func show(_ chart: BarChart, isEmpty: Bool, _ options: Options) throws {
            guard !options.json, !options.csv else {
                throw ValidationError("--chart is for people: leave --json and --csv away.")
            }
            if isEmpty { Output.line("Nothing was seen yet.") }
            for line in chart.text(.standardOutput()) { Output.raw(line + "\n") }
            try options.finish(isEmpty: isEmpty)
        }
    }

    struct Actions: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Totals of every action.")
        @OptionGroup var options: Options
        @OptionGroup var drawing: ChartOptions

        func run() throws {
            try options.refuseZone()
            let query = try options.query()
            let rows = try query.actions(try options.days(try options.zone(query)))
            if drawing.chart { return try drawing.show(chart(rows), isEmpty: rows.isEmpty, options) }
            let table = Table(["ACTION", "FRAMES", "TIME", "REPS", "DAYS"], rightAligned: [1, 2, 3, 4])
            try options.show(table) { (row: ActionRow) in
                [
                    row.label, String(row.frames), Wording.duration(row.seconds), row.reps.map(String.init) ?? "-",
                    String(row.days),
                ]
            } each: {
                try rows.forEach($0)
            }
        }

        private func chart(_ rows: [ActionRow]) -> BarChart {
            var chart = BarChart()
            for (number, row) in rows.enumerated() {
                let reps = row.reps.map { ", \($0) reps" } ?? ""
                chart.add(
                    BarChart.Bar(
                        name: row.label, value: row.seconds, text: Wording.duration(row.seconds) + reps, kind: number))
            }
            return chart
        }
    }

    struct Sessions: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Session by session, the newest first.")
        @OptionGroup var options: Options

        func run() throws {
            let query = try options.query()
            let zone = try options.zone(query)
            let table = Table(
                ["BEGAN", "LASTED", "CAMERA", "ZONE", "PERSON", "ACTIONS", "ENDED BY"], rightAligned: [1, 4])
            try options.show(table) { (row: SessionRow) in
                let actions = row.actions.map { action -> String in
                    let reps = action.reps.map { " (\($0) reps)" } ?? ""
                    return "\(action.label) \(Wording.duration(action.seconds))\(reps)"
                }.joined(separator: ", ")
                return [
                    Wording.local(row.start, zone), Wording.length(row.start, row.end), row.camera, row.zone ?? "-",
                    String(row.track), actions, row.endReason ?? "(open)",
                ]
            } each: {
                try query.sessions(try options.sessions(zone), each: $0)
            }
        }
    }

    struct Sets: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Set by set, the newest first.")
        @OptionGroup var options: Options

        func run() throws {
            let query = try options.query()
            let zone = try options.zone(query)
            let table = Table(
                ["BEGAN", "LASTED", "CAMERA", "ZONE", "PERSON", "ACTION", "REPS", "REST", "HINT", "RECOGNISED"],
                rightAligned: [1, 4, 6, 7, 8])
            try options.show(table) { (row: SetRow) in
                let set = row.body
                return [
                    Wording.local(set.start, zone), Wording.length(set.start, set.end), row.camera, set.zone ?? "-",
                    String(row.track), set.label, String(set.reps), set.restSeconds.map(Wording.duration) ?? "-",
                    set.form.map(String.init) ?? "-", set.corrected.map { "\($0.label), \($0.reps)" } ?? "",
                ]
            } each: {
                try query.sets(try options.sessions(zone), each: $0)
            }
        }
    }

    struct Days: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Day by day and camera by camera.")
        @OptionGroup var options: Options
        @OptionGroup var drawing: ChartOptions

        func run() throws {
            let query = try options.query()
            let rows = try query.days(try options.days(try options.zone(query)))
            if drawing.chart { return try drawing.show(chart(rows), isEmpty: rows.isEmpty, options) }
            let table = Table(["DAY", "CAMERA", "SESSIONS", "ACTIONS"], rightAligned: [2])
            try options.show(table) { (row: DayRow) in
                let actions = row.timedActions.map { "\($0.label) \(Wording.duration($0.seconds))" }
                return [row.day, row.camera, String(row.sessions), actions.joined(separator: ", ")]
            } each: {
                try rows.forEach($0)
            }
        }

        private func chart(_ rows: [DayRow]) -> BarChart {
            let labels = Set(rows.flatMap(\.seconds.keys)).sorted()
            var chart = BarChart()
            for row in rows {
                let sessions = row.sessions == 1 ? "1 session" : "\(row.sessions) sessions"
                chart.add(heading: "\(row.day)  \(row.camera)  \(sessions)")
                for (label, seconds) in row.timedActions where options.action == nil || options.action == label {
                    chart.add(
                        BarChart.Bar(
                            name: label, value: seconds, text: Wording.duration(seconds),
                            kind: labels.firstIndex(of: label) ?? 0))
                }
            }
            return chart
        }
    }

    struct Zones: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "How much each zone was used.",
            discussion: "The page draws zones; `spotter history sets --zone` says when one was used.")
        @OptionGroup var options: Options

        func run() throws {
            if options.action != nil { throw ValidationError("--action does not suit zones: leave it away.") }
            let query = try options.query()
            let rows = try query.zones(try options.days(try options.zone(query)))
            let table = Table(["CAMERA", "ZONE", "SETS", "REPS", "TIME", "DAYS"], rightAligned: [2, 3, 4, 5])
            try options.show(table) { (row: ZoneRow) in
                [
                    row.camera, row.zone, String(row.sets), String(row.reps), Wording.duration(row.seconds),
                    String(row.days),
                ]
            } each: {
                try rows.forEach($0)
            }
        }
    }

    struct Predictions: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prediction by prediction, the newest first; kept for history.prediction_days.")
        @OptionGroup var options: Options

        func run() throws {
            try options.refuseZone()
            let query = try options.query()
            let zone = try options.zone(query)
            let table = Table(["TIME", "CAMERA", "PERSON", "LABEL", "CONFIDENCE", "FRAMES"], rightAligned: [2, 4, 5])
            try options.show(table) { (row: StoredPrediction) in
                [
                    Wording.local(row.time, zone), row.camera, String(row.track), row.label,
                    String(format: "%.2f", row.confidence), String(row.frames),
                ]
            } each: {
                try query.predictions(try options.sessions(zone), each: $0)
            }
        }
    }
}

extension DayRow {
    /// The actions of the day, longest first.
    fileprivate var timedActions: [(label: String, seconds: Double)] {
        seconds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }
}
