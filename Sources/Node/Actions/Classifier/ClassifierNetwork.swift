import NeuralNet

/// The trained network for inference. Every batch norm is folded into the convolution before it.
///
/// A branch is: input norm → conv 5/2 → residual(conv 5, conv 5) → conv 5/2 → residual(conv 5, conv 5) → conv 3, dilated
/// by 2 → mean and maximum over time. One branch sees the window. The slow branch, if there is one, sees the window and
/// the time before it at a lower rate. Both results make the embedding, which a dense layer reads.
///
/// A branch is a residual temporal convolutional network after Bai, Kolter and Koltun, "An Empirical Evaluation of
/// Generic Convolutional and Recurrent Networks", 2018. Unlike theirs it is not causal: it sees its frames as a whole.
package struct ClassifierNetwork: Sendable {
    private let branches: [NetworkBranch]
    private let slowFrames: Int
    private let outputWeight: [Float]
    private let outputBias: [Float]

    /// Folds the batch norms of a trained network.
    ///
    /// - Precondition: `tensors` holds every tensor of `size` in its shape, as ``ModelFile`` has checked.
    package init(size: NetworkSize, tensors: [String: Tensor<Float>]) {
        func values(_ name: String) -> [Float] {
            guard let tensor = tensors[name] else { preconditionFailure("tensor \(name) was checked to be there") }
            return tensor.values
        }
        branches = size.branches.map { branch in NetworkBranch(size) { values(branch + $0) } }
        slowFrames = size.slowFrames ?? 0
        outputWeight = values("output.weight")
        outputBias = values("output.bias")
    }

    /// The embedding of a window.
    ///
    /// - Parameter features: `[frames, channels]`: the window's frames, then those of the slow branch.
    /// - Returns: for each branch the mean of each channel of the last stage over time, then the maximum of each.
    package func embedding(of features: Tensor<Float>) -> [Float] {
        let (frames, channels) = (features.shape[0], features.shape[1])
        let split = (frames - slowFrames) * channels
        return zip(branches, [features.values[..<split], features.values[split...]]).flatMap { branch, values in
            branch.embedding(of: Tensor(shape: [values.count / channels, channels], values: Array(values)))
        }
    }

    /// The network's outputs for an embedding.
    ///
    /// - Returns: one number per label, before the softmax.
    package func outputs(of embedding: [Float]) -> [Float] {
        var outputs = outputBias
        Float.multiply(
            embedding, transposeA: false, outputWeight, transposeB: false, into: &outputs,
            size: (1, outputBias.count, embedding.count), accumulate: true)
        return outputs
    }
}

/// The convolutions of one branch.
private struct NetworkBranch: Sendable {
    private let inputScale: [Float]
    private let inputOffset: [Float]
    private let convolutions: [FoldedConv1D]

    /// - Parameter values: the branch's tensors by name.
    init(_ size: NetworkSize, values: (String) -> [Float]) {
        func norm(_ name: String) -> (scale: [Float], offset: [Float]) {
            BatchNorm<Float>.folded(
                scale: values(name + ".scale"), offset: values(name + ".offset"), mean: values(name + ".mean"),
                variance: values(name + ".variance"))
        }
        (inputScale, inputOffset) = norm("input.norm")
        convolutions = size.convolutions.map { name, shape in
            let (scale, offset) = norm(name + ".norm")
            return FoldedConv1D(shape: shape, weight: values(name + ".weight"), scale: scale, offset: offset)
        }
    }

    /// `[frames, channels]` → the means, then the maxima.
    func embedding(of features: Tensor<Float>) -> [Float] {
        var x = features
        let channels = inputScale.count
        for index in x.values.indices {
            x.values[index] = x.values[index] * inputScale[index % channels] + inputOffset[index % channels]
        }
        x = convolutions[0](x).rectified()
        x = residual(1, 2, x)
        x = convolutions[3](x).rectified()
        x = residual(4, 5, x)
        x = convolutions[6](x).rectified()
        return Self.meanAndMaximum(x)
    }

    private func residual(_ first: Int, _ second: Int, _ x: Tensor<Float>) -> Tensor<Float> {
        var y = convolutions[second](convolutions[first](x).rectified())
        for index in y.values.indices { y.values[index] += x.values[index] }
        return y.rectified()
    }

    private static func meanAndMaximum(_ x: Tensor<Float>) -> [Float] {
        let (frames, channels) = (x.shape[0], x.shape[1])
        var means = [Float](repeating: 0, count: channels)
        var maxima = [Float](repeating: -.infinity, count: channels)
        for frame in 0..<frames {
            for channel in 0..<channels {
                let value = x.values[frame * channels + channel]
                means[channel] += value
                maxima[channel] = max(maxima[channel], value)
            }
        }
        return means.map { $0 / Float(frames) } + maxima
    }
}

/// A convolution whose weights and bias include the batch norm that follows it.
private struct FoldedConv1D: Sendable {
    private let shape: Conv1DShape
    private let weight: [Float]
    private let bias: [Float]

    init(shape: Conv1DShape, weight: [Float], scale: [Float], offset: [Float]) {
        self.shape = shape
        self.weight = weight.indices.map { weight[$0] * scale[$0 % shape.outputs] }
        bias = offset
    }

    /// `[frames, inputs]` → `[outputFrames, outputs]`
    func callAsFunction(_ x: Tensor<Float>) -> Tensor<Float> {
        let frames = shape.outputFrames(x.shape[0])
        var columns = [Float](repeating: 0, count: frames * shape.columns)
        shape.unfold(x.values, batch: 1, frames: x.shape[0], into: &columns)
        var y = Tensor(shape: [frames, shape.outputs], values: (0..<frames).flatMap { _ in bias })
        Float.multiply(
            columns, transposeA: false, weight, transposeB: false, into: &y.values,
            size: (frames, shape.outputs, shape.columns), accumulate: true)
        return y
    }
}

extension Tensor {
    /// The tensor with negative values replaced by 0 (ReLU).
    fileprivate func rectified() -> Tensor {
        Tensor(shape: shape, values: values.map { $0 > 0 ? $0 : 0 })
    }
}
