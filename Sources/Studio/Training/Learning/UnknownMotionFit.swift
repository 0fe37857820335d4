import Actions
import NeuralNet

/// Fits the distribution of each label's embeddings, so that recognition can detect unknown motion.
enum UnknownMotionFit {
    /// The tensors that ``UnknownMotionDetector`` reads.
    ///
    /// - Parameters:
    ///   - embeddings: one row per window.
    ///   - labels: the label of each window.
    static func tensors(
        embeddings: [[Float]], labels: [Int], size: NetworkSize
    ) -> [String: Tensor<Float>] {
        let length = size.embedding
        var means = [Double](repeating: 0, count: size.labels * length)
        var counts = [Double](repeating: 0, count: size.labels)
        for (row, label) in zip(embeddings, labels) {
            counts[label] += 1
            for index in 0..<length { means[label * length + index] += Double(row[index]) }
        }
        for label in 0..<size.labels {
            for index in 0..<length { means[label * length + index] /= max(counts[label], 1) }
        }
        let rest = zip(embeddings, labels).flatMap { row, label in
            (0..<length).map { row[$0] - Float(means[label * length + $0]) }
        }
        var products = [Float](repeating: 0, count: length * length)
        Float.multiply(
            rest, transposeA: true, rest, transposeB: false, into: &products,
            size: (length, length, embeddings.count), accumulate: false)
        let factor = cholesky(shrunk(products.map { Double($0) / Double(max(embeddings.count, 1)) }, length), length)
        return [
            UnknownMotionDetector.meansName: Tensor(shape: [size.labels, length], values: means.map { Float($0) }),
            UnknownMotionDetector.factorName: Tensor(shape: [length, length], values: factor.map { Float($0) }),
        ]
    }

    /// Adds a twentieth of the mean variance to the diagonal, because some channels hardly vary in the training clips.
    private static func shrunk(_ covariance: [Double], _ length: Int) -> [Double] {
        var shrunk = covariance.map { 0.95 * $0 }
        let mean = (0..<length).reduce(0) { $0 + covariance[$1 * length + $1] } / Double(length)
        for index in 0..<length { shrunk[index * length + index] += 0.05 * mean + 1e-6 }
        return shrunk
    }

    /// The lower triangular matrix L with L · Lᵀ = `matrix`.
    private static func cholesky(_ matrix: [Double], _ length: Int) -> [Double] {
        var factor = [Double](repeating: 0, count: length * length)
        for row in 0..<length {
            for column in 0...row {
                var sum = matrix[row * length + column]
                for index in 0..<column { sum -= factor[row * length + index] * factor[column * length + index] }
                factor[row * length + column] =
                    row == column ? max(sum, 1e-12).squareRoot() : sum / factor[column * length + column]
            }
        }
        return factor
    }
}
