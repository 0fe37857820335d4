import Actions
import ArgumentParser
import CommandLineProgram
import Contract
import Foundation
import History
import Records
import Workouts

extension WorkoutCommand {
    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the workouts that go on, as they were stored a moment ago.")
        @OptionGroup var options: Options

        func run() throws {
            let rows = try options.query().workouts(WorkoutFilter(isOpen: true))
            if options.json { return try JSON.print(rows) }
            guard !rows.isEmpty else {
                Output.line("No workout goes on; `spotter workout start PLAN` starts one.")
                return
            }
            var table = Table(["CAMERA", "NAME", "PLAN", "STEP", "EXERCISE", "DONE", "REPS"], rightAligned: [5, 6])
            for row in rows {
                let number = row.body.currentStep
                let step = row.body.steps[number]
                table.add([
                    row.body.camera, row.body.name ?? "-", row.body.planName, "\(number + 1)/\(row.body.steps.count)",
                    step.action, step.progress, String(row.body.reps),
                ])
            }
            table.print()
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows one workout: planned and done, rests, hints, and the last time beside it.")
        @OptionGroup var options: Options

        @Argument(help: "The workout's id, as `spotter history workouts` prints it; the newest workout without it.")
        var id: String?

        private struct Shown: Encodable {
            var workout: WorkoutRow
            var before: WorkoutRow?
        }

        func run() throws {
            let query = try options.query()
            let found =
                try id.map { id in try query.workoutId(id).flatMap(query.workout) }
                ?? query.workouts(WorkoutFilter(limit: 1)).first
            guard let row = found else {
                throw Unknown(
                    description: id.map { "no workout '\($0)': `spotter history workouts` lists them" }
                        ?? "no workout was done yet: `spotter workout start PLAN` starts one")
            }
            let before = try query.workout(before: row)
            if options.json { return try JSON.print(Shown(workout: row, before: before)) }
            let zone = try query.zone()
            for line in WorkoutSummary(row.body, before: before?.body, zone: zone).lines { Output.line(line) }
        }
    }

    struct Board: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the best challenges of the day, by the names that were given.")
        @OptionGroup var options: Options

        @Option(help: ArgumentHelp("The day, such as 2026-11-21; today without it.", valueName: "day"))
        var day: String?

        func validate() throws {
            if let day, TypedMoment(day).date(in: .current) == nil {
                throw ValidationError("--day takes a day such as 2026-11-21, not '\(day)'.")
            }
        }

        func run() throws {
            guard try options.database.configurationFile.read().workouts.board else {
                throw Unknown(description: "the board is switched off: workouts.board = false")
            }
            let query = try options.query()
            let zone = try query.zone()
            let moment = TypedMoment(day ?? TypedMoment("0h").day(in: zone) ?? "0h")
            guard let start = moment.date(in: zone), let end = moment.date(in: zone, endOfDay: true) else { return }
            let rows = try query.board(since: start, until: end)
            if options.json { return try JSON.print(rows) }
            guard !rows.isEmpty else {
                Output.line("No challenge with a name was done on this day.")
                return
            }
            var table = Table(["CHALLENGE", "NAME", "REPS", "AT"], rightAligned: [2])
            for row in rows {
                table.add([
                    row.body.planName, row.body.name ?? "-", String(row.body.reps), Wording.local(row.body.end, zone),
                ])
            }
            table.print()
        }
    }
}

/// A workout in words and a table.
struct WorkoutSummary {
    private let body: WorkoutBody
    private let before: WorkoutBody?
    private let zone: TimeZone

    /// - Parameter before: the last workout of the same name and plan; `nil` for none.
    init(_ body: WorkoutBody, before: WorkoutBody?, zone: TimeZone) {
        self.body = body
        self.before = before
        self.zone = zone
    }

