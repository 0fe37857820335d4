/// Convolution, batch norm and ReLU: the brick of the network.
public final class ConvBlock<S: Scalar>: Layer {
    public let conv: Conv1D<S>
    public let norm: BatchNorm<S>
    @usableFromInline let activation = ReLU<S>()

    public init(_ shape: Conv1DShape, random: inout RandomSource) {
        conv = Conv1D(shape, random: &random)
        norm = BatchNorm(channels: shape.outputs)
    }

    public var parameters: [Parameter<S>] { conv.parameters + norm.parameters }

    /// `[batch, frames, inputs]` → `[batch, outputFrames, outputs]`
    @inlinable
    public func forward(_ x: Tensor<S>) -> Tensor<S> {
        activation.forward(norm.forward(conv.forward(x)))
    }

    @inlinable
    public func backward(_ dy: Tensor<S>) -> Tensor<S> {
        conv.backward(norm.backward(activation.backward(dy)))
    }
}
