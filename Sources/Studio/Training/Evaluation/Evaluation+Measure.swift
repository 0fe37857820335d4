import Actions
import Foundation

extension Evaluation {
    /// Compares a network's outputs with the true labels.
    ///
    /// - Parameters:
    ///   - outputs: one row per window, before the softmax.
    ///   - labels: the true label of each window.
    ///   - names: the model's labels.
    ///   - minimumConfidence: windows below it count in the last column of the confusion matrix.
    package static func measure(
        outputs: [[Float]], labels: [Int], names: [String], temperature: Float, minimumConfidence: Float
    ) -> Evaluation {
        let count = names.count
        var plain = [[Int]](repeating: [Int](repeating: 0, count: count), count: count)
        var thresholded = [[Int]](repeating: [Int](repeating: 0, count: count + 1), count: count)
        var answers: [(confidence: Float, isRight: Bool)] = []
        for (row, label) in zip(outputs, labels) {
            let probabilities = ActionClassifier.softmax(row, temperature: temperature)
            let best = probabilities.indices.max { probabilities[$0] < probabilities[$1] } ?? 0
            plain[label][best] += 1
            thresholded[label][probabilities[best] < minimumConfidence ? count : best] += 1
            answers.append((probabilities[best], best == label))
        }
        let classes = names.indices.map { label in
            let windows = plain[label].reduce(0, +)
            let given = plain.reduce(0) { $0 + $1[label] }
            let right = Double(plain[label][label])
            return ClassFigures(
                label: names[label], windows: windows, precision: given > 0 ? right / Double(given) : nil,
                recall: windows > 0 ? right / Double(windows) : nil)
        }
        let recalls = classes.compactMap(\.recall)
        return Evaluation(
            classes: classes, confusion: thresholded, windows: labels.count,
            accuracy: Double(answers.count { $0.isRight }) / Double(max(labels.count, 1)),
            macroRecall: recalls.reduce(0, +) / Double(max(recalls.count, 1)),
            logLoss: logLoss(outputs: outputs, labels: labels, temperature: temperature),
            calibrationError: calibrationError(answers))
    }

    static func logLoss(outputs: [[Float]], labels: [Int], temperature: Float) -> Double {
        var sum = 0.0
        for (row, label) in zip(outputs, labels) {
            let largest = row.max() ?? 0
            let total = row.reduce(0.0) { $0 + exp(Double(($1 - largest) / temperature)) }
            sum += log(total) - Double((row[label] - largest) / temperature)
        }
        return sum / Double(max(labels.count, 1))
    }

    /// Expected calibration error over 15 equal bins (Guo et al., "On Calibration of Modern Neural Networks", 2017).
    private static func calibrationError(_ answers: [(confidence: Float, isRight: Bool)]) -> Double {
        // Per bin, the sum of confidences minus the number of correct answers. The fixed order makes results
        // reproducible.
        var bins = [Double](repeating: 0, count: 15)
        for answer in answers {
            bins[min(Int(answer.confidence * 15), 14)] += Double(answer.confidence) - (answer.isRight ? 1 : 0)
        }
        return bins.reduce(0) { $0 + abs($1) } / Double(max(answers.count, 1))
    }
}
