import Actions
import Foundation
import NeuralNet
import Records
import Testing

@Suite struct ActionClassifierTests {
    /// A classifier whose output is always these probabilities.
    private func classifier(answering probabilities: [Float]) throws -> ActionClassifier {
        try ModelFileExample(biases: probabilities.map { Float.logarithm($0) }).classifier()
    }

    @Test func `a window that is sure enough gets the model's label`() throws {
        let prediction = try classifier(answering: [0.1, 0.7, 0.2]).predict(ModelFileExample.window())
        #expect(prediction.label == "squat")
        #expect(abs(prediction.confidence - 0.7) < 1e-6)
        #expect(zip(prediction.probabilities, [0.1, 0.7, 0.2]).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(prediction.frames == 10)
        #expect(prediction.poseShare == 1)
        #expect((prediction.track, prediction.start, prediction.end) == (7, 1, 3))
    }

    @Test func `a window below the confidence threshold is low_confidence, and keeps its numbers`() throws {
        let prediction = try classifier(answering: [0.1, 0.59, 0.31]).predict(ModelFileExample.window())
        #expect(prediction.label == "low_confidence")
        #expect(abs(prediction.confidence - 0.59) < 1e-6)
        #expect(prediction.probabilities.count == 3)
        #expect(prediction.frames == 10)
    }

    @Test(arguments: [(0, "no_person"), (35, "no_person"), (36, "squat"), (60, "squat")])
    func `fewer than 60 percent of poses are no_person, unclassified`(posed: Int, label: String) throws {
        let prediction = try classifier(answering: [0.1, 0.7, 0.2]).predict(ModelFileExample.window(posed: posed))
        #expect(prediction.label == label)
        #expect(prediction.poseShare == Float(posed) / 60)
        #expect(prediction.probabilities.isEmpty == (label == "no_person"))
        #expect(label != "no_person" || prediction.confidence == 0)
    }

    @Test func `a model with a slow branch answers from the first window on, and looks back where it can`() throws {
        let classifier = try ModelFileExample(context: .init(frames: 60, step: 2)).classifier()
        let alone = try classifier.predict(ModelFileExample.window())
        let nobody = try classifier.predict(ModelFileExample.window(after: [Float](repeating: 0, count: 60 * 54)))
        #expect(alone.probabilities == nobody.probabilities)
        let other = ModelFileExample.window().keypoints.map { 1.1 * $0 }
        #expect(try classifier.predict(ModelFileExample.window(after: other)).probabilities != alone.probabilities)
        // What is missing is missing at the beginning: half of the context is its second half.
        let empty = [Float](repeating: 0, count: 30 * 54)
        let half = try classifier.predict(ModelFileExample.window(after: Array(other.suffix(30 * 54))))
        let padded = try classifier.predict(ModelFileExample.window(after: empty + other.suffix(30 * 54)))
        #expect(half.probabilities == padded.probabilities && half.probabilities != alone.probabilities)
    }

    @Test func `the thresholds can be changed`() throws {
        let file = try ModelFile(data: ModelFileExample(biases: [0, 0, 0]).encoded(), file: "example")
        let lenient = ActionClassifier(file, thresholds: .init(minimumConfidence: 0.2, minimumPoseShare: 0.1))
        #expect(try lenient.predict(ModelFileExample.window(posed: 7)).isModelLabel)
        let strict = ActionClassifier(file)
        #expect(try !strict.predict(ModelFileExample.window()).isModelLabel)
    }

    @Test func `outputs that are not finite never become a label`() throws {
        var example = ModelFileExample()
        let shape = [example.description.network.embedding, 3]
        example.tensors["output.weight"] = Tensor(
            shape: shape, values: [Float](repeating: .greatestFiniteMagnitude, count: shape[0] * shape[1]))
        let prediction = try example.classifier().predict(ModelFileExample.window())
        #expect(prediction.label == "low_confidence")
        #expect(prediction.confidence == 0 && prediction.probabilities.isEmpty)
    }

    @Test func `key points that are not finite do not spread`() throws {
        let good = ModelFileExample.window()
        var keypoints = good.keypoints
        keypoints[100] = .nan
        keypoints[200] = .infinity
        let window = PoseWindow(
            track: 1, start: 0, end: 2, keypoints: keypoints, posedFrames: 60, aspect: good.aspect)
        #expect(try ModelFileExample().classifier().probabilities(of: window).allSatisfy(\.isFinite))
    }

    @Test func `a window of another length is an error that names both`() throws {
        let classifier = try ModelFileExample().classifier()
        let error = ModelFileError.windowLength(model: "example", expected: 60, found: 59)
        let window = ModelFileExample.window(posed: 59, frames: 59)
        #expect(throws: error) { try classifier.predict(window) }
        #expect(throws: error) { try classifier.probabilities(of: window) }
        #expect(throws: error) { try classifier.embedding(of: window) }
    }

    @Test func `a higher temperature lowers the confidence and keeps the order`() throws {
        var example = ModelFileExample(biases: [0, 2, 1])
        let sharp = try example.classifier().probabilities(of: ModelFileExample.window())
        example.description.temperature = 2
        let soft = try example.classifier().probabilities(of: ModelFileExample.window())
        #expect(sharp[1] > soft[1] && soft[1] > soft[2] && soft[2] > soft[0])
        #expect(abs(soft.reduce(0, +) - 1) < 1e-6)
    }

    @Test func `probabilities sum to 1, and the embedding has its length, on any thread the same`()
        async throws
    {
        let classifier = try ModelFileExample().classifier()
        let window = ModelFileExample.window()
        let expected = try classifier.probabilities(of: window)
        #expect(abs(expected.reduce(0, +) - 1) < 1e-5)
        #expect(try classifier.embedding(of: window).count == 16)
        let answers = try await withThrowingTaskGroup(of: [Float].self) { group in
            for _ in 0..<20 { group.addTask { try classifier.probabilities(of: window) } }
            return try await group.reduce(into: [[Float]]()) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0 == expected })
    }

    @Test func `a classifier is read from a file and carries its digest`() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).safetensors")
        defer { try? FileManager.default.removeItem(at: url) }
        let data = try ModelFileExample().encoded()
        try data.write(to: url)
        let classifier = try ActionClassifier(contentsOf: url)
        #expect(classifier.digest == SHA256.hex(of: data))
        #expect(classifier.description.labels == ["lunge", "squat", "none"])
        #expect(throws: (any Error).self) { try ActionClassifier(contentsOf: URL(filePath: "/no/such/model")) }
    }
}
