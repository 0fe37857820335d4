import Actions
import Records

extension Evaluation {
    /// For the terminal: figures per label, the confusion matrix and the summary, in columns.
    public var text: String {
        let width = max(classes.map(\.label.count).max() ?? 0, 5)
        var lines = ["label".padded(to: width) + "  windows  precision  recall      F1"]
        for figures in classes where figures.windows > 0 || figures.precision != nil {
            lines.append(
                figures.label.padded(to: width) + "\(figures.windows)".leading(9)
                    + percent(figures.precision).leading(11) + percent(figures.recall).leading(8)
                    + percent(figures.f1).leading(8))
        }
        lines += ["", "rows: true label, columns: predicted label (windows; ? is low_confidence)"]
        lines += matrix(width)
        lines += [
            "",
            "accuracy \(percent(accuracy)), mean recall \(percent(macroRecall)), "
                + "calibration error \(percent(calibrationError)), \(windows.counted("window"))",
        ]
        return lines.joined(separator: "\n")
    }

    /// The confusion matrix of the labels that occur. A column is as wide as its numbers.
    private func matrix(_ width: Int) -> [String] {
        let shown = confusion.indices.filter { index in
            confusion[index].contains { $0 > 0 } || confusion.contains { $0[index] > 0 }
        }
        let columns = shown + [classes.count]
        let column = 2 + max(2, confusion.joined().map { "\($0)".count }.max() ?? 1)
        let marks = shown.map { "\($0 + 1)" } + ["?"]
        return ["".padded(to: width + 4) + marks.map { $0.leading(column) }.joined()]
            + shown.map { index in
                let cells = columns.map { confusion[index][$0] }.map { ($0 == 0 ? "·" : "\($0)").leading(column) }
                return classes[index].label.padded(to: width) + "\(index + 1)".leading(4) + cells.joined()
            }
    }
}
