import Actions
import Contract
import Foundation
import History
import Records
import Words
import Workouts

/// A report as one HTML page that prints well. It loads nothing.
struct ProgressPage {
    private let report: ProgressReport

    private let words: Words

    init(_ report: ProgressReport, _ words: Words) { (self.report, self.words) = (report, words) }

    private func say(_ key: String, _ values: [String: String] = [:]) -> String {
        words.say(key, in: .report, values)
    }

    /// The page.
    var html: String {
        let body =
            report.plans.isEmpty
            ? "<p>\(say("nothing").escapedForHTML)</p>" : report.plans.map(section).joined()
        let span = say("span", ["from": words.day(report.from), "to": words.day(report.to)]).escapedForHTML
        return """
            <!doctype html><html lang="\(words.language.rawValue)"><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(report.name.escapedForHTML) · \(span)</title><style>\(Self.style)</style>
            <h1>\(report.name.escapedForHTML)</h1><p class="soft">\(span)</p>
            \(body)
            <footer>\(say("disclaimer").escapedForHTML)</footer></html>

            """
    }

    private func section(_ plan: ProgressReport.Plan) -> String {
        let prescription = plan.prescription.map { prescription in
            let pain = prescription.asksPain ? say("pain_limit", ["n": String(prescription.painLimit)]) : ""
            let end = prescription.ends.map { say("until", ["day": words.day($0)]) } ?? ""
            let days = words.count(prescription.daysAWeek, "prescribed", in: .report, ["end": end, "pain": pain])
            return "<p>\(days.escapedForHTML)</p>"
        }
        return
            "<section><h2>\(plan.name.escapedForHTML)</h2>\(prescription ?? "")<p>\(plan.summary(words).escapedForHTML).</p>"
            + plan.exercises.map(exercise).joined() + "</section>"
    }

    private func exercise(_ exercise: ProgressReport.Exercise) -> String {
        let done = exercise.points.filter { !$0.skipped }
        let pains = done.compactMap { point in
            point.pain.map { ProgressChart.Point(day: point.day, value: Double($0), uncertainty: 0) }
        }
        let charts = [
            chart(say("range_title"), done, \.range, least: exercise.rangeLeast, most: exercise.rangeMost),
            chart(say("seconds_title"), done, \.tempo, least: exercise.secondsLeast, most: exercise.secondsMost),
            Set(pains.map(\.day)).count < 2
                ? ""
                : ProgressChart(title: say("pain_title"), wanted: say("wanted"), points: pains, bounds: 0...10) {
                    String(Int($0))
                } day: {
                    words.day($0)
                }.html,
        ].joined()
        let rows = exercise.points.map { point in
            // The arm64 package's compiler gives up on one long expression.
            let range = point.measured?.range.map { words.numbers(in: $0.words) }
            let tempo = point.measured?.tempo.map { words.numbers(in: $0.words) }
            let measured = [range, tempo, point.measured?.scores, point.pain.map { "\($0)" }].map { $0 ?? "–" }
            let cells = [words.day(point.day), point.skipped ? say("skipped") : point.planned(words)] + measured
            return "<tr>" + cells.map { "<td>\($0.escapedForHTML)</td>" }.joined() + "</tr>"
        }.joined()
        let heads = ["day", "repetitions", "range", "tempo", "score", "pain"]
            .map { "<th>\(say($0).escapedForHTML)</th>" }.joined()
        return """
            <h3>\(words.label(exercise.action).escapedForHTML)</h3><div class="charts">\(charts)</div>
            <table><thead><tr>\(heads)</tr></thead><tbody>\(rows)</tbody></table>
            """
    }

    /// The chart of one measurement; empty before the second day. Other measurements of the range are left out.
    private func chart(
        _ title: String, _ points: [ProgressReport.Point], _ value: KeyPath<StepForm, StepForm.Value?>,
        least: Double?, most: Double?
    ) -> String {
        let found = points.compactMap { point in point.measured?[keyPath: value].map { (point.day, $0) } }
        guard let measure = found.first.flatMap({ FormMeasurement(rawValue: $0.1.measure) }) else { return "" }
        let same = found.filter { $0.1.measure == measure.rawValue }
        // One day is no progress; the table says it.
        guard Set(same.map(\.0)).count > 1 else { return "" }
        let name = words.translated(measure.words)
        return ProgressChart(
            title: measure == .seconds || title.lowercased() == name.lowercased() ? title : "\(title): \(name)",
            wanted: say("wanted"),
            points: same.map { .init(day: $0.0, value: $0.1.value, uncertainty: $0.1.uncertainty) },
            least: least, most: most, label: { words.numbers(in: measure.text($0)) }, day: { words.day($0) }
        ).html
    }

    private static let style = """
        :root{color-scheme:light}body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;\
        color:#1b1f23;background:#fff}h1{margin:0}h2{margin-top:2rem;border-top:2px solid #1b1f23;padding-top:.6rem}\
        .soft,footer{color:#57606a}footer{margin-top:2rem;border-top:1px solid #d0d7de;padding-top:.6rem}\
        .charts{display:grid;grid-template-columns:1fr 1fr;gap:0 1rem}h3{margin:1.4rem 0 .2rem;break-after:avoid}\
        figure{margin:.4rem 0;break-inside:avoid}figcaption{font-weight:600;font-size:.9rem}svg{width:100%;height:auto}\
        polyline{fill:none;stroke:#0b5cad;stroke-width:2}circle{fill:#0b5cad}line{stroke:#0b5cad;stroke-width:2}\
        .band{fill:#2da44e22}text{font-size:12px;fill:#57606a}.axis{text-anchor:end}.day{text-anchor:middle}\
        table{border-collapse:collapse;width:100%;font-size:.9rem;break-inside:avoid}\
        th,td{text-align:left;padding:.25rem .4rem;border-bottom:1px solid #d0d7de}\
        @media print{body{margin:0;max-width:none;font-size:12px}h2{break-after:avoid}}
        """
}
