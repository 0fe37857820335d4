import Foundation
import NeuralNet

/// Classifies the action in a window of poses.
///
/// It has no memory: the same window always gives the same prediction. May be used from any thread.
public struct ActionClassifier: Sendable {
    /// The model's labels, windows and thresholds.
    public let description: ModelDescription
    /// SHA-256 of the model file, 64 lower-case hexadecimal digits: the model's identity in records.
    public let digest: String
    /// The thresholds at which a window's label is rejected: the model's own, unless others were given.
    public let thresholds: ModelDescription.Thresholds
    /// Which windows are believed besides.
    private var rules = RecognitionRules.Windows()

    /// The network; training evaluates with it.
    package let network: ClassifierNetwork
    private let openSet: UnknownMotionDetector?
    private let counted: Set<String>
    /// The indices of the exercises that are not wanted, and of the label that they count as.
    private let folded: (from: [Int], to: Int)?
    private let file: ModelFile

    /// Reads and checks a model file.
    ///
    /// - Parameters:
    ///   - url: the model file.
    ///   - thresholds: replace the model's own; `nil` uses the model's.
    /// - Throws: `SafeTensorsError` if the file is damaged or cannot be read, ``ModelFileError`` if it is not a model
    ///   for this version of the program.
    public init(contentsOf url: URL, thresholds: ModelDescription.Thresholds? = nil) throws {
        self.init(try ModelFile(contentsOf: url), thresholds: thresholds)
    }

    /// Creates a classifier from a model file that has been read.
    public init(_ file: ModelFile, thresholds: ModelDescription.Thresholds? = nil) {
        self.init(file, thresholds, counting: file.description, folded: nil)
    }

    /// Creates a classifier that recognises only some of its model's exercises. The others count as `other`, or as `none`
    /// where the model has no `other`.
    ///
    /// - Parameter exercises: their labels.
    /// - Throws: ``ModelFileError/unknownExercise(model:label:known:)``, or ``ModelFileError/noOther(model:)`` for a model
    ///   with neither `other` nor `none`.
    public init(
        _ file: ModelFile, thresholds: ModelDescription.Thresholds? = nil, exercises: [String]
    ) throws(ModelFileError) {
        var description = file.description
        if let stranger = exercises.first(where: { !description.countedLabels.contains($0) }) {
            throw .unknownExercise(model: description.name, label: stranger, known: description.countedLabels)
        }
        let others = ["other", "none"].lazy.compactMap { [labels = description.labels] in labels.firstIndex(of: $0) }
        guard let other = others.first else { throw .noOther(model: description.name) }
        let unwanted = description.labels.indices.filter { index in
            let label = description.labels[index]
            return description.countedLabels.contains(label) && !exercises.contains(label)
        }
        description.countedLabels.removeAll { !exercises.contains($0) }
        let held = description.heldLabels?.filter(exercises.contains) ?? []
        description.heldLabels = held.isEmpty ? nil : held
        self.init(file, thresholds, counting: description, folded: (unwanted, other))
    }

    private init(
        _ file: ModelFile, _ thresholds: ModelDescription.Thresholds?, counting description: ModelDescription,
        folded: (from: [Int], to: Int)?
    ) {
        self.file = file
        self.folded = folded
        self.description = description
        digest = file.digest
        self.thresholds = thresholds ?? file.description.thresholds
        network = ClassifierNetwork(size: file.description.network, tensors: file.tensors)
        openSet = UnknownMotionDetector(tensors: file.tensors, network: file.description.network)
        counted = Set(description.countedLabels)
    }

    /// The same classifier with other rules for windows.
    func following(_ rules: RecognitionRules.Windows) -> ActionClassifier {
        var classifier = self
        classifier.rules = rules
        return classifier
    }

    /// The distance of a window from the training windows of `label`, see ``UnknownMotionDetector``.
    ///
    /// - Returns: `nil` if the model's answer is another label, the window has too few poses, or the model has no
    ///   detector for unknown motion.
    /// - Throws: ``ModelFileError/windowLength(model:expected:found:)``
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

    /// A tensor of the model file; `nil` if there is none of that name.
    public func tensor(named name: String) -> Tensor<Float>? { file.tensors[name] }

