import Records

extension ClipEvaluation {
    /// For the terminal: figures per exercise, the summary, and every misclassified clip.
    public var text: String {
        var lines = ["exercise         clips  recall  reported"]
        for row in exercises {
            lines.append(
                row.label.padded(to: 15) + "\(row.clips)".leading(7) + percent(row.recall).leading(8)
                    + percent(row.reportedRecall).leading(10))
        }
        lines.append(
            "mean".padded(to: 22) + percent(macroRecall).leading(8) + percent(macroReportedRecall).leading(10)
        )
        lines += [
            "",
            "\(negatives.counted("clip")) of no exercise: \(percent(falseAnswers)) taken for one, "
                + "\(percent(falseReports)) reported as one",
            "calibration error \(percent(calibrationError))",
        ]
        if !log.sentences.isEmpty { lines += ["", "as a node would log them:"] + log.sentences.map { "  " + $0 } }
        if !misunderstood.isEmpty { lines += ["", "misclassified:"] }
        for verdict in misunderstood {
            lines.append(
                "  \(verdict.label) → \(verdict.answer) \(percent(verdict.confidence)), "
                    + "reported \(verdict.reported): \(verdict.clip)")
        }
        return lines.joined(separator: "\n")
    }

    /// Clips with a wrong answer or report, most confident first.
    var misunderstood: [ClipResult] {
        let labels = Set(exercises.map(\.label))
        return verdicts.filter { !$0.isRight || ($0.reported != $0.label && labels.contains($0.reported)) }
            .sorted { $0.confidence > $1.confidence }
    }
}
