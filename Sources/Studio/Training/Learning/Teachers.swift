import Actions
import NeuralNet
import Poses

/// Trained models whose mean judgement of every window is learned beside the window's label.
///
/// Several networks err in different places, so their mean errs less than each of them. A network of the same size that
/// learns the mean keeps most of that (Hinton, Vinyals and Dean, "Distilling the Knowledge in a Neural Network", 2015).
struct Teachers: Sendable {
    private struct Teacher {
        let network: ClassifierNetwork
        /// For each label of the training, the teacher's output for it.
        let outputs: [Int]
    }

    private let teachers: [Teacher]

    /// No teachers: the labels alone are learned.
    static let none = Teachers()

    private init() { teachers = [] }

    /// - Throws: ``TrainingError/unsuitableTeacher(model:reason:)`` for a model with other labels, or one that reads
    ///   other windows.
    init(_ models: [ModelFile], labels: [String], parameters: TrainingParameters) throws(TrainingError) {
        var teachers: [Teacher] = []
        for model in models {
            teachers.append(try Self.teacher(model, labels: labels, parameters: parameters))
        }
        self.teachers = teachers
    }

    private static func teacher(
        _ model: ModelFile, labels: [String], parameters: TrainingParameters
    ) throws(TrainingError) -> Teacher {
        let known = model.description
        guard Set(known.labels) == Set(labels) else {
            let names = Set(known.labels).symmetricDifference(labels).sorted().joined(separator: ", ")
            throw .unsuitableTeacher(model: known.name, reason: "only one of it and the clips has \(names)")
        }
        guard
            known.windowFrames == parameters.windowFrames, known.contextFrames == parameters.contextFrames,
            known.framesPerSecond == parameters.framesPerSecond
        else {
            throw .unsuitableTeacher(
                model: known.name,
                reason: "it reads \(known.contextFrames) + \(known.windowFrames) frames at "
                    + "\(known.framesPerSecond) a second, expected \(parameters.contextFrames) + "
                    + "\(parameters.windowFrames) at \(parameters.framesPerSecond)")
        }
        return Teacher(
            network: ClassifierNetwork(size: known.network, tensors: model.tensors),
            outputs: labels.map { known.labels.firstIndex(of: $0) ?? 0 })
    }

    /// The mean of all teachers' probabilities.
    ///
    /// - Parameter features: `[batch, frames, channels]`.
    /// - Returns: `[batch, labels]`; `nil` without teachers.
    func probabilities(of features: Tensor<Float>) -> Tensor<Float>? {
        guard let count = teachers.first?.outputs.count else { return nil }
        let shape = features.shape
        let stride = shape[1] * shape[2]
        var means = [Float](repeating: 0, count: shape[0] * count)
        for sample in 0..<shape[0] {
            let window = Tensor(
                shape: [shape[1], shape[2]], values: Array(features.values[sample * stride..<(sample + 1) * stride]))
            for teacher in teachers {
                let outputs = teacher.network.outputs(of: teacher.network.embedding(of: window))
                let shares = ActionClassifier.softmax(outputs, temperature: 1)
                for (label, output) in teacher.outputs.enumerated() {
                    means[sample * count + label] += shares[output] / Float(teachers.count)
                }
            }
        }
        return Tensor(shape: [shape[0], count], values: means)
    }
}
