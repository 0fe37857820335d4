/// Adam optimizer with decoupled weight decay (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019)
/// and gradient clipping by global norm.
public struct Adam<S: Scalar> {
    /// Weight decay per unit of learning rate; applies to parameters with `decays`.
    public let weightDecay: S
    /// Upper limit of the gradient's norm over all parameters together. A longer gradient is scaled down to it.
    public let longestGradient: S

    @usableFromInline let parameters: [Parameter<S>]
    /// Running means of each parameter's gradient and of its square.
    @usableFromInline var means: [[S]]
    @usableFromInline var squares: [[S]]
    @usableFromInline var steps = 0

    @usableFromInline static var meanMomentum: S { 0.9 }
    @usableFromInline static var squareMomentum: S { 0.999 }
    @usableFromInline static var epsilon: S { 1e-8 }

    /// Creates an optimizer for these parameters. Its running means start at zero.
    public init(_ parameters: [Parameter<S>], weightDecay: S = 1e-3, longestGradient: S = 5) {
        self.parameters = parameters
        self.weightDecay = weightDecay
        self.longestGradient = longestGradient
        means = parameters.map { [S](repeating: 0, count: $0.value.count) }
        squares = means
    }

    /// Moves every parameter one step against its gradient.
    ///
    /// - Parameter rate: the learning rate.
    @inlinable
    public mutating func step(rate: S) {
        steps += 1
        var length: S = 0
        for parameter in parameters {
            for value in parameter.gradient { length += value * value }
        }
        length = length.squareRoot()
        let shortening = length > longestGradient ? longestGradient / length : 1
        let meanRate = rate / (1 - Self.power(Self.meanMomentum, steps))
        let squareBias = 1 / (1 - Self.power(Self.squareMomentum, steps))
        for (index, parameter) in parameters.enumerated() {
            let before = parameter.singleRateShares.isEmpty ? [] : parameter.value
            Self.move(
                &parameter.value, parameter.gradient, &means[index], &squares[index],
                count: parameter.value.count,
                decay: parameter.decays ? 1 - rate * parameter.rateShare * weightDecay : 1,
                shortening: shortening, meanRate: meanRate * parameter.rateShare, squareBias: squareBias)
            for (place, before) in before.enumerated() {
                parameter.value[place] =
                    before + parameter.singleRateShares[place] * (parameter.value[place] - before)
            }
        }
    }

    /// Updates one parameter of `count` numbers.
    @inlinable
    static func move(
        _ value: UnsafeMutablePointer<S>, _ gradient: UnsafePointer<S>, _ means: UnsafeMutablePointer<S>,
        _ squares: UnsafeMutablePointer<S>, count: Int, decay: S, shortening: S, meanRate: S, squareBias: S
    ) {
        for i in 0..<count {
            let g = gradient[i] * shortening
            means[i] += (1 - meanMomentum) * (g - means[i])
            squares[i] += (1 - squareMomentum) * (g * g - squares[i])
            value[i] = value[i] * decay - meanRate * means[i] / ((squares[i] * squareBias).squareRoot() + epsilon)
        }
    }

    @inlinable
    static func power(_ base: S, _ exponent: Int) -> S {
        var power: S = 1
        for _ in 0..<exponent { power *= base }
        return power
    }
}
