/// A fully connected layer: every output is a weighted sum of all inputs, plus a bias.
public final class Dense<S: Scalar>: Layer {
    /// Number of inputs.
    public let inputs: Int
    /// Number of outputs.
    public let outputs: Int
    /// `[inputs, outputs]`
    public let weight: Parameter<S>
    /// `[outputs]`
    public let bias: Parameter<S>
    @usableFromInline var input: [S] = []

    /// Draws the weights with deviation 1/√inputs. The bias starts at 0.
    public init(inputs: Int, outputs: Int, random: inout RandomSource) {
        self.inputs = inputs
        self.outputs = outputs
        let deviation = 1 / Float(inputs).squareRoot()
        weight = Parameter((0..<inputs * outputs).map { _ in S(random.normal() * deviation) }, decays: true)
        bias = Parameter([S](repeating: 0, count: outputs), decays: false)
    }

    /// Weights and bias.
    public var parameters: [Parameter<S>] { [weight, bias] }

    /// `[batch, inputs]` → `[batch, outputs]`
    @inlinable
    public func forward(_ x: Tensor<S>) -> Tensor<S> {
        let batch = x.shape[0]
        input = x.values
        var y = Tensor(shape: [batch, outputs], values: (0..<batch).flatMap { _ in bias.value })
        S.multiply(
            x.values, transposeA: false, weight.value, transposeB: false, into: &y.values,
            size: (batch, outputs, inputs), accumulate: true)
        return y
    }

    /// Sets the gradients of weights and bias; see ``Layer/backward(_:)``.
    @inlinable
    public func backward(_ dy: Tensor<S>) -> Tensor<S> {
        let batch = dy.shape[0]
        S.multiply(
            input, transposeA: true, dy.values, transposeB: false, into: &weight.gradient,
            size: (inputs, outputs, batch), accumulate: false)
        bias.gradient = ChannelSums.sum(dy.values, rows: batch, outputs)
        return Tensor(shape: [batch, inputs]) { dx in
            S.multiply(
                dy.values, transposeA: false, weight.value, transposeB: true, into: dx,
                size: (batch, inputs, outputs), accumulate: false)
        }
    }
}