    /// The probabilities of the model's labels in their order, before any threshold. They sum to 1.
    ///
    /// - Throws: ``ModelFileError/windowLength(model:expected:found:)``
    public func probabilities(of window: PoseWindow) throws(ModelFileError) -> [Float] {
        probabilities(ofEmbedding: network.embedding(of: try features(of: window)))
    }

    private func probabilities(ofEmbedding embedding: [Float]) -> [Float] {
        var probabilities = Self.softmax(network.outputs(of: embedding), temperature: description.temperature)
        guard let folded else { return probabilities }
        for index in folded.from {
            probabilities[folded.to] += probabilities[index]
            probabilities[index] = 0
        }
        return probabilities
    }

    /// The network's embedding of a window: the mean and the maximum over time of its last stage.
    ///
    /// - Returns: ``NetworkSize/embedding`` numbers.
    /// - Throws: ``ModelFileError/windowLength(model:expected:found:)``
    public func embedding(of window: PoseWindow) throws(ModelFileError) -> [Float] {
        network.embedding(of: try features(of: window))
    }

    /// The label of a window, or a pseudo-label that says why there is none.
    ///
    /// With too few poses it is `no_person`, and the network does not run. With too little confidence, or with outputs
    /// that are not finite, it is `low_confidence`. `starting` never occurs; it is shown before the first window.
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
        let probabilities = probabilities(ofEmbedding: embedding)
        guard probabilities.allSatisfy(\.isFinite),
            let best = probabilities.indices.max(by: { probabilities[$0] < probabilities[$1] })
        else {
            return prediction(of: window, PseudoLabel.lowConfidence.rawValue, 0, [], share)
        }
        let isCutOff = counted.contains(description.labels[best]) && window.isCutOff
        let isPoor = isCutOff || window.visibility < rules.minimumVisibility
        let least = max(thresholds.minimumConfidence, isCutOff ? rules.minimumConfidenceOfCutOff : 0)
        if probabilities[best] < least {
            return prediction(
                of: window, PseudoLabel.lowConfidence.rawValue, probabilities[best], probabilities, share,
                isPoor ? .poorView : .unsure)
        }
        // An exercise that is held, such as a plank, has no direction for counting.
        let moves = description.counting?[description.labels[best]] != nil
        if isUnknown(embedding, best) || moves && window.isStill {
            return prediction(
                of: window, PseudoLabel.lowConfidence.rawValue, probabilities[best], probabilities, share,
                isPoor ? .poorView : .unknownMotion)
        }
        return prediction(of: window, description.labels[best], probabilities[best], probabilities, share)
    }

    /// Whether a window is an unknown motion. Only exercises are checked: other labels are not counted anyway.
    private func isUnknown(_ embedding: [Float], _ label: Int) -> Bool {
        guard let limit = thresholds.maximumDistance, let openSet, counted.contains(description.labels[label]) else {
            return false
        }
        return openSet.distance(of: embedding, from: label) > limit
    }

    private func prediction(
        of window: PoseWindow, _ label: String, _ confidence: Float, _ probabilities: [Float], _ share: Float,
        _ rejection: RejectionReason? = nil
    ) -> Prediction {
        Prediction(
            track: window.track, start: window.start, end: window.end, label: label, confidence: confidence,
            probabilities: probabilities, poseShare: share, frames: description.strideFrames, rejection: rejection)
    }

    private func features(of window: PoseWindow) throws(ModelFileError) -> Tensor<Float> {
        guard window.frames == description.windowFrames else {
            throw .windowLength(model: description.name, expected: description.windowFrames, found: window.frames)
        }
        return Tensor(shape: [window.frames + (description.slowFrames ?? 0), PoseFeatures.channels]) {
            PoseFeatures.compute(
                window: window.keypoints, after: window.context, description.context, aspect: window.aspect, into: $0)
        }
    }

    /// Probabilities from a network's outputs: `exp(xᵢ/T)` divided by their sum. All outputs are first reduced by the
    /// largest one, to avoid overflow.
    public static func softmax(_ outputs: [Float], temperature: Float) -> [Float] {
        let largest = outputs.max() ?? 0
        let powers = outputs.map { Foundation.exp(($0 - largest) / temperature) }
        let sum = powers.reduce(0, +)
        return powers.map { $0 / sum }
    }
}
