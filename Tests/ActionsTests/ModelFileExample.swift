import Actions
import Foundation
import NeuralNet
import Poses

/// A small model with random weights, for tests that need some model.
struct ModelFileExample {
    var description: ModelDescription
    var tensors: [String: Tensor<Float>]

    /// - Parameters:
    ///   - biases: if given, the network's output is always the softmax of these.
    ///   - context: what the network sees before the window.
    init(
        labels: [String] = ["lunge", "squat", "none"], biases: [Float]? = nil,
        context: ModelDescription.Context? = nil
    ) {
        let size = NetworkSize(
            widths: [4, 6, 8], labels: labels.count, slowFrames: context?.slowFrames(window: 60))
        description = ModelDescription(
            name: "example", labels: labels, countedLabels: labels.filter { $0 != "none" }, joints: Joint.names,
            featureVersion: PoseFeatures.version, network: size)
        description.context = context
        var random = RandomSource(seed: 3)
        tensors = [:]
        for (name, shape) in size.tensorShapes.sorted(by: { $0.key < $1.key }) {
            let isPositive = name.hasSuffix("variance") || name.hasSuffix("scale")
            tensors[name] = Tensor(
                shape: shape,
                values: (0..<shape.reduce(1, *)).map { _ in
                    isPositive ? random.uniform(in: 0.5...1.5) : 0.3 * random.normal()
                })
        }
        if let biases {
            tensors["output.weight"] = Tensor(zeros: [size.embedding, labels.count])
            tensors["output.bias"] = Tensor(shape: [labels.count], values: biases)
        }
    }

    func encoded() throws -> Data { try ModelFile.encode(description, tensors: tensors) }

    func classifier() throws -> ActionClassifier { ActionClassifier(try ModelFile(data: encoded(), file: "example")) }

    /// A window in which the first `posed` of 60 frames show a person.
    static func window(posed: Int = 60, frames: Int = 60, after context: [Float] = []) -> PoseWindow {
        var random = RandomSource(seed: 4)
        let keypoints = (0..<frames * 54).map { index -> Float in
            guard index / 54 < posed else { return 0 }
            return index % 3 == 2 ? 0.9 : 0.5 + 0.1 * random.normal()
        }
        return PoseWindow(
            track: 7, start: 1, end: 3, keypoints: keypoints, context: context, posedFrames: posed, aspect: 16 / 9)
    }
}
