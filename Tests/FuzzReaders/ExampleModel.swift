import Actions
import Foundation
import NeuralNet
import Poses

/// A small model with arbitrary weights. Its answers do not matter, only that it is called.
enum ExampleModel {
    static func encoded() throws -> Data {
        let labels = ["lunge", "squat", "none"]
        let size = NetworkSize(widths: [4, 6, 8], labels: labels.count)
        var description = ModelDescription(
            name: "example", labels: labels, countedLabels: ["lunge", "squat"], joints: Joint.names,
            featureVersion: PoseFeatures.version, network: size)
        // A low threshold, so that sessions begin although the model is never sure.
        description.thresholds = .init(minimumConfidence: 0.2, minimumPoseShare: 0.2)
        var random = RandomSource(seed: 3)
        var tensors: [String: Tensor<Float>] = [:]
        for (name, shape) in size.tensorShapes.sorted(by: { $0.key < $1.key }) {
            let isPositive = name.hasSuffix("variance") || name.hasSuffix("scale")
            let values = (0..<shape.reduce(1, *)).map { _ in
                isPositive ? random.uniform(in: 0.5...1.5) : 0.3 * random.normal()
            }
            tensors[name] = Tensor(shape: shape, values: values)
        }
        return try ModelFile.encode(description, tensors: tensors)
    }

    static let classifier = Result { ActionClassifier(try ModelFile(data: encoded(), file: "example")) }
}
