import Actions
import Records

/// The building blocks of reports: one HTML page without external files.
enum ReportPage {
    static func page(_ title: String, _ sections: [String]) -> String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>\(title.escapedForHTML)</title>
        <style>\(style)</style></head><body>
        <h1>\(title.escapedForHTML)</h1>
        \(sections.filter { !$0.isEmpty }.joined(separator: "\n"))
        </body></html>

        """
    }

    static func verdict(_ verdict: TrainingVerdict) -> String {
        func list(_ title: String, _ sentences: [String]) -> String {
            guard !sentences.isEmpty else { return "" }
            return "<h3>\(title)</h3>\n<ul>\(sentences.map { "<li>\($0.escapedForHTML)</li>" }.joined())</ul>"
        }
        let rows = verdict.labels.map { label in
            [
                label.label.escapedForHTML, "\(label.clips)", "\(label.people)", "\(label.heldOut)", "\(label.right)",
                label.mistakenText.escapedForHTML,
            ]
        }
        return """
            <h2>\(verdict.isReady ? "Ready" : "Not ready")</h2>
            \(list("Why", verdict.reasons))
            \(list("How sure this is", verdict.warnings))
            \(list("What to do next", verdict.next))
            \(table(["label", "clips", "people", "held out", "recognised", "mistaken for"], rows))
            """
    }

    static func figures(_ evaluation: Evaluation) -> String {
        let rows = evaluation.classes.map { row in
            [row.label.escapedForHTML, "\(row.windows)", percent(row.precision), percent(row.recall), percent(row.f1)]
        }
        return "<h2>Labels</h2>\n" + table(["label", "windows", "precision", "recall", "F1"], rows)
    }

    static func confusion(_ evaluation: Evaluation) -> String {
        let names = evaluation.classes.map(\.label) + [PseudoLabel.lowConfidence.rawValue]
        // Labels that do not occur, neither as truth nor as an answer, are left out.
        let labels = evaluation.confusion.indices.filter { evaluation.confusion[$0].contains { $0 > 0 } }
        let columns = names.indices.filter { column in
            labels.contains(column) || evaluation.confusion.contains { $0[column] > 0 }
        }
        let head = columns.map { "<th>\(names[$0].escapedForHTML)</th>" }.joined()
        let rows = labels.map { label in
            let row = evaluation.confusion[label]
            let total = Double(max(row.reduce(0, +), 1))
            let cells = columns.map { column in
                let count = row[column]
                let hue = column == label ? "120,60%" : "0,70%"
                let shade = "background:hsl(\(hue),\(Int(100 - 45 * Double(count) / total))%)"
                return "<td style=\"\(shade)\">\(count)</td>"
            }
            return "<tr><th>\(names[label].escapedForHTML)</th>\(cells.joined())</tr>"
        }
        return """
            <h2>Confusion</h2>
            <p>Rows: the true label. Columns: the predicted label. Numbers are windows.</p>
            <table><tr><th></th>\(head)</tr>
            \(rows.joined(separator: "\n"))
            </table>
            """
    }

    static func clips(_ clips: ClipEvaluation) -> String {
        let rows = clips.exercises.map { row in
            [row.label.escapedForHTML, "\(row.clips)", percent(row.recall), percent(row.reportedRecall)]
        }
        let worst = clips.misunderstood.map { verdict in
            [
                verdict.clip.escapedForHTML, verdict.label.escapedForHTML, verdict.answer.escapedForHTML,
                percent(verdict.confidence),
                verdict.reported.escapedForHTML,
            ]
        }
        return """
            <h2>Whole clips</h2>
            <p>Mean recall <b>\(percent(clips.macroRecall))</b>, at the model's thresholds
            <b>\(percent(clips.macroReportedRecall))</b>. Of \(clips.negatives.counted("clip")) without an exercise
            \(percent(clips.falseAnswers)) were taken for one and <b>\(percent(clips.falseReports))</b> reported as one.
            Calibration error \(percent(clips.calibrationError)).</p>
            \(table(["exercise", "clips", "recall", "reported"], rows))
            \(reliability(clips))
            \(logged(clips.log))
            \(worst.isEmpty ? "" : "<h2>Worst clips</h2>\n" + table(["clip", "label", "answer", "confidence", "reported"], worst))
            """
    }

    private static func logged(_ log: LogFigures) -> String {
        guard !log.sentences.isEmpty else { return "" }
        let items = log.sentences.map { "<li>\($0.escapedForHTML)</li>" }
        return "<h2>As a node would log them</h2>\n<ul>\n\(items.joined(separator: "\n"))\n</ul>"
    }

    /// A reliability diagram: share of correct answers by confidence. On the diagonal the model is calibrated.
    private static func reliability(_ clips: ClipEvaluation) -> String {
        let side = 160.0
        let bars = (0..<10).compactMap { bin -> String? in
            let own = clips.verdicts.filter { min(Int($0.confidence * 10), 9) == bin }
            guard !own.isEmpty else { return nil }
            let right = Double(own.count(where: \.isRight)) / Double(own.count)
            let (x, height) = (Double(bin) * side / 10, side * right)
            return
                "<rect class=\"bar\" x=\"\(rounded(x + 1))\" y=\"\(rounded(side - height))\" width=\"\(side / 10 - 2)\" "
                + "height=\"\(rounded(height))\"><title>\(own.count.counted("clip")), \(percent(right)) right</title></rect>"
        }
        return """
            <figure><figcaption>Share of correct answers by confidence, both axes to 100 %</figcaption>
            <svg viewBox="-2 -2 \(side + 4) \(side + 4)" width="240" role="img"><rect width="\(side)" height="\(side)"/>
            \(bars.joined(separator: "\n"))
            <polyline points="0,\(side) \(side),0" class="line0"/></svg></figure>
            """
    }

    static func rejected(_ clips: [RejectedClip]) -> String {
        guard !clips.isEmpty else { return "" }
        let items = clips.map { "<li>\($0.name.escapedForHTML): \($0.reason.escapedForHTML)</li>" }
        return "<h2>Clips that could not be used</h2>\n<ul>\n\(items.joined(separator: "\n"))\n</ul>"
    }

    static func table(_ head: [String], _ rows: [[String]]) -> String {
        let lines = rows.map { row in
            "<tr><th>\(row[0])</th>" + row.dropFirst().map { "<td>\($0)</td>" }.joined() + "</tr>"
        }
        return """
            <table><tr>\(head.map { "<th>\($0)</th>" }.joined())</tr>
            \(lines.joined(separator: "\n"))
            </table>
            """
    }

    /// A line chart over the passes. All values are 0…1.
    static func chart(_ title: String, _ lines: [(name: String, values: [Double])]) -> String {
        let (width, height) = (360.0, 160.0)
        let paths = lines.enumerated().map { index, line in
            let step = width / Double(max(line.values.count - 1, 1))
            let points = line.values.enumerated().map { place, value in
                "\(rounded(Double(place) * step)),\(rounded(height * (1 - min(max(value, 0), 1))))"
            }
            return "<polyline points=\"\(points.joined(separator: " "))\" class=\"line\(index)\"/>"
                + "<text x=\"\(width - 4)\" y=\"\(16 + 16 * index)\" class=\"line\(index)\">\(line.name.escapedForHTML)</text>"
        }
        return """
            <figure><figcaption>\(title.escapedForHTML)</figcaption>
            <svg viewBox="-2 -2 \(width + 4) \(height + 4)" role="img"><rect width="\(width)" height="\(height)"/>
            \(paths.joined(separator: "\n"))</svg></figure>
            """
    }

    static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

    private static let style = """
        body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
        table{border-collapse:collapse;display:block;overflow-x:auto}th{text-align:left;font-weight:600}
        th,td{padding:.2rem .6rem}th{overflow-wrap:anywhere}td{text-align:right}td.text{text-align:left;overflow-wrap:anywhere}
        .curves{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:1rem 0;flex:1 1 20rem}
        rect{fill:#f6f6f6}rect.bar{fill:#90b8e8}polyline{fill:none;stroke-width:2}text{font-size:12px;text-anchor:end}
        polyline.line0{stroke:#1565c0}polyline.line1{stroke:#ef6c00}text.line0{fill:#1565c0}text.line1{fill:#ef6c00}
        """
}
