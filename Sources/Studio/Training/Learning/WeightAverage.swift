import NeuralNet

/// The running mean of a network's weights, over about the last twentieth of a training but at most two hundred steps.
///
/// The mean is the centre of the region that the last steps explored. It generalises better than single weights
/// (Izmailov et al., "Averaging Weights Leads to Wider Optima and Better Generalization", 2018).
struct WeightAverage {
    private(set) var tensors: [String: Tensor<Float>]
    private var steps = 1
    private let horizon: Float

    /// - Parameter count: number of steps of the whole training.
    init(_ tensors: [String: Tensor<Float>], of count: Int) {
        self.tensors = tensors
        horizon = Float(min(max(count / 20, 1), 200))
    }

    func adding(_ latest: [String: Tensor<Float>]) -> WeightAverage {
        var sum = self
        sum.steps += 1
        // Starts as a plain mean, so that the first weights do not keep too much influence.
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
