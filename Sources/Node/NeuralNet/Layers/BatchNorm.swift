/// Batch normalisation over batch and time (Ioffe and Szegedy, 2015): normalises each channel to mean 0 and variance 1,
/// then applies a learned scale and offset.
public final class BatchNorm<S: Scalar>: Layer {
    /// Learned scale, `[channels]`.
    public let scale: Parameter<S>
    /// Learned offset, `[channels]`.
    public let offset: Parameter<S>
    /// Running mean, `[channels]`. Recognition uses it instead of the batch's mean.
    public var mean: [S]
    /// Running variance, `[channels]`. Recognition uses it instead of the batch's variance.
    public var variance: [S]
    /// Whether the running statistics are used in training, too, and stay as they are. A few new clips would shift them.
    public var isFrozen = false

    @usableFromInline static var epsilon: S { 1e-5 }
    /// How far the running statistics move towards each batch's.
    @usableFromInline static var momentum: S { 0.1 }
    @usableFromInline var normalized: [S] = []
    @usableFromInline var inverseDeviation: [S] = []

    /// A norm with scale 1, offset 0, running mean 0 and running variance 1.
    public init(channels: Int) {
        scale = Parameter([S](repeating: 1, count: channels), decays: false)
        offset = Parameter([S](repeating: 0, count: channels), decays: false)
        mean = [S](repeating: 0, count: channels)
        variance = [S](repeating: 1, count: channels)
    }

    /// Scale and offset.
    public var parameters: [Parameter<S>] { [scale, offset] }

    /// Normalises `[batch, frames, channels]` with the batch's statistics and updates the running ones. The shape
    /// stays.
    @inlinable
    public func forward(_ x: Tensor<S>) -> Tensor<S> {
        let channels = mean.count
        let rows = x.values.count / channels
        let count = S(rows)
        var (batchMean, batchVariance) = (mean, variance)
        if !isFrozen {
            batchMean = ChannelSums.sum(x.values, rows: rows, channels).map { $0 / count }
            batchVariance = ChannelSums.squares(x.values, around: batchMean, rows: rows, channels).map { $0 / count }
            for channel in 0..<channels {
                mean[channel] += Self.momentum * (batchMean[channel] - mean[channel])
                variance[channel] += Self.momentum * (batchVariance[channel] - variance[channel])
            }
        }
        inverseDeviation = batchVariance.map { 1 / ($0 + Self.epsilon).squareRoot() }
        let normalized = Tensor(shape: x.shape) {
            Self.map(x.values, (batchMean, inverseDeviation), rows: rows, channels, into: $0) { ($0 - $1) * $2 }
        }
        self.normalized = normalized.values
        return Tensor(shape: x.shape) {
            Self.map(normalized.values, (scale.value, offset.value), rows: rows, channels, into: $0) { $0 * $1 + $2 }
        }
    }

    /// Sets the gradients of scale and offset; see ``Layer/backward(_:)``.
    @inlinable
    public func backward(_ dy: Tensor<S>) -> Tensor<S> {
        let channels = mean.count
        let rows = dy.values.count / channels
        let count = S(rows)
        scale.gradient = ChannelSums.products(dy.values, normalized, rows: rows, channels)
        offset.gradient = ChannelSums.sum(dy.values, rows: rows, channels)
        // dx = scale/deviation · (dy − mean(dy) − normalized · mean(dy · normalized)),
        // computed as factor · dy + a · normalized + b.
        let factor = (0..<channels).map { scale.value[$0] * inverseDeviation[$0] }
        // Frozen statistics do not depend on x, so both means are left out.
        let share: S = isFrozen ? 0 : 1 / count
        let a = (0..<channels).map { -factor[$0] * scale.gradient[$0] * share }
        let b = (0..<channels).map { -factor[$0] * offset.gradient[$0] * share }
        var dx = Tensor(shape: dy.shape) {
            Self.map(normalized, (a, b), rows: rows, channels, into: $0) { $0 * $1 + $2 }
        }
        ChannelSums.addScaled(dy.values, factor, rows: rows, channels, to: &dx.values)
        return dx
    }

    /// The norm as recognition applies it: `y = x · scale + offset` per channel.
    public static func folded(scale: [S], offset: [S], mean: [S], variance: [S]) -> (scale: [S], offset: [S]) {
        let factor = zip(scale, variance).map { $0 / ($1 + epsilon).squareRoot() }
        return (factor, offset.indices.map { offset[$0] - mean[$0] * factor[$0] })
    }

    /// `y = body(x, a[channel], b[channel])` for every number. With more pointers the loop would not be vectorised.
    @inlinable @inline(__always)
    static func map(
        _ x: UnsafePointer<S>, _ arrays: ([S], [S]), rows: Int, _ channels: Int, into y: UnsafeMutablePointer<S>,
        _ body: (S, S, S) -> S
    ) {
        arrays.0.withUnsafeBufferPointer { a in
            arrays.1.withUnsafeBufferPointer { b in
                for row in 0..<rows {
                    let source = x + row * channels, target = y + row * channels
                    for channel in 0..<channels { target[channel] = body(source[channel], a[channel], b[channel]) }
                }
            }
        }
    }
}
