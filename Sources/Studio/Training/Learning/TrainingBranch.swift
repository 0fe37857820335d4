import Actions
import NeuralNet

/// One branch of ``TrainingNetwork``: from features to the mean and the maximum over time of its last stage.
final class TrainingBranch<S: Scalar> {
    let inputNorm: BatchNorm<S>
    private let entry1, entry2, entry3: ConvBlock<S>
    private let residual1, residual2: ResidualBlock<S>
    private let pool = MeanMaxPool<S>()

    /// Random initial weights.
    init(size: NetworkSize, random: inout RandomSource) {
        let shapes = size.convolutions.map(\.shape)
        inputNorm = BatchNorm(channels: size.channels)
        entry1 = ConvBlock(shapes[0], random: &random)
        residual1 = ResidualBlock(shapes[1], shapes[2], random: &random)
        entry2 = ConvBlock(shapes[3], random: &random)
        residual2 = ResidualBlock(shapes[4], shapes[5], random: &random)
        entry3 = ConvBlock(shapes[6], random: &random)
    }

    var parameters: [Parameter<S>] {
        inputNorm.parameters + entry1.parameters + residual1.parameters + entry2.parameters + residual2.parameters
            + entry3.parameters
    }

    /// `[batch, frames, channels]` → `[batch, 2 · channels of the last stage]`
    func forward(_ features: Tensor<S>) -> Tensor<S> {
        var x = inputNorm.forward(features)
        x = residual1.forward(entry1.forward(x))
        x = residual2.forward(entry2.forward(x))
        return pool.forward(entry3.forward(x))
    }

    /// Sets the gradients of all parameters.
    ///
    /// - Returns: the loss's gradient with respect to the features.
    func backward(_ gradient: Tensor<S>) -> Tensor<S> {
        var d = entry3.backward(pool.backward(gradient))
        d = entry2.backward(residual2.backward(d))
        d = entry1.backward(residual1.backward(d))
        return inputNorm.backward(d)
    }

    /// Keeps the running statistics of all norms.
    func freezeNorms() {
        inputNorm.isFrozen = true
        for (_, norm) in convolutions { norm.isFrozen = true }
    }

    /// Convolutions and their norms, in the order of ``NetworkSize/convolutions``.
    var convolutions: [(Conv1D<S>, BatchNorm<S>)] {
        [
            (entry1.conv, entry1.norm), (residual1.first.conv, residual1.first.norm), (residual1.conv, residual1.norm),
            (entry2.conv, entry2.norm), (residual2.first.conv, residual2.first.norm), (residual2.conv, residual2.norm),
            (entry3.conv, entry3.norm),
        ]
    }
}

extension Tensor {
    /// Cuts every sample of a batch in two along the second axis.
    func split(at index: Int) -> [Tensor] {
        let rest = Array(shape.dropFirst(2))
        let width = rest.reduce(1, *)
        let count = shape[1] * width
        return [0..<index, index..<shape[1]].map { range in
            var part: [S] = []
            part.reserveCapacity(shape[0] * range.count * width)
            for sample in 0..<shape[0] {
                let first = sample * count
                part += values[first + range.lowerBound * width..<first + range.upperBound * width]
            }
            return Tensor(shape: [shape[0], range.count] + rest, values: part)
        }
    }

    /// Joins the samples of two batches along the second axis.
    func joined(_ other: Tensor) -> Tensor {
        let count = values.count / shape[0]
        let otherCount = other.values.count / shape[0]
        var both: [S] = []
        both.reserveCapacity(values.count + other.values.count)
        for sample in 0..<shape[0] {
            both += values[sample * count..<(sample + 1) * count]
            both += other.values[sample * otherCount..<(sample + 1) * otherCount]
        }
        return Tensor(shape: [shape[0], shape[1] + other.shape[1]] + Array(shape.dropFirst(2)), values: both)
    }
}
