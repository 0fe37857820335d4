import CommandLineProgram
import Agent
import ArgumentParser
import Foundation
import History

struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows what was recognised.",
        discussion: """
            EXAMPLES
              spotter history  totals of every action
              spotter history sessions --last 7d
              spotter history days --last 4w --chart
              spotter history sets --action squat --csv > squats.csv
              spotter history zones --last 7d
              spotter history workouts --name anna
              spotter history sets --zone rack-1 --since 2026-11-21
              spotter history predictions --last 1h --camera rack1
              spotter history days --action squat --json
              spotter history sessions --json | jq '.[].actions[] \\
                  | select(.label == "squat")'
            """,
        subcommands: [
            Actions.self, Sessions.self, Sets.self, Days.self, Zones.self, WorkoutList.self, Predictions.self,
        ],
        defaultSubcommand: Actions.self)

    /// The filters and output formats of every query.
    struct Options: ParsableArguments {
        @OptionGroup var configurationFile: ConfigurationFile

        @Option(help: ArgumentHelp("The database file.", valueName: "file"))
        var database: String?

        @Option(
            help: ArgumentHelp(
                "From a day (today, yesterday, 2026-11-21), a time (14:30), or as long ago (30m, 12h, 2 days, 4w, 3M, 1y).",
                valueName: "when"))
        var since: String?

        @Option(
            help: ArgumentHelp(
                "The time up to now, such as 30m, 12h, 7d, 4w, 3M, 1y; the same as --since.", valueName: "span"))
        var last: String?

        @Option(help: ArgumentHelp("Up to and including a day, up to a time, or up to as long ago.", valueName: "when"))
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
                throw ValidationError(
                    "'\(text)' is neither a day (2026-11-21, today), nor a time (14:30), nor a time ago (7d, 2 days).")
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
                zone: zoneName, limit: limit, timeZone: zone)
        }

        /// Refuses a camera and an action that nothing is known of: with the nearest name, because it is mostly mistyped.
        func checkNames(_ query: HistoryQuery) throws {
            guard camera != nil || action != nil else { return }
            let stored = try query.storedNames()
            let isStored = (camera.map(stored.cameras.contains) ?? true) && (action.map(stored.labels.contains) ?? true)
            // Only for a name that the history does not know the configuration and its model are read.
            if isStored { return }
            let configuration = try? configurationFile.read()
            if let camera {
                try KnownName.check(
                    camera, kind: "camera", among: stored.cameras + (configuration?.cameras.map(\.id) ?? []))
            }
            if let action {
                let ofModel = (try? configuration?.classifier().description.labels) ?? []
                try KnownName.check(action, kind: "action", among: stored.labels + ofModel)
            }
        }

        /// Prints the rows as JSON, comma-separated, or as a table. With `--fail-empty`, no rows are a failure.
        ///
        /// - Parameter each: calls its argument with each row. Only a table keeps all rows, to know its columns'
        ///   widths.
        func show<Row: Encodable>(_ listing: Listing<Row>, each: ((Row) throws -> Void) throws -> Void) throws {
            var table = listing.table
            var count = 0
            if json {
                try each { row in
                    Output.line(count == 0 ? "[" : ",")
                    Output.raw(try JSON.text(row))
                    count += 1
                }
                Output.line(count == 0 ? "[]" : "\n]")
            } else if csv {
                Output.line(CSV.line(listing.columns))
                try each { row in
                    for values in listing.values(row) { Output.line(CSV.line(values)) }
                    count += 1
                }
            } else {
                try each { row in
                    table.add(listing.cells(row))
                    count += 1
                }
                if count == 0 { Output.line(nothing) } else { table.print(isWrapped: true) }
            }
            try finish(isEmpty: count == 0)
        }

        /// What stands for no rows.
        var nothing: String {
            let isNarrowed = [since, last, until, camera, action, zoneName].contains { $0 != nil }
            return isNarrowed ? "Nothing was seen that fits the options." : "Nothing was seen yet."
        }

        func finish(isEmpty: Bool) throws {
            if isEmpty && failEmpty { throw ExitCode(ExitStatus.notFound.rawValue) }
        }
    }

    /// How the rows of a query are printed.
    struct Listing<Row: Encodable> {
        /// The columns for people.
        let table: Table
        /// One row of ``table``.
        let cells: (Row) -> [String]
        /// The columns of comma-separated values, by their names in JSON.
        let columns: [String]
        /// The lines of a row: numbers without units, times with the zone's offset.
        let values: (Row) -> [[String]]
    }

    /// The options of queries that can also be drawn.
    struct ChartOptions: ParsableArguments {
        @Flag(help: "Draw bars instead of a table.")
        var chart = false

        func show(_ chart: BarChart, isEmpty: Bool, _ options: Options) throws {
            guard !options.json, !options.csv else {
                throw ValidationError("--chart is for people: leave --json and --csv away.")
            }
            if isEmpty { Output.line(options.nothing) }
            for line in chart.text(.standardOutput()) { Output.raw(line + "\n") }
            try options.finish(isEmpty: isEmpty)
        }
    }
}
