import ArgumentParser
import CommandLineProgram
import Foundation
import History
import Records

struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sums up a person's workouts, or says how often the node is right.",
        discussion: """
            With --name: how often the person trained, range and tempo over time, pain,
            and what was skipped. The name is what was typed when the workouts were
            started. Every range and tempo has its standard error. This is no medical
            device, and the report is no diagnosis.

            With --node: how often the node is right, by the answers to what it asked;
            see `spotter learn accuracy --help`.

            EXAMPLES
              spotter report --node
              spotter report --name anna --weeks 4
              spotter report --name anna --weeks 4 --html anna.html
              spotter report --name anna --json | jq '.plans[].adherence'
            """)
    @OptionGroup var database: Database.Options

    @Option(help: "The name that was typed.")
    var name: String?

    @Flag(help: "How often this node is right, in place of a person's workouts.")
    var node = false

    @Option(
        help: ArgumentHelp(
            "How many weeks back, today included (default: 4; with --node \(Accuracy.usualWeeks)).", valueName: "n"))
    var weeks: Int?

    @Option(help: ArgumentHelp("Also write a page for the browser and the printer.", valueName: "file"))
    var html: String?

    @Flag(help: "Print JSON instead of tables.")
    var json = false

    func validate() throws {
        guard (1...520).contains(weeks ?? 1) else { throw ValidationError("--weeks takes a number from 1 to 520.") }
        guard (name == nil) == node else {
            throw ValidationError("say whose report: --name NAME for a person, or --node for this node.")
        }
        if node, html != nil {
            throw ValidationError("--html is for a person's report; the page of the node is /learn.")
        }
    }

    func run() throws {
        let query = try HistoryQuery(path: try database.path())
        guard let name else {
            let report = try NodeReport(query, weeks: weeks ?? Accuracy.usualWeeks)
            if json { return try JSON.print(report) }
            return report.lines.forEach { Output.line($0) }
        }
        let zone = try query.zone()
        let rows = try query.workouts(WorkoutFilter(name: name))
        guard !rows.isEmpty else {
            throw PersonNames.unknown(name, among: try query.workoutNames())
        }
        let report = ProgressReport(rows, name: name, weeks: weeks ?? 4, now: Date(), zone: zone)
        if let html {
            do { try Data(ProgressPage(report).html.utf8).write(to: URL(filePath: html), options: .atomic) } catch {
                throw CannotWrite(
                    description: "cannot write \(html): \(error.fileReason); choose another place with --html")
            }
        }
        if json { return try JSON.print(report) }
        for line in ProgressText(report).lines { Output.line(line) }
        if let html { Output.line("\nwritten: \(html)") }
    }

    /// The page cannot be written.
    struct CannotWrite: Error, CustomStringConvertible {
        let description: String
    }
}

/// A report as text for a terminal.
struct ProgressText {
    let report: ProgressReport

    init(_ report: ProgressReport) { self.report = report }

    /// The lines to print.
    var lines: [String] {
        let head = "\(report.name), \(report.from) to \(report.to)"
        guard !report.plans.isEmpty else { return [head, "No workout has ended in this time."] }
        return [head] + report.plans.flatMap(lines) + ["", ProgressReport.disclaimer]
    }

    private func lines(_ plan: ProgressReport.Plan) -> [String] {
        var table = Table(
            ["DAY", "EXERCISE", "REPS", "RANGE", "TEMPO", "SCORE", "PAIN"], rightAligned: [2, 3, 4, 5, 6])
        let points = plan.exercises.flatMap { exercise in exercise.points.map { (exercise.action, $0) } }
        for (action, point) in points.sorted(by: { $0.1.workout < $1.1.workout }) {
            table.add([
                point.day, action, point.skipped ? "skipped" : point.planned,
                point.measured?.range.map(\.words) ?? "-", point.measured?.tempo.map(\.words) ?? "-",
                point.measured?.scores ?? "-", point.pain.map(String.init) ?? "-",
            ])
        }
        return ["", plan.name, plan.summary] + (points.isEmpty ? [] : table.lines)
    }
}

extension ProgressReport {
    /// What a report is not.
    static let disclaimer =
        "Measured by one camera, with the standard error after ±. This is no medical device and no diagnosis."
}

extension ProgressReport.Point {
    /// The repetitions of those planned: `8 of 10`.
    var planned: String { plannedReps.map { "\(reps) of \($0)" } ?? String(reps) }
}

extension ProgressReport.Plan {
    /// How often it was done: one sentence.
    var summary: String {
        let skipped = exercises.reduce(0) { $0 + $1.skipped }
        let count = "\(workouts.counted("workout")), \(completed) of them complete"
        var parts = [workouts == 0 ? "no workout" : count]
        if let prescribedDays, let adherence {
            parts.append(
                "on \(days) of \(prescribedDays) prescribed days (\(Int((100 * adherence).rounded())) %)")
        } else {
            parts.append("on \(days.counted("day"))")
        }
        if skipped > 0 { parts.append("\(skipped.counted("step")) skipped") }
        if endedByPain > 0 { parts.append("\(endedByPain) ended because of pain") }
        return parts.joined(separator: ", ")
    }
}
