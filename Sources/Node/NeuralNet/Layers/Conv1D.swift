/// A convolution over time, for training the action classifier: unfolding (im2col), then one matrix product.
///
/// It has no bias, because the batch norm that follows has one. It belongs to neither of the two pose engines
/// (``PlanarNetwork``, ``InterleavedNetwork``).
public final class Conv1D<S: Scalar>: Layer {
    /// The convolution's sizes.
    public let shape: Conv1DShape
    /// `[kernel, inputs, outputs]`
    public let weight: Parameter<S>
    @usableFromInline var columns: [S] = []
    @usableFromInline var inputShape: [Int] = []

    /// Draws the weights at 0.4 of He's deviation (He et al., 2015). With batch norm and Adam the scale of the weights
    /// sets the effective step size; at full scale, short trainings converged far more slowly.
    public init(_ shape: Conv1DShape, random: inout RandomSource) {
        self.shape = shape
        let deviation = 0.4 * (2 / Float(shape.columns)).squareRoot()
        weight = Parameter(
            (0..<shape.columns * shape.outputs).map { _ in S(random.normal() * deviation) }, decays: true)
    }

    /// The weights.
    public var parameters: [Parameter<S>] { [weight] }

    /// `[batch, frames, inputs]` → `[batch, outputFrames, outputs]`
    @inlinable
    public func forward(_ x: Tensor<S>) -> Tensor<S> {
        let (batch, frames) = (x.shape[0], x.shape[1])
        let outputFrames = shape.outputFrames(frames)
        let rows = batch * outputFrames
        inputShape = x.shape
        if columns.count != rows * shape.columns { columns = [S](repeating: 0, count: rows * shape.columns) }
        shape.unfold(x.values, batch: batch, frames: frames, into: &columns)
        return Tensor(shape: [batch, outputFrames, shape.outputs]) { y in
            S.multiply(
                columns, transposeA: false, weight.value, transposeB: false, into: y,
                size: (rows, shape.outputs, shape.columns), accumulate: false)
        }
    }

    /// Sets the weights' gradient; see ``Layer/backward(_:)``.
    @inlinable
    public func backward(_ dy: Tensor<S>) -> Tensor<S> {
        let rows = dy.shape[0] * dy.shape[1]
        S.multiply(
            columns, transposeA: true, dy.values, transposeB: false, into: &weight.gradient,
            size: (shape.columns, shape.outputs, rows), accumulate: false)
        // The unfolded input is no longer needed, so its memory is reused for the unfolded gradient.
        S.multiply(
            dy.values, transposeA: false, weight.value, transposeB: true, into: &columns,
            size: (rows, shape.columns, shape.outputs), accumulate: false)
        var dx = Tensor<S>(zeros: inputShape)
        shape.fold(columns, batch: inputShape[0], frames: inputShape[1], into: &dx.values)
        return dx
    }
}
