/// Ridge regression of the progress through a repetition on counting features: accumulates the sums, then solves for
/// the direction.
package struct NormalEquations {
    /// The variance of a progress that goes from 0 to 1 and back along half a cosine each way.
    package static let progressVariance = 1.0 / 8

    private let channels: Int
    /// The covariance, `[channels, channels]`, lower triangle. Each addition is centred and has the same weight.
    private var covariance: [Double]
    /// The covariance of each channel with the progress.
    private var covariate: [Double]
    private var additions = 0.0

    /// Starts with empty sums.
    package init(channels: Int = CountingFeatures.shapeChannels) {
        self.channels = channels
        covariance = [Double](repeating: 0, count: channels * channels)
        covariate = [Double](repeating: 0, count: channels)
    }

    /// Adds frames of one motion, each with its progress through a repetition: 0 at rest, 1 at the extreme.
    package mutating func add(_ features: CountingFeatures, frames: [(frame: Int, progress: Float)]) {
        guard !frames.isEmpty else { return }
        additions += 1
        let count = Double(frames.count)
        var mean = [Double](repeating: 0, count: channels)
        for (frame, _) in frames {
            for channel in 0..<channels { mean[channel] += Double(features[frame, channel]) / count }
        }
        let middle = frames.reduce(0) { $0 + Double($1.progress) } / count
        var row = [Double](repeating: 0, count: channels)
        for (frame, progress) in frames {
            for channel in 0..<channels { row[channel] = Double(features[frame, channel]) - mean[channel] }
            for a in 0..<channels {
                covariate[a] += row[a] * (Double(progress) - middle) / count
                let share = row[a] / count
                for b in 0...a { covariance[a * channels + b] += share * row[b] }
            }
        }
    }

    /// The direction that predicts the progress best.
    ///
    /// - Parameters:
    ///   - ridge: the strength of the regularisation, in units of the mean variance of a channel.
    ///   - prior: the direction towards which the solution is regularised; `nil` for zero.
    ///   - variance: the variance of the projection on the solution, on average over the additions; `nil` for the same
    ///     as along `prior`.
    /// - Returns: `nil` when the frames show no motion.
    package func solve(ridge: Double, towards prior: [Float]? = nil, variance: Double? = nil) -> [Float]? {
        let weight = ridge * (0..<channels).reduce(0) { $0 + covariance[$1 * channels + $1] } / Double(channels)
        guard weight > 0 else { return nil }
        var right = covariate
        var wanted = variance.map { $0 * additions }
        if let prior = prior?.map(Double.init) {
            let spread = spread(along: prior)
            guard spread > 0 else { return nil }
            let length = zip(prior, covariate).reduce(0) { $0 + $1.0 * $1.1 } / spread
            for channel in 0..<channels { right[channel] += weight * length * prior[channel] }
            wanted = wanted ?? spread
        }
        guard let solution = solve(right, diagonal: weight) else { return nil }
        let scale = ((wanted ?? 1) / max(spread(along: solution), 1e-12)).squareRoot()
        return solution.map { Float($0 * scale) }
    }

    /// The correlation of the projection on a direction with the progress, 0…1, over all additions.
    package func correlation(along direction: [Float]) -> Double {
        let direction = direction.map(Double.init)
        let product = zip(direction, covariate).reduce(0) { $0 + $1.0 * $1.1 }
        return product / max(spread(along: direction) * Self.progressVariance * additions, 1e-12).squareRoot()
    }

    private func spread(along direction: [Double]) -> Double {
        var sum = 0.0
        for a in 0..<channels {
            for b in 0..<channels { sum += direction[a] * direction[b] * entry(a, b) }
        }
        return sum
    }

    private func entry(_ a: Int, _ b: Int) -> Double { covariance[max(a, b) * channels + min(a, b)] }

    /// Solves (covariance + diagonal) · x = right by Cholesky decomposition; `nil` when it is not positive definite.
    private func solve(_ right: [Double], diagonal: Double) -> [Double]? {
        var root = [Double](repeating: 0, count: channels * channels)
        for a in 0..<channels {
            for b in 0...a {
                var rest = entry(a, b) + (a == b ? diagonal : 0)
                for k in 0..<b { rest -= root[a * channels + k] * root[b * channels + k] }
                if a == b {
                    guard rest > 0 else { return nil }
                    root[a * channels + a] = rest.squareRoot()
                } else {
                    root[a * channels + b] = rest / root[b * channels + b]
                }
            }
        }
        var x = right
        for a in 0..<channels {
            for k in 0..<a { x[a] -= root[a * channels + k] * x[k] }
            x[a] /= root[a * channels + a]
        }
        for a in (0..<channels).reversed() {
            for k in a + 1..<max(channels, a + 1) { x[a] -= root[k * channels + a] * x[k] }
            x[a] /= root[a * channels + a]
        }
        return x
    }
}
