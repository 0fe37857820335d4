/// Silences numbers at random during training, so that no single one is relied upon (Srivastava et al., 2014).
/// The survivors grow so that the mean stays; recognition has no such layer.
public final class Dropout<S: Scalar>: Layer {
    /// Share of the numbers that are silenced, 0…1.
    public let rate: Float
    /// Where the choice comes from; a test sets it back to repeat a choice.
    public var random: RandomSource
    @usableFromInline var mask: [S] = []

    public init(rate: Float, random: RandomSource) {
        self.rate = rate
        self.random = random
    }

    public var parameters: [Parameter<S>] { [] }

    @inlinable
    public func forward(_ x: Tensor<S>) -> Tensor<S> {
        let gain = S(1 / (1 - rate))
        mask = x.values.map { _ in random.chance(rate) ? 0 : gain }
        return masked(x)
    }

    @inlinable
    public func backward(_ dy: Tensor<S>) -> Tensor<S> { masked(dy) }

    @inlinable
    func masked(_ x: Tensor<S>) -> Tensor<S> {
        Tensor(shape: x.shape, values: zip(x.values, mask).map { $0 * $1 })
    }
}
