/// `y = ReLU(x + norm(conv(ReLU(norm(conv(x))))))`: two convolutions that learn what to add (He et al., 2015).
///
/// A block of the action classifier, for training. It belongs to neither of the two pose engines.
public final class ResidualBlock<S: Scalar>: Layer {
    /// First convolution, with norm and ReLU.
    public let first: ConvBlock<S>
    /// Second convolution.
    public let conv: Conv1D<S>
    /// Norm of the second convolution.
    public let norm: BatchNorm<S>
    @usableFromInline let activation = ReLU<S>()

    /// Draws the weights from `random`.
    ///
    /// - Precondition: both shapes keep the number of channels and frames.
    public init(_ firstShape: Conv1DShape, _ secondShape: Conv1DShape, random: inout RandomSource) {
        first = ConvBlock(firstShape, random: &random)
        conv = Conv1D(secondShape, random: &random)
        norm = BatchNorm(channels: secondShape.outputs)
    }

    /// The parameters of both convolutions and norms.
    public var parameters: [Parameter<S>] { first.parameters + conv.parameters + norm.parameters }

    /// `[batch, frames, channels]`; the shape stays.
    @inlinable
    public func forward(_ x: Tensor<S>) -> Tensor<S> {
        var y = norm.forward(conv.forward(first.forward(x)))
        Self.add(x.values, to: &y.values)
        return activation.forward(y)
    }

    /// Sets the gradients of all parameters; see ``Layer/backward(_:)``.
    @inlinable
    public func backward(_ dy: Tensor<S>) -> Tensor<S> {
        let sum = activation.backward(dy)
        var dx = first.backward(conv.backward(norm.backward(sum)))
        Self.add(sum.values, to: &dx.values)
        return dx
    }

    @inlinable
    static func add(_ x: [S], to y: inout [S]) {
        y.withUnsafeMutableBufferPointer { y in
            x.withUnsafeBufferPointer { x in
                for index in x.indices { y[index] += x[index] }
            }
        }
    }
}
