/// Sets random numbers to 0 during training, so that the network relies on no single one (Srivastava et al., 2014).
/// The other numbers are scaled up so that the mean stays. Recognition has no such layer.
public final class Dropout<S: Scalar>: Layer {
    /// Share of the numbers that become 0, from 0 to below 1.
    public let rate: Float
    /// Source of the random choice. Tests reset it to repeat a choice.
    public var random: RandomSource
    @usableFromInline var mask: [S] = []

    /// Drops the share `rate` of the numbers, chosen by `random`.
    public init(rate: Float, random: RandomSource) {
        self.rate = rate
        self.random = random
    }

    /// Always empty.
    public var parameters: [Parameter<S>] { [] }

    /// Any shape, which stays.
    @inlinable
    public func forward(_ x: Tensor<S>) -> Tensor<S> {
        let gain = S(1 / (1 - rate))
        mask = x.values.map { _ in random.chance(rate) ? 0 : gain }
        return masked(x)
    }

    /// Applies the mask of the last ``forward(_:)`` to the gradient.
    @inlinable
    public func backward(_ dy: Tensor<S>) -> Tensor<S> { masked(dy) }

    @inlinable
    func masked(_ x: Tensor<S>) -> Tensor<S> {
        Tensor(shape: x.shape, values: zip(x.values, mask).map { $0 * $1 })
    }
}
