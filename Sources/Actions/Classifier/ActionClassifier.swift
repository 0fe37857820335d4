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
    private let openSet: UnknownMotionDetector?
    private let counted: Set<String>
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
        openSet = UnknownMotionDetector(tensors: file.tensors, network: file.description.network)
        counted = Set(file.description.countedLabels)
    }

    /// How far a window is from what the model knows of `label`; `nil` if that is not its answer, or nothing is known.
    package func distance(of window: PoseWindow, ifAnswered label: String) throws(ModelFileError) -> Float? {
        guard Float(window.posedFrames) >= thresholds.minimumPoseShare * Float(window.frames), let openSet else {
            return nil
        }
        let embedding = network.embedding(of: try features(of: window))
        let outputs = network.outputs(of: embedding)
        guard let best = outputs.indices.max(by: { outputs[$0] < outputs[$1] }), description.labels[best] == label
        else { return nil }
        return openSet.distance(of: embedding, from: best)
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
        let embedding = network.embedding(of: try features(of: window))
        let probabilities = Self.softmax(network.outputs(of: embedding), temperature: description.temperature)
        guard probabilities.allSatisfy(\.isFinite),
            let best = probabilities.indices.max(by: { probabilities[$0] < probabilities[$1] })
        else {
            return prediction(of: window, PseudoLabel.lowConfidence.rawValue, 0, [], share)
        }
        let isPoor = window.visibility < Self.leastVisibility
        if probabilities[best] < thresholds.minimumConfidence {
            return prediction(
                of: window, PseudoLabel.lowConfidence.rawValue, probabilities[best], probabilities, share,
                isPoor ? .poorView : .unsure)
        }
        if isUnknown(embedding, best) {
            return prediction(
                of: window, PseudoLabel.lowConfidence.rawValue, probabilities[best], probabilities, share,
                isPoor ? .poorView : .unknownMotion)
        }
        return prediction(of: window, description.labels[best], probabilities[best], probabilities, share)
    }

    /// Below this mean confidence of the joints a doubt is put down to the view.
    private static let leastVisibility: Float = 0.6

    /// Only exercises are doubted so: what is unlike all that is known is nothing to count, and no exercise either.
    private func isUnknown(_ embedding: [Float], _ label: Int) -> Bool {
        guard let limit = thresholds.maximumDistance, let openSet, counted.contains(description.labels[label]) else {
            return false
        }
        return openSet.distance(of: embedding, from: label) > limit
    }

    private func prediction(
        of window: PoseWindow, _ label: String, _ confidence: Float, _ probabilities: [Float], _ share: Float,
        _ doubt: RejectionReason? = nil
    ) -> Prediction {
        Prediction(
            track: window.track, start: window.start, end: window.end, label: label, confidence: confidence,
            probabilities: probabilities, poseShare: share, frames: description.strideFrames, doubt: doubt)
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
