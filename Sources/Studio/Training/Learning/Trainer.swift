import Actions
import NeuralNet
import Poses

/// Trains a classifier from labelled clips.
public struct Trainer: Sendable {
    /// The parameters of the training.
    public let parameters: TrainingParameters

    /// A trainer with these parameters.
    public init(_ parameters: TrainingParameters = TrainingParameters()) { self.parameters = parameters }

    /// Trains until all passes are done, validation no longer improves, or the caller cancels.
    ///
    /// - Parameters:
    ///   - clips: labelled clips at any rate.
    ///   - validation: clips for validation; `nil` holds out some groups of `clips`.
    ///   - start: a model to continue from. The outputs of labels that it has are kept.
    ///   - teachers: trained models of the same labels. What they think of each window is learned beside its label.
    ///   - progress: called every few steps and at the end of each pass, on the calling thread.
    ///   - isCancelled: called before every step. After cancellation the best weights so far become the model.
    /// - Throws: ``TrainingError``.
    public func train(
        clips: [LabelledClip], validation: [LabelledClip]? = nil, startingFrom start: ModelFile? = nil,
        teachers: [ModelFile] = [], progress: (TrainingProgress) -> Void = { _ in },
        isCancelled: () -> Bool = { false }
    ) throws(TrainingError) -> TrainedModel {
        try parameters.check()
        let material = try TrainingMaterial(clips: clips, validation: validation, parameters: parameters)
        let judges = try Teachers(teachers, labels: material.labels, parameters: parameters)
        let network = TrainingNetwork<Float>(
            size: NetworkSize(
                widths: parameters.widths, labels: material.labels.count,
                slowFrames: parameters.context?.slowFrames(window: parameters.windowFrames)),
            dropout: parameters.dropout, seed: parameters.seed)
        if let start { try load(start, into: network, labels: material.labels) }
        if parameters.bodyRateShare < 1 {
            let known = Set(start?.description.labels ?? [])
            network.keep(rateShare: parameters.bodyRateShare, known: material.labels.map(known.contains))
        }
        var course = TrainingCourse(
            network: network, material: material, parameters: parameters, teachers: judges)
        try course.run(progress: progress, isCancelled: isCancelled)
        var model = finish(course, material, start?.description)
        if !teachers.isEmpty {
            model.description.trainingParameters["teachers"] = teachers.map(\.digest).joined(separator: " ")
            model.description.trainingParameters["teacher_share"] = "\(parameters.teacherShare)"
        }
        return model
    }

    private func load(
        _ start: ModelFile, into network: TrainingNetwork<Float>, labels: [String]
    ) throws(TrainingError) {
        guard start.description.network.widths == network.size.widths else {
            throw .unsuitableStart(
                model: start.description.name,
                reason: "its widths are \(start.description.network.widths), expected \(network.size.widths)")
        }
        guard start.description.network.branches == network.size.branches else {
            throw .unsuitableStart(
                model: start.description.name,
                reason: "it sees \(start.description.contextFrames) frames before its window, "
                    + "expected \(parameters.contextFrames)")
        }
        network.load(start.tensors, outputs: labels.map { start.description.labels.firstIndex(of: $0) })
    }

    /// Fits the temperature and measures the best weights on the held-out windows.
    private func finish(
        _ course: TrainingCourse, _ material: TrainingMaterial, _ start: ModelDescription?
    ) -> TrainedModel {
        var description = ModelDescription(
            name: "model", labels: material.labels,
            countedLabels: material.labels.filter { !parameters.uncountedLabels.contains($0) }, joints: Joint.names,
            featureVersion: PoseFeatures.version, network: course.network.size)
        description.windowFrames = parameters.windowFrames
        description.context = parameters.context
        description.framesPerSecond = parameters.framesPerSecond
        description.strideFrames = parameters.strideFrames
        description.trainingDataDigest = material.digest
        description.trainingClips = material.training.count
        description.seed = parameters.seed
        description.trainingParameters = parameters.recorded
        let bases = countingBases(of: description.countedLabels, material, start)
        description.counting = bases
        let held = description.countedLabels.filter { bases[$0] == nil }
        description.heldLabels = held.isEmpty ? nil : held
        description.displayNames = Dictionary(
            uniqueKeysWithValues: material.labels.compactMap { label in
                (start?.displayNames[label] ?? Exercise.named(label)?.name).map { (label, $0) }
            })
        let windows = course.validationWindows
        if !windows.labels.isEmpty {
            let outputs = windows.outputs(of: ClassifierNetwork(size: course.network.size, tensors: course.best))
            if parameters.fitsTemperature {
                description.temperature = TemperatureFit.temperature(outputs: outputs, labels: windows.labels)
            }
            description.evaluation = Evaluation.measure(
                outputs: outputs, labels: windows.labels, names: material.labels,
                temperature: description.temperature,
                minimumConfidence: description.thresholds.minimumConfidence)
        }
        let network = ClassifierNetwork(size: course.network.size, tensors: course.best)
        let openSet = openSet(of: material, size: course.network.size, network)
        let tensors = course.best.merging(openSet) { $1 }
        if let start, windows.labels.isEmpty {
            // Nothing to fit them on: those of the model that it continues are right for most of its labels.
            (description.temperature, description.thresholds) = (start.temperature, start.thresholds)
        } else {
            description.thresholds.maximumDistance = maximumDistance(
                windows, UnknownMotionDetector(tensors: openSet, network: course.network.size), network)
        }
        return TrainedModel(
            description: description, tensors: tensors, history: course.history, rejected: material.rejected,
            trainingClips: material.training.count, validationClips: material.validation.count,
            wasCancelled: course.wasCancelled)
    }

    /// The start's directions for counting, for other labels those of the motion generator, for the rest those that the
    /// clips themselves show. An exercise that is known to be held has none.
    private func countingBases(
        of labels: [String], _ material: TrainingMaterial, _ start: ModelDescription?
    ) -> [String: CountingBasis] {
        var bases = (start?.counting ?? [:]).filter { labels.contains($0.key) && $0.value.isUsable }
        bases.merge(CountingBases.learn(labels: labels.filter { bases[$0] == nil })) { first, _ in first }
        let rest = labels.filter { bases[$0] == nil && Exercise.named($0)?.unit != .seconds }
        return bases.merging(CountingBases.learn(from: material.training, labels: rest)) { first, _ in first }
    }

    /// Most clips for the open-set statistics. More windows hardly change means and a covariance.
    private static let maximumClips = 4000

    private func openSet(
        of material: TrainingMaterial, size: NetworkSize, _ network: ClassifierNetwork
    ) -> [String: Tensor<Float>] {
        let step = max(material.training.count / Self.maximumClips, 1)
        let clips = stride(from: 0, to: material.training.count, by: step).map { material.training[$0] }
        let windows = ScoredWindows(clips: clips, labels: material.labels, parameters: parameters)
        return UnknownMotionFit.tensors(embeddings: windows.embeddings(of: network), labels: windows.labels, size: size)
    }

    /// 1.5 times the distance that all but one in a hundred held-out windows stay below: unknown motions are further
    /// away than held-out windows are. `nil` if there are too few windows to tell.
    private func maximumDistance(
        _ windows: ScoredWindows, _ openSet: UnknownMotionDetector?, _ network: ClassifierNetwork
    ) -> Float? {
        guard let openSet, windows.labels.count >= 100 else { return nil }
        let distances = zip(windows.embeddings(of: network), windows.labels)
            .map { openSet.distance(of: $0, from: $1) }.sorted()
        return 1.5 * distances[distances.count * 99 / 100]
    }
}
