import Actions
import Foundation
import NeuralNet
import Poses
import Records

/// The result of a training: the weights and their description.
public struct TrainedModel: Sendable {
    /// Contents of the model file. Name, author, licence and similar fields are still empty.
    public var description: ModelDescription
    /// The network's weights by name.
    public var tensors: [String: Tensor<Float>]
    /// One entry per pass.
    public let history: [TrainingProgress]
    /// Clips that could not be used, with reasons.
    public let rejected: [RejectedClip]
    /// Number of training clips.
    public var trainingClips: Int
    /// Number of held-out clips.
    public var validationClips: Int
    /// Whether the user stopped the training.
    public let wasCancelled: Bool
    /// How held-out clips were judged, each by a training that had not seen it.
    public var judged: [ClipEvaluation.ClipResult] = []

    /// Figures on the held-out clips; `nil` if there were none.
    public var evaluation: Evaluation? { description.evaluation }

    /// Writes the model file atomically.
    ///
    /// - Parameter description: replaces the model's own description.
    /// - Throws: `SafeTensorsError` or `ModelFileError`. An existing file is then unchanged.
    public func write(to url: URL, description: ModelDescription? = nil) throws {
        let data = try ModelFile.encode(description ?? self.description, tensors: tensors)
        do { try data.write(toPlace: url) } catch {
            throw SafeTensorsError.unwritable(file: url.path, reason: error.fileReason)
        }
    }

    /// The classifier, as if read back from its file.
    ///
    /// - Throws: `ModelFileError`.
    public func classifier() throws -> ActionClassifier {
        let data = try ModelFile.encode(description, tensors: tensors)
        return ActionClassifier(try ModelFile(data: data, file: description.name))
    }
}
