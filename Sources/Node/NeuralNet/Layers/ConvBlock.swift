/// Convolution, batch norm and ReLU: the basic block of the action classifier, for training. It belongs to neither of
/// the two pose engines.
public final class ConvBlock<S: Scalar>: Layer {
    /// The convolution.
    public let conv: Conv1D<S>
    /// The norm after it.
    public let norm: BatchNorm<S>
    @usableFromInline let activation = ReLU<S>()

    /// Draws the convolution's weights from `random`.
    public init(_ shape: Conv1DShape, random: inout RandomSource) {
        conv = Conv1D(shape, random: &random)
        norm = BatchNorm(channels: shape.outputs)
    }

    /// The parameters of convolution and norm.
    public var parameters: [Parameter<S>] { conv.parameters + norm.parameters }

    /// `[batch, frames, inputs]` → `[batch, outputFrames, outputs]`
    @inlinable
    public func forward(_ x: Tensor<S>) -> Tensor<S> {
        activation.forward(norm.forward(conv.forward(x)))
    }

    /// Sets the gradients of all parameters; see ``Layer/backward(_:)``.
    @inlinable
    public func backward(_ dy: Tensor<S>) -> Tensor<S> {
        conv.backward(norm.backward(activation.backward(dy)))
    }
}
