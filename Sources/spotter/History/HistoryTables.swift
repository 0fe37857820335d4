import CommandLineProgram
import Agent
import ArgumentParser
import Foundation
import History

/// The subcommands of `spotter history`: one table each.
extension History {
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

    struct WorkoutList: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "workouts", abstract: "Workout by workout, the newest first; `spotter workout show` shows one."
        )
        @OptionGroup var options: Options

        @Option(help: ArgumentHelp("Only workouts of this name.", valueName: "name"))
        var name: String?

        func run() throws {
            try options.refuseZone()
            let query = try options.query()
            let zone = try options.zone(query)
            let sessions = try options.sessions(zone)
            let filter = WorkoutFilter(
                since: sessions.since, until: sessions.until, camera: sessions.camera, name: name, limit: sessions.limit
            )
            let table = Table(
                ["ID", "BEGAN", "LASTED", "CAMERA", "NAME", "PLAN", "STEPS", "REPS", "ENDED BY"],
                rightAligned: [2, 6, 7])
            try options.show(table) { (row: WorkoutRow) in
                let body = row.body
                return [
                    String(row.id.prefix(13)), Wording.local(body.start, zone), Wording.length(body.start, body.end),
                    body.camera, body.name ?? "-", body.planName, "\(body.completedSteps)/\(body.steps.count)",
                    String(body.reps), body.endReason ?? "(open)",
                ]
            } each: {
                let rows = try query.workouts(filter)
                try rows.filter { row in options.action.map(row.body.steps.map(\.action).contains) ?? true }.forEach($0)
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
