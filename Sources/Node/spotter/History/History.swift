import CommandLineProgram
import Agent
import ArgumentParser
import Foundation
import History
import Records
import TOMLSettings

struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows what was recognised.",
        discussion: """
            EXAMPLES
              spotter history  totals of every action
              spotter history sessions --last 7d
              spotter history days --last 4w --chart
              spotter history sets --action squat --csv > squats.csv
              spotter history hours --last 4w
              spotter history weekdays --since 2026-09-01
              spotter history zones --last 7d
              spotter history workouts --name anna
              spotter history records anna
              spotter history cameras --last 7d
              spotter history alarms --last 4w
              spotter history sets --zone rack-1 --since 2026-11-21
              spotter history predictions --last 1h --camera rack1
              spotter history days --action squat --json
              spotter history sessions --json | jq '.[].actions[] \\
                  | select(.label == "squat")'
            """,
        subcommands: [
            Actions.self, Sessions.self, Sets.self, Days.self, Hours.self, Weekdays.self, Zones.self, WorkoutList.self,
            PersonRecords.self, Cameras.self, Alarms.self, Predictions.self,
        ],
        defaultSubcommand: Actions.self)

    /// The filters and output formats of every query.
    struct Options: ParsableArguments {
        @OptionGroup var configurationFile: ConfigurationFile

        @Option(help: ArgumentHelp("The database file.", valueName: "file"))
        var database: String?

        @Option(
            help: ArgumentHelp(
                "From a day (today, yesterday, 2026-11-21), a time (14:30), or as long ago (30m, 12h, 2 days, 4w, 3M, 1y), to the second.",
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
            help: ArgumentHelp("Only this zone: of sessions, sets, days, hours, weekdays and zones.", valueName: "name")
        )
        var zoneName: String?

        @Option(
            help: ArgumentHelp(
                "At most this many, the newest (tables of days, sessions, sets, workouts and predictions: 50).",
                valueName: "n"))
        var limit: Int?

        @Option(
            help: ArgumentHelp(
                "Show and read times in this zone (default: the gym's; JSON is in UTC without it).", valueName: "zone"))
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
            if let tz { _ = try Self.zone(tz) }
            for text in [since, last, until].compactMap({ $0 }) where TypedMoment(text).date(in: .current) == nil {
                throw ValidationError(
                    "'\(text)' is neither a day (2026-11-21, today), nor a time (14:30), nor a time ago (7d, 2 days).")
            }
            if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1.") }
        }

        /// Refuses `--zone` where the rows have no zone.
        func refuseZone() throws {
            guard zoneName != nil else { return }
            throw ValidationError(
                "--zone suits 'spotter history' sessions, sets, days, hours, weekdays and zones only: leave it away.")
        }

        func query() throws -> HistoryQuery {
            let query = try HistoryQuery(path: database ?? configurationFile.read().history.path)
            try MadeUpNotice.show(query)
            return query
        }

        /// A typed time zone.
        static func zone(_ text: String) throws -> TimeZone {
            if let zone = TimeZoneName.zone(text) { return zone }
            throw ValidationError("--tz takes \(TextRule.zoneExpected(text)), not '\(text)'.")
        }

        /// The requested time zone, or else the gym's.
        func zone(_ query: HistoryQuery) throws -> TimeZone {
            try tz.map(Self.zone) ?? query.zone()
        }

        /// The span, and what else is asked for.
        func filter(_ query: HistoryQuery) throws -> HistoryFilter {
            let zone = try zone(query)
            // Both ends are seen from one moment.
            let now = Date()
            let filter = HistoryFilter(
                since: (since ?? last).flatMap { TypedMoment($0).date(in: zone, now: now) },
                until: until.flatMap { TypedMoment($0).date(in: zone, endOfDay: true, now: now) },
                camera: camera, action: action, zone: zoneName, limit: limit, timeZone: zone)
            if filter.isReversed {
                throw ValidationError("The end is before the beginning: exchange --since and --until.")
            }
            return try filter.resolved(query) { configuredNames }
        }

        /// The same for lists that have no end: a table shows the newest rows.
        func rows(_ query: HistoryQuery) throws -> HistoryFilter {
            var filter = try filter(query)
            filter.limit = limit ?? (json || csv ? nil : Self.usualRows)
            return filter
        }

        /// The most rows of a table of days, sessions, sets, workouts or predictions without `--limit`.
        private static let usualRows = 50

        /// The zones of the configuration, as far as it can be read.
        var configuredZones: [(camera: String, zone: String)] {
            let configuration = try? configurationFile.read()
            return (configuration?.zones ?? []).map { ($0.camera, $0.name) }
        }

        /// The names of the configuration and of its model, as far as they can be read.
        private var configuredNames: HistoryNames {
            let configuration = try? configurationFile.read()
            return HistoryNames(
                labels: action == nil ? [] : (try? configuration?.classifier().description.labels) ?? [],
                cameras: configuration?.cameras.map(\.id) ?? [], zones: configuredZones.map(\.zone))
        }

        /// Whether a label is the one that is asked for, or none is.
        func concerns(_ label: String) -> Bool { action.map { NearestName.areSame($0, label) } ?? true }

        /// Refuses a camera, an action and a zone that nothing is known of.
        func checkNames(_ query: HistoryQuery) throws { _ = try filter(query) }

        /// Prints the rows as JSON, comma-separated, or as a table. With `--fail-empty`, no rows are a failure.
        ///
        /// - Parameters:
        ///   - notes: what people should know about the rows; lines below a table.
        ///   - nothing: what stands for no rows; `nil` for what suits most.
        ///   - each: calls its argument with each row, and returns how many rows there are. Only a table keeps all rows,
        ///     to know its columns' widths.
        func show<Row: Encodable>(
            _ listing: Listing<Row>, notes: [String] = [], nothing: String? = nil,
            each: ((Row) throws -> Void) throws -> RowCount
        ) throws {
            var table = listing.table
            var isFirst = true
            let count: RowCount
            if json {
                let zone = try tz.map(Self.zone)
                count = try each { row in
                    Output.line(isFirst ? "[" : ",")
                    // Without --tz, JSON is what MQTT and the page's API send: times in UTC.
                    Output.raw(try JSON.text(row, zone: zone))
                    isFirst = false
                }
                Output.line(isFirst ? "[]" : "\n]")
            } else if csv {
                Output.line(CSV.line(listing.csv.names))
                count = try each { row in
                    for values in listing.csv.lines(row) { Output.line(CSV.line(values)) }
                }
            } else {
                count = try each { table.add(listing.cells($0)) }
                if count.shown == 0 { Output.line(nothing ?? self.nothing) } else { table.print(isWrapped: true) }
            }
            try finish(count, notes)
        }

        /// What stands for no rows.
        var nothing: String {
            let isNarrowed = [since, last, until, camera, action, zoneName].contains { $0 != nil }
            return isNarrowed ? "Nothing was seen that fits the options." : "Nothing was seen yet."
        }

        /// Says below the rows what they leave out. With `--fail-empty`, no rows are a failure.
        func finish(_ count: RowCount, _ notes: [String]) throws {
            if count.isCut {
                if json || csv { Terminal.print(Wording.shown(count)) } else { Output.line(Wording.shown(count)) }
            }
            if !json, !csv, count.shown > 0 { for note in notes { Output.line(note) } }
            if count.shown == 0 && failEmpty { throw ExitCode(ExitStatus.notFound.rawValue) }
        }
    }

    /// How the rows of a query are printed.
    struct Listing<Row: Encodable> {
        /// The columns for people.
        let table: Table
        /// One row of ``table``.
        let cells: (Row) -> [String]
        /// The comma-separated values.
        let csv: CSVColumns<Row>
    }

    /// The options of queries that can also be drawn.
    struct ChartOptions: ParsableArguments {
        @Flag(help: "Draw bars instead of a table.")
        var chart = false

        func show(_ chart: BarChart, _ count: RowCount, notes: [String] = [], _ options: Options) throws {
            guard !options.json, !options.csv else {
                throw ValidationError("--chart is for people: leave --json and --csv away.")
            }
            if count.shown == 0 { Output.line(options.nothing) }
            for line in chart.text(.standardOutput()) { Output.raw(line + "\n") }
            try options.finish(count, notes)
        }
    }
}
