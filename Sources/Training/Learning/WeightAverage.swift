import NeuralNet

/// The running mean of a network's weights over about the last twentieth of a training, two hundred steps at most.
///
/// The mean lies in the middle of what the last steps wandered around in, and does better on what training did not
/// show (Izmailov et al., "Averaging Weights Leads to Wider Optima and Better Generalization", 2018).
struct WeightAverage {
    private(set) var tensors: [String: Tensor<Float>]
    private var steps = 1
    private let horizon: Float

    /// - Parameter count: the steps of the whole training.
    init(_ tensors: [String: Tensor<Float>], of count: Int) {
        self.tensors = tensors
        horizon = Float(min(max(count / 20, 1), 200))
    }

    func adding(_ latest: [String: Tensor<Float>]) -> WeightAverage {
        var sum = self
        sum.steps += 1
        // At the beginning the plain mean, lest the first weights weigh for ever.
        let share = max(1 / Float(sum.steps), 1 / horizon)
        for (name, tensor) in latest {
            guard var mean = sum.tensors.removeValue(forKey: name) else { continue }
            for index in mean.values.indices {
                mean.values[index] += share * (tensor.values[index] - mean.values[index])
            }
            sum.tensors[name] = mean
        }
        return sum
    }
}
