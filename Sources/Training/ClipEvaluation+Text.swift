extension ClipEvaluation {
    /// For the terminal: figures per exercise, the summary, and every clip that was not understood.
    public var text: String {
        var lines = ["exercise         clips  recall  reported"]
        for row in exercises {
            lines.append(
                row.label.padded(to: 15) + "\(row.clips)".leading(7) + Self.percent(row.recall).leading(8)
                    + Self.percent(row.reportedRecall).leading(10))
        }
        lines.append(
            "mean".padded(to: 22) + Self.percent(macroRecall).leading(8) + Self.percent(macroReportedRecall).leading(10)
        )
        lines += [
            "",
            "\(negatives) clips of no exercise: \(Self.percent(falseAnswers)) taken for one, "
                + "\(Self.percent(falseReports)) reported as one",
            "calibration error \(Self.percent(calibrationError))",
        ]
        if !misunderstood.isEmpty { lines += ["", "not understood:"] }
        for verdict in misunderstood {
            lines.append(
                "  \(verdict.label) → \(verdict.answer) \(Self.percent(verdict.confidence)), "
                    + "reported \(verdict.reported): \(verdict.clip)")
        }
        return lines.joined(separator: "\n")
    }

    /// Clips with a wrong answer or report, the surest first.
    var misunderstood: [Verdict] {
        let labels = Set(exercises.map(\.label))
        return verdicts.filter { !$0.isRight || ($0.reported != $0.label && labels.contains($0.reported)) }
            .sorted { $0.confidence > $1.confidence }
    }

    static func percent(_ share: Double) -> String {
        let tenths = Int((share * 1000).rounded())
        return "\(tenths / 10).\(tenths % 10) %"
    }
}

extension String {
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(width - count, 0)) }
    func leading(_ width: Int) -> String { String(repeating: " ", count: max(width - count, 0)) + self }
}
