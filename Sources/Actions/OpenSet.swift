import NeuralNet

/// Tells motions that the model was trained on from those it has never seen, which a softmax cannot.
///
/// The Mahalanobis distance of a window's embedding from the mean of its label, with one covariance for all labels
/// (Lee et al., "A Simple Unified Framework for Detecting Out-of-Distribution Samples", 2018), divided by the
/// embedding's length: about 1 for windows like those of the training.
package struct OpenSet: Sendable {
    /// `[labels, embedding]`
    package static let meansName = "open_set.means"
    /// `[embedding, embedding]`, lower triangle: the covariance's Cholesky factor.
    package static let factorName = "open_set.factor"

    private let size: Int
    private let means: [Float]
    private let factor: [Float]

    /// - Returns: `nil` for a model without these tensors.
    package init?(tensors: [String: Tensor<Float>], network: NetworkSize) {
        guard let means = tensors[Self.meansName], let factor = tensors[Self.factorName],
            means.shape == [network.labels, network.embedding],
            factor.shape == [network.embedding, network.embedding]
        else { return nil }
        size = network.embedding
        self.means = means.values
        self.factor = factor.values
        guard (0..<size).allSatisfy({ self.factor[$0 * size + $0] > 0 }) else { return nil }
    }

    /// How far an embedding is from a label's mean, 0…
    package func distance(of embedding: [Float], from label: Int) -> Float {
        // Forward substitution: the squared length of factor⁻¹ · (embedding − mean).
        var whitened = [Float](repeating: 0, count: size)
        var sum: Float = 0
        for row in 0..<size {
            var rest = embedding[row] - means[label * size + row]
            for column in 0..<row { rest -= factor[row * size + column] * whitened[column] }
            whitened[row] = rest / factor[row * size + row]
            sum += whitened[row] * whitened[row]
        }
        return sum / Float(size)
    }
}
