import Actions

extension Evaluation {
    /// For the terminal: per-label figures, the confusion matrix and the summary, in columns.
    public var text: String {
        let width = max(classes.map(\.label.count).max() ?? 0, 5)
        var lines = [Self.left("label", width) + "  windows  precision  recall      F1"]
        for figures in classes {
            lines.append(
                Self.left(figures.label, width) + Self.right("\(figures.windows)", 9)
                    + Self.right(Self.percent(figures.precision), 11) + Self.right(Self.percent(figures.recall), 8)
                    + Self.right(Self.percent(figures.f1), 8))
        }
        lines += ["", "true label, and what was said (in windows; ? is low_confidence)"]
        let marks = classes.indices.map { "\($0 + 1)" } + ["?"]
        lines.append(Self.left("", width + 4) + marks.map { Self.right($0, 6) }.joined())
        for (index, row) in confusion.enumerated() {
            let name = Self.left(classes[index].label, width) + Self.right("\(index + 1)", 4)
            lines.append(name + row.map { Self.right($0 == 0 ? "·" : "\($0)", 6) }.joined())
        }
        lines += [
            "",
            "accuracy \(Self.percent(accuracy)), mean recall \(Self.percent(macroRecall)), "
                + "calibration error \(Self.percent(calibrationError)), \(windows) windows",
        ]
        return lines.joined(separator: "\n")
    }

    private static func percent(_ share: Double?) -> String {
        guard let share else { return "–" }
        let tenths = Int((share * 1000).rounded())
        return "\(tenths / 10).\(tenths % 10) %"
    }

    private static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(width - text.count, 0)) + text
    }
}
