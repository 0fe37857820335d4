import Actions
import Contract
import Foundation
import History
import Records
import Workouts

/// A report as one HTML page that prints well. It loads nothing.
struct ProgressPage {
    private let report: ProgressReport

    init(_ report: ProgressReport) { self.report = report }

    /// The page.
    var html: String {
        let body =
            report.plans.isEmpty
            ? "<p>No workout has ended in this time.</p>" : report.plans.map(section).joined()
        return """
            <!doctype html><html lang="en"><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(report.name.escapedForHTML) · \(report.from) to \(report.to)</title><style>\(Self.style)</style>
            <h1>\(report.name.escapedForHTML)</h1><p class="soft">\(report.from) to \(report.to)</p>
            \(body)
            <footer>\(ProgressReport.disclaimer.escapedForHTML)</footer></html>

            """
    }

    private func section(_ plan: ProgressReport.Plan) -> String {
        let prescription = plan.prescription.map { prescription in
            let pain = prescription.asksPain ? ", ends above a pain of \(prescription.painLimit) of 10" : ""
            let end = prescription.ends.map { ", until \($0)" } ?? ""
            return "<p>Prescribed: \(prescription.daysAWeek.counted("day")) a week\(end)\(pain).</p>"
        }
        return
            "<section><h2>\(plan.name.escapedForHTML)</h2>\(prescription ?? "")<p>\(plan.summary.escapedForHTML).</p>"
            + plan.exercises.map(exercise).joined() + "</section>"
    }

    private func exercise(_ exercise: ProgressReport.Exercise) -> String {
        let done = exercise.points.filter { !$0.skipped }
        let pains = done.compactMap { point in
            point.pain.map { ProgressChart.Point(day: point.day, value: Double($0), uncertainty: 0) }
        }
        let charts = [
            chart("Range of motion", done, \.range, least: exercise.rangeLeast, most: exercise.rangeMost),
            chart("Seconds of a repetition", done, \.tempo, least: exercise.secondsLeast, most: exercise.secondsMost),
            Set(pains.map(\.day)).count < 2
                ? ""
                : ProgressChart(title: "Pain, 0 to 10", points: pains, bounds: 0...10) { String(Int($0)) }.html,
        ].joined()
        let rows = exercise.points.map { point in
            // The arm64 package's compiler gives up on one long expression.
            let range = point.measured?.range.map(\.words), tempo = point.measured?.tempo.map(\.words)
            let measured = [range, tempo, point.measured?.scores, point.pain.map { "\($0)" }].map { $0 ?? "–" }
            let cells = [point.day, point.skipped ? "skipped" : point.planned] + measured
            return "<tr>" + cells.map { "<td>\($0.escapedForHTML)</td>" }.joined() + "</tr>"
        }.joined()
        return """
            <h3>\(exercise.action.replacing("_", with: " ").escapedForHTML)</h3><div class="charts">\(charts)</div>
            <table><thead><tr><th>Day</th><th>Repetitions</th><th>Range</th><th>Tempo</th>\
            <th>Score: range / control</th><th>Pain</th></tr></thead><tbody>\(rows)</tbody></table>
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
        return ProgressChart(
            title: measure == .seconds || title.lowercased() == measure.words ? title : "\(title): \(measure.words)",
            points: same.map { .init(day: $0.0, value: $0.1.value, uncertainty: $0.1.uncertainty) },
            least: least, most: most, label: measure.text
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
