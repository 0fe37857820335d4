import NeuralNet

/// Detects motions that the model was not trained on, which a softmax cannot.
///
/// It computes the squared Mahalanobis distance of a window's embedding from the mean of its label, with one covariance
/// for all labels, divided by the length of the embedding. The result is about 1 for windows like those of the
/// training.
///
/// Source: Lee et al., "A Simple Unified Framework for Detecting Out-of-Distribution Samples", 2018.
package struct UnknownMotionDetector: Sendable {
    /// The name of the tensor with the mean embedding of each label, `[labels, embedding]`.
    package static let meansName = "open_set.means"
    /// The name of the tensor with the covariance's Cholesky factor, `[embedding, embedding]`, lower triangle.
    package static let factorName = "open_set.factor"

    private let size: Int
    private let means: [Float]
    /// The columns of the factor from the diagonal down, so that ``distance(of:from:)`` reads contiguously.
    private let columns: [Float]

    /// Creates a detector from the tensors of a model.
    ///
    /// - Returns: `nil` if the tensors are missing, have other shapes, or the factor is not valid.
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

    /// The distance of an embedding from a label's mean, 0 or more.
    package func distance(of embedding: [Float], from label: Int) -> Float {
        // Forward substitution: the squared length of factor⁻¹ · (embedding − mean). Column by column, so that the
        // values of a step do not depend on each other.
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
