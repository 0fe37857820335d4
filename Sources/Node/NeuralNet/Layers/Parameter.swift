/// Numbers that training changes, with the loss's gradient.
public final class Parameter<S: Scalar> {
    /// The numbers.
    public var value: [S]
    /// Gradient of the loss with respect to ``value``. The same count.
    public var gradient: [S]
    /// Whether weight decay applies: `true` for weights, `false` for biases and norms.
    public let decays: Bool
    /// The parameter's learning rate as a share of the optimizer's. Below 1, what was learned before is kept longer.
    public var rateShare: S = 1
    /// The same for single numbers, as many as ``value``; empty if all learn alike.
    public var singleRateShares: [S] = []

    /// A parameter with these initial numbers and a zero gradient.
    public init(_ value: [S], decays: Bool) {
        self.value = value
        self.decays = decays
        gradient = [S](repeating: 0, count: value.count)
    }
}
