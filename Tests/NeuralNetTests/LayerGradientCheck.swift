import NeuralNet
import Testing

/// Checks a layer's backward pass: with `loss = Σ weightᵢ · outputᵢ` every gradient must equal the loss's central
/// difference. In double precision that holds to about 1e-9; anything above 1e-6 is a wrong formula.
///
/// - Parameter rewind: called before each forward pass, for layers that draw random numbers.
func expectRightGradients(
    _ layer: some Layer<Double>, input shape: [Int], rewind: () -> Void = {},
    sourceLocation: SourceLocation = #_sourceLocation
) {
    var random = RandomSource(seed: 99)
    var x = randomTensor(shape, &random)
    rewind()
    let weights = randomTensor(layer.forward(x).shape, &random)
    func loss() -> Double {
        rewind()
        return zip(layer.forward(x).values, weights.values).reduce(0) { $0 + $1.0 * $1.1 }
    }
    rewind()
    _ = layer.forward(x)
    let dx = layer.backward(weights)
    let gradients = layer.parameters.map(\.gradient)
    var worst = 0.0
    for index in x.values.indices {
        let numeric = centralDifference(at: x.values[index], set: { x.values[index] = $0 }, of: loss)
        worst = max(worst, relativeError(numeric, dx.values[index]))
    }
    for (parameter, gradient) in zip(layer.parameters, gradients) {
        for index in gradient.indices {
            let numeric = centralDifference(at: parameter.value[index], set: { parameter.value[index] = $0 }, of: loss)
            worst = max(worst, relativeError(numeric, gradient[index]))
        }
    }
    #expect(worst < 1e-6, sourceLocation: sourceLocation)
}

/// `(loss(x + ε) − loss(x − ε)) / 2ε`; restores x.
func centralDifference(at value: Double, set: (Double) -> Void, of loss: () -> Double) -> Double {
    let step = 1e-5
    set(value + step)
    let above = loss()
    set(value - step)
    let below = loss()
    set(value)
    return (above - below) / (2 * step)
}

/// The error relative to the sum of both, but at least to 1e-4: smaller differences are rounding.
func relativeError(_ a: Double, _ b: Double) -> Double { abs(a - b) / max(abs(a) + abs(b), 1e-4) }

func randomTensor(_ shape: [Int], _ random: inout RandomSource) -> Tensor<Double> {
    Tensor(shape: shape, values: (0..<shape.reduce(1, *)).map { _ in Double(random.normal()) })
}
