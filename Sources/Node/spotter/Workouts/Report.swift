import ArgumentParser
import CommandLineProgram
import Foundation
import History
import Records
import Words

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

    @Option(help: ArgumentHelp("The language of the page: en or de (default: display.language).", valueName: "code"))
    var language: Language?

    @Flag(help: "Print JSON instead of tables.")
    var json = false

    func validate() throws {
        guard (1...520).contains(weeks ?? 1) else { throw ValidationError("--weeks takes a number from 1 to 520.") }
        guard (name == nil) == node else {
            throw ValidationError("say whose report: --name NAME for a person, or --node for this node.")
        }
        if language != nil, html == nil {
            throw ValidationError("--language is for the page that --html writes.")
        }
        if node, html != nil {
            throw ValidationError("--html is for a person's report; the page of the node is /learn.")
        }
    }

    func run() throws {
        let query = try database.query()
        try OutputFile.check(html, sparing: [database.path()])
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
            let page = ProgressPage(report, try words()).html
            try OutputFile.write(Data(page.utf8), to: html, isPersonal: true)
        }
        if json { return try JSON.print(report) }
        for line in ProgressText(report).lines { Output.line(line) }
        if let html { Output.line("\nwritten: \(html)") }
    }

    /// The words of the page.
    private func words() throws -> Words {
        if let language { return Words(language) }
        return (try? database.configurationFile.read().words) ?? Words(.english)
    }
}

/// A report as text for a terminal.
struct ProgressText {
    let report: ProgressReport
    /// Commands speak English.
    private let words = Words(.english)

    init(_ report: ProgressReport) { self.report = report }

    /// The lines to print.
    var lines: [String] {
        let head = "\(report.name), " + words.say("span", in: .report, ["from": report.from, "to": report.to])
        guard !report.plans.isEmpty else { return [head, words.say("nothing", in: .report)] }
        return [head] + report.plans.flatMap(lines) + ["", words.say("disclaimer", in: .report)]
    }

    private func lines(_ plan: ProgressReport.Plan) -> [String] {
        var table = Table(
            ["DAY", "EXERCISE", "REPS", "RANGE", "TEMPO", "SCORE", "PAIN"], rightAligned: [2, 3, 4, 5, 6])
        let points = plan.exercises.flatMap { exercise in exercise.points.map { (exercise.action, $0) } }
        for (action, point) in points.sorted(by: { $0.1.workout < $1.1.workout }) {
            table.add([
                point.day, action, point.skipped ? words.say("skipped", in: .report) : point.planned(words),
                point.measured?.range.map(\.words) ?? "-", point.measured?.tempo.map(\.words) ?? "-",
                point.measured?.scores ?? "-", point.pain.map(String.init) ?? "-",
            ])
        }
        return ["", plan.name, plan.summary(words)] + (points.isEmpty ? [] : table.lines)
    }
}

extension ProgressReport.Point {
    /// The repetitions of those planned: `8 of 10`.
    func planned(_ words: Words) -> String {
        plannedReps.map { words.say("of_planned", in: .report, ["n": String(reps), "all": String($0)]) } ?? String(reps)
    }
}

extension ProgressReport.Plan {
    /// How often it was done: one sentence.
    func summary(_ words: Words) -> String {
        let skipped = exercises.reduce(0) { $0 + $1.skipped }
        let done = words.say(
            "complete", in: .report,
            ["workouts": words.count(workouts, "workouts", in: .workouts), "n": String(completed)])
        var parts = [workouts == 0 ? words.say("no_workout", in: .report) : done]
        if let prescribedDays, let adherence {
            let values = [
                "n": String(days), "all": String(prescribedDays), "percent": String(Int((100 * adherence).rounded())),
            ]
            parts.append(words.say("prescribed_days", in: .report, values))
        } else {
            parts.append(words.count(days, "on_days", in: .report))
        }
        if skipped > 0 { parts.append(words.count(skipped, "skipped", in: .report)) }
        if endedByPain > 0 { parts.append(words.say("ended_by_pain", in: .report, ["n": String(endedByPain)])) }
        return parts.joined(separator: ", ")
    }
}

extension Language: ExpressibleByArgument {}
