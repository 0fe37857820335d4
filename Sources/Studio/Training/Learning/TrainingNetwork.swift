import Actions
import NeuralNet

/// The classifier's network during training, with gradients. ``ClassifierNetwork`` runs the same network in
/// recognition.
package final class TrainingNetwork<S: Scalar> {
    /// The sizes of its layers.
    package let size: NetworkSize
    private let branches: [TrainingBranch<S>]
    private let dropout: Dropout<S>
    private let output: Dense<S>

    /// Random initial weights. `rate` is the share of the embedding that dropout sets to 0.
    package init(size: NetworkSize, dropout rate: Float, seed: UInt64) {
        self.size = size
        var random = RandomSource(seed: seed, path: 1)
        branches = size.branches.map { _ in TrainingBranch(size: size, random: &random) }
        dropout = Dropout(rate: rate, random: RandomSource(seed: seed, path: 2))
        output = Dense(inputs: size.embedding, outputs: size.labels, random: &random)
    }

    /// All parameters.
    package var parameters: [Parameter<S>] { branches.flatMap(\.parameters) + output.parameters }

    /// Features `[batch, frames, channels]` → outputs before the softmax, `[batch, labels]`.
    package func forward(_ features: Tensor<S>) -> Tensor<S> {
        let slow = size.slowFrames ?? 0
        let parts = slow == 0 ? [features] : features.split(at: features.shape[1] - slow)
        let embeddings = zip(branches, parts).map { $0.forward($1) }
        return output.forward(
            dropout.forward(embeddings.count == 1 ? embeddings[0] : embeddings[0].joined(embeddings[1])))
    }

    /// Sets the gradients of all parameters.
    ///
    /// - Returns: the loss's gradient with respect to the features.
    @discardableResult
    package func backward(_ gradient: Tensor<S>) -> Tensor<S> {
        let d = dropout.backward(output.backward(gradient))
        guard branches.count > 1 else { return branches[0].backward(d) }
        let parts = d.split(at: size.embedding / 2)
        return branches[0].backward(parts[0]).joined(branches[1].backward(parts[1]))
    }

    /// Keeps what the network knows: everything but new outputs learns at a share of the learning rate, and the norms stay
    /// as they are.
    ///
    /// - Parameter known: for each output, whether the network knew it before.
    package func keep(rateShare: S, known: [Bool]) {
        for branch in branches {
            branch.freezeNorms()
            for parameter in branch.parameters { parameter.rateShare = rateShare }
        }
        output.bias.singleRateShares = known.map { $0 ? rateShare : 1 }
        output.weight.singleRateShares = (0..<size.embedding).flatMap { _ in output.bias.singleRateShares }
    }

    /// Resets the random source of the dropout. A gradient check needs the same choice twice.
    package func repeatDropout(_ random: RandomSource) { dropout.random = random }
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
        for (prefix, branch) in zip(size.branches, branches) {
            add(prefix + "input.norm", branch.inputNorm)
            for ((name, _), (conv, norm)) in zip(size.convolutions, branch.convolutions) {
                values[prefix + name + ".weight"] = conv.weight.value
                add(prefix + name + ".norm", norm)
            }
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
        for (prefix, branch) in zip(size.branches, branches) {
            load(prefix + "input.norm", branch.inputNorm)
            for ((name, _), (conv, norm)) in zip(size.convolutions, branch.convolutions) {
                conv.weight.value = values(prefix + name + ".weight", conv.weight.value)
                load(prefix + name + ".norm", norm)
            }
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
