import Actions
import Foundation
import NeuralNet
import Poses

/// The outcome of a training: weights, and all that is known about them.
public struct TrainedModel: Sendable {
    /// What the model file will say; name, author, licence and the like are still to be filled in.
    public var description: ModelDescription
    /// The network's weights by name.
    public var tensors: [String: Tensor<Float>]
    /// One entry per pass.
    public let history: [TrainingProgress]
    /// Clips that could not be used.
    public let rejected: [RejectedClip]
    /// Clips learned from, and clips held out.
    public let trainingClips: Int
    public let validationClips: Int
    /// Whether training was stopped by hand.
    public let wasCancelled: Bool

    /// On the held-out clips; `nil` if there were none.
    public var evaluation: Evaluation? { description.evaluation }

    /// Writes the model file in one step.
    ///
    /// - Parameter description: instead of the model's own.
    /// - Throws: `SafeTensorsError`, `ModelFileError`; then an old file of that name is untouched.
    public func write(to url: URL, description: ModelDescription? = nil) throws {
        let data = try ModelFile.encode(description ?? self.description, tensors: tensors)
        do { try data.write(to: url, options: .atomic) } catch {
            throw SafeTensorsError.unwritable(file: url.path, reason: error.fileReason)
        }
    }

    /// The classifier as it would be read back from its file.
    public func classifier() throws -> ActionClassifier {
        let data = try ModelFile.encode(description, tensors: tensors)
        return ActionClassifier(try ModelFile(data: data, file: description.name))
    }
}
