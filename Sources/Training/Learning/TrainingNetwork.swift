import Actions
import NeuralNet

/// The classifier's network during training, with gradients. ``ClassifierNetwork`` runs the same network in
/// recognition.
package final class TrainingNetwork<S: Scalar> {
    /// The sizes of its layers.
    package let size: NetworkSize
    private let inputNorm: BatchNorm<S>
    private let entry1, entry2, entry3: ConvBlock<S>
    private let residual1, residual2: ResidualBlock<S>
    private let pool = MeanMaxPool<S>()
    private let dropout: Dropout<S>
    private let output: Dense<S>

    /// Random initial weights. `rate` is the share of the embedding that dropout sets to 0.
    package init(size: NetworkSize, dropout rate: Float, seed: UInt64) {
        self.size = size
        var random = RandomSource(seed: seed, path: 1)
        let shapes = size.convolutions.map(\.shape)
        inputNorm = BatchNorm(channels: size.channels)
        entry1 = ConvBlock(shapes[0], random: &random)
        residual1 = ResidualBlock(shapes[1], shapes[2], random: &random)
        entry2 = ConvBlock(shapes[3], random: &random)
        residual2 = ResidualBlock(shapes[4], shapes[5], random: &random)
        entry3 = ConvBlock(shapes[6], random: &random)
        dropout = Dropout(rate: rate, random: RandomSource(seed: seed, path: 2))
        output = Dense(inputs: size.embedding, outputs: size.labels, random: &random)
    }

    /// All parameters.
    package var parameters: [Parameter<S>] {
        inputNorm.parameters + entry1.parameters + residual1.parameters + entry2.parameters + residual2.parameters
            + entry3.parameters + output.parameters
    }

    /// Features `[batch, frames, channels]` → outputs before the softmax, `[batch, labels]`.
    package func forward(_ features: Tensor<S>) -> Tensor<S> {
        var x = inputNorm.forward(features)
        x = residual1.forward(entry1.forward(x))
        x = residual2.forward(entry2.forward(x))
        x = pool.forward(entry3.forward(x))
        return output.forward(dropout.forward(x))
    }

    /// Sets the gradients of all parameters.
    ///
    /// - Returns: the loss's gradient with respect to the features.
    @discardableResult
    package func backward(_ gradient: Tensor<S>) -> Tensor<S> {
        var d = dropout.backward(output.backward(gradient))
        d = entry3.backward(pool.backward(d))
        d = entry2.backward(residual2.backward(d))
        d = entry1.backward(residual1.backward(d))
        return inputNorm.backward(d)
    }

    /// Resets the random source of the dropout. A gradient check needs the same choice twice.
    package func repeatDropout(_ random: RandomSource) { dropout.random = random }

    /// Convolutions and their norms, in the order of ``NetworkSize/convolutions``.
    private var convolutions: [(Conv1D<S>, BatchNorm<S>)] {
        [
            (entry1.conv, entry1.norm), (residual1.first.conv, residual1.first.norm), (residual1.conv, residual1.norm),
            (entry2.conv, entry2.norm), (residual2.first.conv, residual2.first.norm), (residual2.conv, residual2.norm),
            (entry3.conv, entry3.norm),
        ]
    }
}

extension TrainingNetwork {
    /// All weights, named as in ``NetworkSize/tensorShapes``.
    package func tensors() -> [String: Tensor<Float>] {
        var values: [String: [S]] = ["output.weight": output.weight.value, "output.bias": output.bias.value]
        func add(_ name: String, _ norm: BatchNorm<S>) {
            values[name + ".scale"] = norm.scale.value
            values[name + ".offset"] = norm.offset.value
            values[name + ".mean"] = norm.mean
            values[name + ".variance"] = norm.variance
        }
        add("input.norm", inputNorm)
        for ((name, _), (conv, norm)) in zip(size.convolutions, convolutions) {
            values[name + ".weight"] = conv.weight.value
            add(name + ".norm", norm)
        }
        let shapes = size.tensorShapes
        return Dictionary(
            uniqueKeysWithValues: values.map { name, values in
                (name, Tensor(shape: shapes[name] ?? [values.count], values: values.map { Float($0) }))
            })
    }

    /// Takes over the weights of a network with the same widths.
    ///
    /// - Parameter outputs: for each output of this network, the other's output that it continues; `nil` for a new one.
    package func load(_ tensors: [String: Tensor<Float>], outputs: [Int?]) {
        func values(_ name: String, _ current: [S]) -> [S] {
            guard let tensor = tensors[name], tensor.values.count == current.count else { return current }
            return tensor.values.map { S($0) }
        }
        func load(_ name: String, _ norm: BatchNorm<S>) {
            norm.scale.value = values(name + ".scale", norm.scale.value)
            norm.offset.value = values(name + ".offset", norm.offset.value)
            norm.mean = values(name + ".mean", norm.mean)
            norm.variance = values(name + ".variance", norm.variance)
        }
        load("input.norm", inputNorm)
        for ((name, _), (conv, norm)) in zip(size.convolutions, convolutions) {
            conv.weight.value = values(name + ".weight", conv.weight.value)
            load(name + ".norm", norm)
        }
        guard let weight = tensors["output.weight"], let bias = tensors["output.bias"] else { return }
        for (new, old) in outputs.enumerated() {
            guard let old else { continue }
            output.bias.value[new] = S(bias.values[old])
            for input in 0..<size.embedding {
                output.weight.value[input * size.labels + new] = S(weight.values[input * bias.values.count + old])
            }
        }
    }
}
