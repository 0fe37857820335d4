import Actions
import NeuralNet

/// Fits the softmax temperature that calibrates confidences: the one with the lowest log loss on held-out windows.
package enum TemperatureFit {
    /// Golden-section search over the logarithm within 0.5…2. Outside that range the data would be too few to trust.
    package static func temperature(outputs: [[Float]], labels: [Int]) -> Float {
        guard !outputs.isEmpty else { return 1 }
        let ratio: Float = 0.618_034
        var low: Float = -0.693_147, high: Float = 0.693_147
        func loss(_ logarithm: Float) -> Double {
            Evaluation.logLoss(outputs: outputs, labels: labels, temperature: Float.exponential(logarithm))
        }
        var a = high - ratio * (high - low), b = low + ratio * (high - low)
        var lossA = loss(a), lossB = loss(b)
        for _ in 0..<30 {
            if lossA < lossB {
                (high, b, lossB) = (b, a, lossA)
                a = high - ratio * (high - low)
                lossA = loss(a)
            } else {
                (low, a, lossA) = (a, b, lossB)
                b = low + ratio * (high - low)
                lossB = loss(b)
            }
        }
        return min(max(Float.exponential((low + high) / 2), 0.5), 2)
    }
}
