import NeuralNet

/// Tells motions that the model was trained on from those it has never seen, which a softmax cannot.
///
/// The Mahalanobis distance of a window's embedding from the mean of its label, with one covariance for all labels
/// (Lee et al., "A Simple Unified Framework for Detecting Out-of-Distribution Samples", 2018), divided by the
/// embedding's length: about 1 for windows like those of the training.
package struct UnknownMotionDetector: Sendable {
    /// `[labels, embedding]`
    package static let meansName = "open_set.means"
    /// `[embedding, embedding]`, lower triangle: the covariance's Cholesky factor.
    package static let factorName = "open_set.factor"

    private let size: Int
    private let means: [Float]
    /// The factor's columns, each from its diagonal down: what one step of the distance reads lies together.
    private let columns: [Float]

    /// - Returns: `nil` for a model without these tensors.
    package init?(tensors: [String: Tensor<Float>], network: NetworkSize) {
        guard let means = tensors[Self.meansName], let factor = tensors[Self.factorName],
            means.shape == [network.labels, network.embedding],
            factor.shape == [network.embedding, network.embedding]
        else { return nil }
        size = network.embedding
        self.means = means.values
        let (size, rows) = (size, factor.values)
        guard (0..<size).allSatisfy({ rows[$0 * size + $0] > 0 }) else { return nil }
        columns = (0..<size).flatMap { column in (column..<size).map { rows[$0 * size + column] } }
    }

    /// How far an embedding is from a label's mean, 0…
    package func distance(of embedding: [Float], from label: Int) -> Float {
        // Forward substitution: the squared length of factor⁻¹ · (embedding − mean). Column by column, so that the
        // numbers of a step do not wait for each other.
        var rest = (0..<size).map { embedding[$0] - means[label * size + $0] }
        var sum: Float = 0
        columns.withUnsafeBufferPointer { columns in
            rest.withUnsafeMutableBufferPointer { rest in
                var next = 0
                for column in 0..<size {
                    let whitened = rest[column] / columns[next]
                    sum += whitened * whitened
                    for row in column + 1..<max(size, column + 1) {
                        rest[row] -= columns[next + row - column] * whitened
                    }
                    next += size - column
                }
            }
        }
        return sum / Float(size)
    }
}
