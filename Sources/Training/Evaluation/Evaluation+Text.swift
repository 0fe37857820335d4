import Actions

extension Evaluation {
    /// For the terminal: figures per label, the confusion matrix and the summary, in columns.
    public var text: String {
        let width = max(classes.map(\.label.count).max() ?? 0, 5)
        var lines = ["label".padded(to: width) + "  windows  precision  recall      F1"]
        for figures in classes {
            lines.append(
                figures.label.padded(to: width) + "\(figures.windows)".leading(9)
                    + percent(figures.precision).leading(11) + percent(figures.recall).leading(8)
                    + percent(figures.f1).leading(8))
        }
        lines += ["", "rows: true label, columns: predicted label (windows; ? is low_confidence)"]
        let marks = classes.indices.map { "\($0 + 1)" } + ["?"]
        lines.append("".padded(to: width + 4) + marks.map { $0.leading(6) }.joined())
        for (index, row) in confusion.enumerated() {
            let name = classes[index].label.padded(to: width) + "\(index + 1)".leading(4)
            lines.append(name + row.map { ($0 == 0 ? "·" : "\($0)").leading(6) }.joined())
        }
        lines += [
            "",
            "accuracy \(percent(accuracy)), mean recall \(percent(macroRecall)), "
                + "calibration error \(percent(calibrationError)), \(windows) windows",
        ]
        return lines.joined(separator: "\n")
    }
}
