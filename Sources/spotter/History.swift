import Agent
import ArgumentParser
import Foundation
import History

struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Answers what was seen.",
        discussion: """
            EXAMPLES
              spotter history                                   totals of every action
              spotter history sessions --last 7d
              spotter history days --csv > days.csv
              spotter history predictions --last 1h --camera rack1
              spotter history days --action squat --json
              spotter history sessions --json | jq '.[].actions[] | select(.label == "squat")'
            """,
        subcommands: [Actions.self, Sessions.self, Days.self, Predictions.self], defaultSubcommand: Actions.self)

    /// What every question can be narrowed by.
    struct Options: ParsableArguments {
        @OptionGroup var configurationFile: ConfigurationFile

        @Option(help: ArgumentHelp("The database file.", valueName: "file"))
        var database: String?

        @Option(help: ArgumentHelp("From a day (2026-11-21), or as long ago (12h, 7d, 4w, 1y).", valueName: "when"))
        var since: String?

        @Option(help: ArgumentHelp("The time up to now: 12h, 7d, 4w, 1y; the same as --since.", valueName: "span"))
        var last: String?

        @Option(help: ArgumentHelp("Up to a day, included, or up to so long ago.", valueName: "when"))
        var until: String?

        @Option(help: ArgumentHelp("Only this camera.", valueName: "id"))
        var camera: String?

        @Option(help: ArgumentHelp("Only this action.", valueName: "label"))
        var action: String?

        @Option(help: ArgumentHelp("At most so many, the newest.", valueName: "n"))
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
            for text in [since, last, until].compactMap({ $0 }) where Moment(text).date(in: .current) == nil {
                throw ValidationError("'\(text)' is neither a day such as 2026-11-21 nor a time ago such as 7d.")
            }
            if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1.") }
        }

        func query() throws -> HistoryQuery {
            if let database { return try HistoryQuery(path: database) }
            let configuration = try configurationFile.read()
            return try HistoryQuery(path: configuration.history.path)
        }

        /// The zone that was asked for, else the gym's.
        func zone(_ query: HistoryQuery) throws -> TimeZone {
            try tz.flatMap(TimeZone.init(identifier:)) ?? query.timeZone() ?? .current
        }

        func sessions(_ zone: TimeZone) throws -> SessionFilter {
            SessionFilter(
                since: (since ?? last).flatMap { Moment($0).date(in: zone) },
                until: until.flatMap { Moment($0).date(in: zone, endOfDay: true) }, camera: camera,
                action: action, limit: limit ?? (json || csv ? nil : 50))
        }

        func days(_ zone: TimeZone) throws -> DayFilter {
            DayFilter(
                from: (since ?? last).flatMap { Moment($0).day(in: zone) },
                through: until.flatMap { Moment($0).day(in: zone) }, camera: camera, action: action, limit: limit)
        }

        /// Prints the rows as JSON or as a table; with `--fail-empty` none is a failure.
        func show<Row: Encodable>(_ rows: [Row], _ table: Table, cells: (Row) -> [String]) throws {
            if json {
                try JSON.print(rows)
            } else if rows.isEmpty && !csv {
                print("Nothing was seen yet.")
            } else {
                var table = table
                for row in rows { table.add(cells(row)) }
                if csv { table.printCSV() } else { table.print() }
            }
            if rows.isEmpty && failEmpty { throw ExitCode(ExitStatus.notFound.rawValue) }
        }
    }

    struct Actions: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Totals of every action.")
        @OptionGroup var options: Options

        func run() throws {
            let query = try options.query()
            let rows = try query.actions(try options.days(try options.zone(query)))
            let table = Table(["ACTION", "FRAMES", "TIME", "REPS", "DAYS"], rightAligned: [1, 2, 3, 4])
            try options.show(rows, table) { row in
                [
                    row.label, String(row.frames), duration(row.seconds), row.reps.map(String.init) ?? "-",
                    String(row.days),
                ]
            }
        }
    }

    struct Sessions: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Session by session, the newest first.")
        @OptionGroup var options: Options

        func run() throws {
            let query = try options.query()
            let zone = try options.zone(query)
            let rows = try query.sessions(try options.sessions(zone))
            let table = Table(["BEGAN", "LASTED", "CAMERA", "PERSON", "ACTIONS", "ENDED BY"], rightAligned: [1, 3])
            try options.show(rows, table) { row in
                let actions = row.actions.map { action -> String in
                    let reps = action.reps.map { " (\($0) reps)" } ?? ""
                    return "\(action.label) \(duration(action.seconds))\(reps)"
                }.joined(separator: ", ")
                return [
                    local(row.start, zone), length(row.start, row.end), row.camera, String(row.track), actions,
                    row.endReason ?? "(open)",
                ]
            }
        }
    }

    struct Days: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Day by day and camera by camera.")
        @OptionGroup var options: Options

        func run() throws {
            let query = try options.query()
            let rows = try query.days(try options.days(try options.zone(query)))
            let table = Table(["DAY", "CAMERA", "SESSIONS", "ACTIONS"], rightAligned: [2])
            try options.show(rows, table) { row in
                let actions = row.seconds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                    .map { "\($0.key) \(duration($0.value))" }.joined(separator: ", ")
                return [row.day, row.camera, String(row.sessions), actions]
            }
        }
    }
}

extension History {
    struct Predictions: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prediction by prediction, the newest first; kept for history.prediction_days.")
        @OptionGroup var options: Options

        func run() throws {
            let query = try options.query()
            let zone = try options.zone(query)
            var rows: [StoredPrediction] = []
            try query.predictions(try options.sessions(zone)) { rows.append($0) }
            let table = Table(["TIME", "CAMERA", "PERSON", "LABEL", "CONFIDENCE", "FRAMES"], rightAligned: [2, 4, 5])
            try options.show(rows, table) { row in
                [
                    local(row.time, zone), row.camera, String(row.track), row.label,
                    String(format: "%.2f", row.confidence), String(row.frames),
                ]
            }
        }
    }
}

/// `12 s`, `4 min 05 s`, `1 h 02 min`.
private func duration(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    if whole < 60 { return String(format: "%.1f s", seconds) }
    if whole < 3600 { return String(format: "%d min %02d s", whole / 60, whole % 60) }
    return String(format: "%d h %02d min", whole / 3600, whole / 60 % 60)
}

private func local(_ text: String, _ zone: TimeZone) -> String {
    guard let date = Moment.parse(text) else { return text }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = zone
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
    return formatter.string(from: date)
}

private func length(_ start: String, _ end: String) -> String {
    guard let start = Moment.parse(start), let end = Moment.parse(end) else { return "-" }
    return duration(end.timeIntervalSince(start))
}
