/// Numbers that training changes, and the loss's gradient with respect to them.
public final class Parameter<S: Scalar> {
    public var value: [S]
    public var gradient: [S]
    /// Whether weight decay pulls it towards zero: weights yes, biases and norms no.
    public let decays: Bool

    public init(_ value: [S], decays: Bool) {
        self.value = value
        self.decays = decays
        gradient = [S](repeating: 0, count: value.count)
    }
}
