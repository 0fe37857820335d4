import Foundation
import NeuralNet

/// Says what a person does, from one window of poses.
///
/// It has no memory: the same window always gives the same answer, on any thread.
public struct ActionClassifier: Sendable {
    public let description: ModelDescription
    /// SHA-256 of the model file, 64 lower-case hexadecimal digits: the model's identity in records.
    public let digest: String
    /// When a window is not worth a label: the model's own, unless others were asked for.
    public let thresholds: ModelDescription.Thresholds

    /// The network behind the answers; training measures with it.
    package let network: ClassifierNetwork
    private let file: ModelFile

    /// Reads and checks a model file.
    ///
    /// - Parameter thresholds: instead of the model's own.
    /// - Throws: `SafeTensorsError` if the file is damaged or cannot be read, ``ModelFileError`` if it is no model
    ///   for this version of the program.
    public init(contentsOf url: URL, thresholds: ModelDescription.Thresholds? = nil) throws {
        self.init(try ModelFile(contentsOf: url), thresholds: thresholds)
    }

    public init(_ file: ModelFile, thresholds: ModelDescription.Thresholds? = nil) {
        self.file = file
        description = file.description
        digest = file.digest
        self.thresholds = thresholds ?? file.description.thresholds
        network = ClassifierNetwork(size: file.description.network, tensors: file.tensors)
    }

    /// A tensor that the model file carries beside the network's own; `nil` if there is none of that name.
    public func tensor(named name: String) -> Tensor<Float>? { file.tensors[name] }

    /// Probabilities in the order of the model's labels, before any threshold; they sum to 1.
    ///
    /// - Throws: ``ModelFileError/windowLength(model:expected:found:)``
    public func probabilities(of window: PoseWindow) throws(ModelFileError) -> [Float] {
        let outputs = network.outputs(of: network.embedding(of: try features(of: window)))
        return Self.softmax(outputs, temperature: description.temperature)
    }

    /// What the network makes of a window before it decides: mean and maximum over time of its last stage.
    ///
    /// - Returns: ``NetworkSize/embedding`` numbers.
    /// - Throws: ``ModelFileError/windowLength(model:expected:found:)``
    public func embedding(of window: PoseWindow) throws(ModelFileError) -> [Float] {
        network.embedding(of: try features(of: window))
    }

    /// The label of a window, or the reason why there is none.
    ///
    /// Too few poses: `no_person`, and the network is not asked. Too little confidence, or numbers that are no
    /// probabilities: `low_confidence`. (`starting` is for those who wait for the first window.)
    ///
    /// - Throws: ``ModelFileError/windowLength(model:expected:found:)``
    public func predict(_ window: PoseWindow) throws(ModelFileError) -> Prediction {
        guard window.frames == description.windowFrames else {
            throw .windowLength(model: description.name, expected: description.windowFrames, found: window.frames)
        }
        let share = Float(window.posedFrames) / Float(window.frames)
        guard share >= thresholds.minimumPoseShare else {
            return prediction(of: window, PseudoLabel.noPerson.rawValue, 0, [], share)
        }
        let probabilities = try probabilities(of: window)
        guard probabilities.allSatisfy(\.isFinite),
            let best = probabilities.indices.max(by: { probabilities[$0] < probabilities[$1] })
        else {
            return prediction(of: window, PseudoLabel.lowConfidence.rawValue, 0, [], share)
        }
        let confidence = probabilities[best]
        let isSure = confidence >= thresholds.minimumConfidence
        let label = isSure ? description.labels[best] : PseudoLabel.lowConfidence.rawValue
        return prediction(of: window, label, confidence, probabilities, share)
    }

    private func prediction(
        of window: PoseWindow, _ label: String, _ confidence: Float, _ probabilities: [Float], _ share: Float
    ) -> Prediction {
        Prediction(
            track: window.track, start: window.start, end: window.end, label: label, confidence: confidence,
            probabilities: probabilities, poseShare: share, frames: description.strideFrames)
    }

    private func features(of window: PoseWindow) throws(ModelFileError) -> Tensor<Float> {
        guard window.frames == description.windowFrames else {
            throw .windowLength(model: description.name, expected: description.windowFrames, found: window.frames)
        }
        return PoseFeatures.compute(keypoints: window.keypoints, aspect: window.aspect)
    }

    /// Probabilities from a network's outputs: `exp(xᵢ/T)` over their sum, shifted by the largest lest one overflows.
    public static func softmax(_ outputs: [Float], temperature: Float) -> [Float] {
        let largest = outputs.max() ?? 0
        let powers = outputs.map { Foundation.exp(($0 - largest) / temperature) }
        let sum = powers.reduce(0, +)
        return powers.map { $0 / sum }
    }
}
