import Actions

/// A training as one HTML page that needs nothing else: the curves, the figures per label, the confusion matrix,
/// the clips that could not be used, and the parameters.
public struct TrainingReport: Sendable {
    private let model: TrainedModel

    public init(_ model: TrainedModel) { self.model = model }

    public var html: String {
        let name = Self.escaped(model.description.name)
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Training of \(name)</title>
            <style>\(Self.style)</style></head><body>
            <h1>Training of \(name)</h1>
            \(summary)
            \(curves)
            \(figures)
            \(confusion)
            \(rejected)
            \(parameters)
            </body></html>

            """
    }

    private var summary: String {
        let passes = "\(model.history.count) passes over \(model.trainingClips) clips"
        let held = "\(model.validationClips) clips of other people held out"
        let stop = model.wasCancelled ? ", stopped by hand" : ""
        guard let evaluation = model.evaluation else { return "<p>\(passes)\(stop); nothing held out.</p>" }
        return """
            <p>\(passes), \(held)\(stop). On \(evaluation.windows) held-out windows: accuracy
            <b>\(Self.percent(evaluation.accuracy))</b>, mean recall <b>\(Self.percent(evaluation.macroRecall))</b>,
            calibration error \(Self.percent(evaluation.calibrationError)) at temperature \(model.description.temperature).</p>
            """
    }

    /// Loss, and shares right, over the passes.
    private var curves: String {
        let loss = model.history.map { Double($0.loss) }
        let learned = model.history.map { Double($0.trainingAccuracy) }
        let held = model.history.compactMap { $0.validation.map { Double($0.macroRecall) } }
        let highest = max(loss.max() ?? 1, 1e-9)
        return """
            <h2>Curves</h2>
            <div class="curves">
            \(Self.chart("Loss, to \(Self.rounded(highest))", [("loss", loss.map { $0 / highest })]))
            \(Self.chart("Right, to 100 %", [("training", learned), ("held-out recall", held)]))
            </div>
            """
    }

    private var figures: String {
        guard let evaluation = model.evaluation else { return "" }
        let rows = evaluation.classes.map { row in
            "<tr><th>\(Self.escaped(row.label))</th><td>\(row.windows)</td><td>\(Self.percent(row.precision))</td>"
                + "<td>\(Self.percent(row.recall))</td><td>\(Self.percent(row.f1))</td></tr>"
        }
        return """
            <h2>Labels</h2>
            <table><tr><th>label</th><th>windows</th><th>precision</th><th>recall</th><th>F1</th></tr>
            \(rows.joined(separator: "\n"))
            </table>
            """
    }

    private var confusion: String {
        guard let evaluation = model.evaluation else { return "" }
        let names = evaluation.classes.map(\.label) + [PseudoLabel.lowConfidence.rawValue]
        let head = names.map { "<th>\(Self.escaped($0))</th>" }.joined()
        let rows = evaluation.confusion.enumerated().map { label, row in
            let total = Double(max(row.reduce(0, +), 1))
            let cells = row.enumerated().map { column, count in
                let hue = column == label ? "120,60%" : "0,70%"
                let shade = "background:hsl(\(hue),\(Int(100 - 45 * Double(count) / total))%)"
                return "<td style=\"\(shade)\">\(count)</td>"
            }
            return "<tr><th>\(Self.escaped(names[label]))</th>\(cells.joined())</tr>"
        }
        return """
            <h2>Confusion</h2>
            <p>Rows: the true label. Columns: what was said, in windows.</p>
            <table><tr><th></th>\(head)</tr>
            \(rows.joined(separator: "\n"))
            </table>
            """
    }

    private var rejected: String {
        guard !model.rejected.isEmpty else { return "" }
        let items = model.rejected.map { "<li>\(Self.escaped($0.name)): \(Self.escaped($0.reason))</li>" }
        return "<h2>Clips that could not be used</h2>\n<ul>\n\(items.joined(separator: "\n"))\n</ul>"
    }

    private var parameters: String {
        let all = model.description.trainingParameters.merging(
            ["seed": "\(model.description.seed)", "training_data_sha256": model.description.trainingDataDigest]
        ) { first, _ in first }
        let rows = all.sorted { $0.key < $1.key }.map {
            "<tr><th>\(Self.escaped($0.key))</th><td class=\"text\">\(Self.escaped($0.value))</td></tr>"
        }
        return "<h2>Parameters</h2>\n<table>\n\(rows.joined(separator: "\n"))\n</table>"
    }
}

// MARK: - Pieces

extension TrainingReport {
    /// Lines over the passes; all values are 0…1.
    private static func chart(_ title: String, _ lines: [(name: String, values: [Double])]) -> String {
        let (width, height) = (360.0, 160.0)
        let paths = lines.enumerated().map { index, line in
            let step = width / Double(max(line.values.count - 1, 1))
            let points = line.values.enumerated().map { place, value in
                "\(rounded(Double(place) * step)),\(rounded(height * (1 - min(max(value, 0), 1))))"
            }
            return "<polyline points=\"\(points.joined(separator: " "))\" class=\"line\(index)\"/>"
                + "<text x=\"\(width - 4)\" y=\"\(16 + 16 * index)\" class=\"line\(index)\">\(escaped(line.name))</text>"
        }
        return """
            <figure><figcaption>\(escaped(title))</figcaption>
            <svg viewBox="-2 -2 \(width + 4) \(height + 4)" role="img"><rect width="\(width)" height="\(height)"/>
            \(paths.joined(separator: "\n"))</svg></figure>
            """
    }

    private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

    private static func percent(_ share: Double?) -> String {
        share.map { "\(($0 * 1000).rounded() / 10) %" } ?? "–"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    private static let style = """
        body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
        table{border-collapse:collapse}th{text-align:left;font-weight:600}th,td{padding:.2rem .6rem}
        td{text-align:right}td.text{text-align:left;overflow-wrap:anywhere}
        .curves{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;flex:1 1 20rem}
        rect{fill:#f6f6f6}polyline{fill:none;stroke-width:2}text{font-size:12px;text-anchor:end}
        polyline.line0{stroke:#1565c0}polyline.line1{stroke:#ef6c00}text.line0{fill:#1565c0}text.line1{fill:#ef6c00}
        """
}
