import Actions
import Foundation
import History
import Workouts

/// A report as one HTML page that prints well. It loads nothing.
struct ProgressPage {
    private let report: ProgressReport
    private static let width = 640.0, height = 150.0, margin = 44.0

    init(_ report: ProgressReport) { self.report = report }

    /// The page.
    var html: String {
        let body =
            report.plans.isEmpty
            ? "<p>No workout has ended in this time.</p>" : report.plans.map(section).joined()
        return """
            <!doctype html><html lang="en"><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(text(report.name)) · \(report.from) to \(report.to)</title><style>\(Self.style)</style>
            <h1>\(text(report.name))</h1><p class="soft">\(report.from) to \(report.to)</p>
            \(body)
            <footer>\(text(ProgressReport.disclaimer))</footer></html>

            """
    }

    private func section(_ plan: ProgressReport.Plan) -> String {
        let prescription = plan.prescription.map { prescription in
            let pain = prescription.asksPain ? ", ends above a pain of \(prescription.painLimit) of 10" : ""
            let end = prescription.ends.map { ", until \($0)" } ?? ""
            return "<p>Prescribed: \(prescription.daysAWeek) days a week\(end)\(pain).</p>"
        }
        return "<section><h2>\(text(plan.name))</h2>\(prescription ?? "")<p>\(text(plan.summary)).</p>"
            + plan.exercises.map(exercise).joined() + "</section>"
    }

    private func exercise(_ exercise: ProgressReport.Exercise) -> String {
        let done = exercise.points.filter { !$0.skipped }
        let range = done.compactMap { point in point.measured?.range.map { (point.day, $0) } }
        let tempo = done.compactMap { point in point.measured?.tempo.map { (point.day, $0) } }
        let pains = done.compactMap { point in
            point.pain.map {
                (point.day, StepForm.Value(measure: "pain", value: Double($0), uncertainty: 0, unit: "", reps: 1))
            }
        }
        let charts = [
            chart("Range of motion", range, target: (exercise.rangeLeast, exercise.rangeMost)),
            chart("Seconds of a repetition", tempo, target: (exercise.secondsLeast, exercise.secondsMost)),
            chart("Pain, 0 to 10", pains, target: (nil, nil), bounds: (0, 10)),
        ].joined()
        let rows = exercise.points.map { point in
            let cells = [
                point.day, point.skipped ? "skipped" : point.planned, point.measured?.range.map(\.words) ?? "–",
                point.measured?.tempo.map(\.words) ?? "–", point.measured?.scores ?? "–",
                point.pain.map(String.init) ?? "–",
            ]
            return "<tr>" + cells.map { "<td>\(text($0))</td>" }.joined() + "</tr>"
        }.joined()
        return """
            <h3>\(text(exercise.action.replacing("_", with: " ")))</h3>\(charts)
            <table><thead><tr><th>Day</th><th>Repetitions</th><th>Range</th><th>Tempo</th>\
            <th>Score: range / control</th><th>Pain</th></tr></thead><tbody>\(rows)</tbody></table>
            """
    }

    /// A line through time with error bars, and a band for the target; nothing without values.
    private func chart(
        _ title: String, _ points: [(day: String, value: StepForm.Value)], target: (least: Double?, most: Double?),
        bounds: (Double, Double)? = nil
    ) -> String {
        guard let first = points.first else { return "" }
        let measure = FormMeasurement(rawValue: first.value.measure)
        let same = points.filter { $0.value.measure == first.value.measure }
        let edges =
            same.flatMap { [$0.value.value - $0.value.uncertainty, $0.value.value + $0.value.uncertainty] }
            + [target.least, target.most].compactMap(\.self)
        var (low, high) = bounds ?? (edges.min() ?? 0, edges.max() ?? 1)
        if bounds == nil {
            let room = max(0.15 * (high - low), 0.02 * abs(high), 0.05)
            (low, high) = (max(0, low - room), high + room)
        }
        func y(_ value: Double) -> Double {
            let share = (min(max(value, low), high) - low) / max(high - low, 1e-9)
            return ((1 - share) * (Self.height - 30) + 8).rounded()
        }
        func x(_ index: Int) -> Double {
            let room = Self.width - 2 * Self.margin
            return (Self.margin + (same.count > 1 ? room * Double(index) / Double(same.count - 1) : room / 2)).rounded()
        }
        func label(_ value: Double) -> String { text(measure?.text(value) ?? String(Int(value))) }
        var parts: [String] = []
        if target.least != nil || target.most != nil {
            let (top, bottom) = (y(target.most ?? high), y(target.least ?? low))
            parts.append(
                "<rect class=\"band\" x=\"\(Self.margin)\" y=\"\(top)\" width=\"\(Self.width - 2 * Self.margin)\" "
                    + "height=\"\(max(1, bottom - top))\"/>")
        }
        for value in [low, high] {
            parts.append("<text x=\"\(Self.margin - 6)\" y=\"\(y(value) + 4)\" class=\"axis\">\(label(value))</text>")
        }
        let line = same.indices.map { "\(x($0)),\(y(same[$0].value.value))" }.joined(separator: " ")
        parts.append("<polyline points=\"\(line)\"/>")
        for (index, point) in same.enumerated() {
            let (top, bottom) = (
                point.value.value + point.value.uncertainty, point.value.value - point.value.uncertainty
            )
            parts.append("<line x1=\"\(x(index))\" x2=\"\(x(index))\" y1=\"\(y(top))\" y2=\"\(y(bottom))\"/>")
            parts.append("<circle cx=\"\(x(index))\" cy=\"\(y(point.value.value))\" r=\"4\"/>")
        }
        for (index, day) in [(0, same.first?.day), (same.count - 1, same.count > 1 ? same.last?.day : nil)] {
            guard let day else { continue }
            parts.append("<text x=\"\(x(index))\" y=\"\(Self.height - 4)\" class=\"day\">\(day)</text>")
        }
        let name = measure.map { measure in measure == .seconds ? title : "\(title): \(measure.words)" } ?? title
        let hint = target.least == nil && target.most == nil ? "" : " <small>(green: what is wanted)</small>"
        return "<figure><figcaption>\(text(name))\(hint)</figcaption><svg viewBox=\"0 0 \(Self.width) \(Self.height)\" "
            + "role=\"img\" aria-label=\"\(text(name))\">\(parts.joined())</svg></figure>"
    }

    private func text(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    private static let style = """
        :root{color-scheme:light}body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;\
        color:#1b1f23;background:#fff}h1{margin:0}h2{margin-top:2rem;border-top:2px solid #1b1f23;padding-top:.6rem}\
        .soft,footer{color:#57606a}footer{margin-top:2rem;border-top:1px solid #d0d7de;padding-top:.6rem}\
        figure{margin:1rem 0;break-inside:avoid}figcaption{font-weight:600}svg{width:100%;height:auto}\
        polyline{fill:none;stroke:#0b5cad;stroke-width:2}circle{fill:#0b5cad}line{stroke:#0b5cad;stroke-width:2}\
        .band{fill:#2da44e22}text{font-size:12px;fill:#57606a}.axis{text-anchor:end}.day{text-anchor:middle}\
        table{border-collapse:collapse;width:100%;font-size:.9rem;break-inside:avoid}\
        th,td{text-align:left;padding:.25rem .4rem;border-bottom:1px solid #d0d7de}\
        @media print{body{margin:0;max-width:none}h2{break-after:avoid}}
        """
}