    /// The lines to print.
    var lines: [String] {
        var head = "\(body.planName), \(Wording.local(body.start, zone)), \(body.camera)"
        if let name = body.name { head = "\(name): \(head)" }
        var table = Table(
            ["STEP", "EXERCISE", "PLANNED", "DONE", "TIME", "REST", "RANGE", "TEMPO", "SCORE"]
                + (before == nil ? [] : ["LAST TIME"]),
            rightAligned: [0, 2, 3, 4, 5, 6, 7, 8, 9])
        for (number, step) in body.steps.enumerated() {
            let last = before.map { $0.steps.indices.contains(number) ? $0.steps[number].done : "-" }
            // The arm64 package's compiler gives up on one long expression.
            let action = step.side.map { "\(step.action) \($0)" } ?? step.action
            let rest = step.restBeforeSeconds.map(DurationText.of)
            let range = step.measured?.range.map(\.words), tempo = step.measured?.tempo.map(\.words)
            var cells = ["\(number + 1)", action, step.planned, step.done, DurationText.of(step.seconds)]
            cells += [rest, range, tempo, step.measured?.scores].map { $0 ?? "-" }
            if let last { cells.append(last) }
            table.add(cells)
        }
        let said = body.steps.enumerated().flatMap { number, step in
            step.said.map { "  step \(number + 1): \($0)" }
        }
        let score = "The score is that of range and repetitions / that of trunk, symmetry and tempo."
        let hasScores = body.steps.contains { $0.measured?.whole != nil }
        return [head] + table.lines + said + (hasScores ? [score] : []) + [total]
    }

    private var total: String {
        let steps = "\(body.completedSteps) of \(body.steps.count.counted("step"))"
        let end = body.endReason.map { "; ended: \($0.replacing("_", with: " "))" } ?? "; goes on"
        let work = { (reps: Int, start: String, end: String) in
            "\(reps.counted("repetition")) in \(DurationText.between(start, end))"
        }
        let last = before.map { "; last time \(work($0.reps, $0.start, $0.end))" } ?? ""
        return "\(steps), \(work(body.reps, body.start, body.end))\(end)\(last)"
    }
}

extension WorkoutBody {
    /// The index of the first step that has not ended.
    var currentStep: Int { steps.firstIndex { $0.end == nil } ?? steps.count - 1 }
}

extension WorkoutBody.Step {
    /// What was planned: `12` or `45.0 s`.
    var planned: String { plannedReps.map(String.init) ?? plannedSeconds.map(DurationText.of) ?? "-" }

    /// What was done: `12`, `31.5 s` or `skipped`.
    var done: String {
        if skipped { return reps > 0 ? "\(reps), skipped" : "skipped" }
        if start == nil { return "-" }
        return plannedSeconds == nil ? String(reps) : DurationText.of(seconds)
    }

    /// What was said in it, and what the standard, the speeds and the person say of it.
    var said: [String] {
        var lines = cues ?? []
        if let misses = measured?.noReps, misses > 0 {
            lines.append("\(misses.counted("no-rep")) beside \(reps.counted("repetition"))")
        }
        if let unknown = measured?.unjudged, unknown > 0 {
            lines.append("\(unknown.counted("repetition")) could not be judged in full from this side: counted")
        }
        if let left = measured?.leftReps, let right = measured?.rightReps {
            lines.append("\(left) left, \(right) right")
        }
        if stopAtSlower != nil, let speeds = measured?.speeds {
            let loss = measured?.speedLoss.map { "; the last two are \($0.words) slower" } ?? ""
            lines.append("speed up: \(speeds.map(String.init).joined(separator: " ")) %\(loss)")
        }
        if stopped != nil { lines.append("ended because the repetitions became slower") }
        if let pain { lines.append("pain \(pain) of 10") }
        return lines
    }

    /// Done of planned: `8/12`.
    var progress: String { "\(start == nil ? "0" : done)/\(planned)" }
}

extension StepForm.Value {
    /// The value with its error: `92 ± 5°` or `2.1 ± 0.1 s`.
    var words: String {
        guard let measure = FormMeasurement(rawValue: measure) else { return "\(value)" }
        return measure.text(value, uncertainty: uncertainty)
    }
}

extension StepForm {
    /// The scores of the primary outcome and of the control: `95 / 80`.
    var scores: String? {
        guard primary != nil || control != nil else { return nil }
        return [primary, control].map { $0.map(String.init) ?? "-" }.joined(separator: " / ")
    }
}
