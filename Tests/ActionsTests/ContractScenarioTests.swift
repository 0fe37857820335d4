import Actions
import Agent
import NeuralNet
import Poses
import Testing

/// Scenarios of the contract in which cameras and models affect the counts.
@Suite struct ContractScenarioTests {
    /// Plays twenty seconds of a person at a rate, and returns the credited frames.
    private func credited(rateHz: Double) throws -> Int {
        let classifier = try ModelFileExample(biases: [0, 5, 0]).classifier()
        let model = classifier.description
        var gatherer = WindowGatherer(
            WindowGatherer.Settings(
                window: model.windowFrames, stride: model.strideFrames, rateHz: model.framesPerSecond,
                subjects: .everyone))
        let pose = Pose(keypoints: Array(repeating: Keypoint(x: 0.5, y: 0.5, confidence: 1), count: 18))
        var frames = 0
        for index in 0..<Int(20 * rateHz) {
            let frame = TrackedFrame(
                index: index, time: Double(index) / rateHz, image: nil, widthPixels: 640, heightPixels: 480,
                tracks: [Track(id: 1, pose: pose)], prominent: 1)
            for window in gatherer.gather(frame) {
                let prediction = try classifier.predict(window)
                #expect(prediction.label == "squat")
                frames += prediction.frames
            }
        }
        return frames
    }

    @Test("scenario 20: a camera at 7 frames a second is credited the same time as one at 30")
    func creditsByTime() throws {
        let full = try credited(rateHz: 30)
        #expect(full == 550)
        #expect(abs(try credited(rateHz: 7) - full) <= 10)
    }

    @Test("scenario 22: a model whose numbers are not finite says low_confidence, and that is a problem")
    func notFinite() throws {
        var example = ModelFileExample()
        let shape = [example.description.network.embedding, 3]
        example.tensors["output.weight"] = Tensor(
            shape: shape, values: [Float](repeating: .greatestFiniteMagnitude, count: shape[0] * shape[1]))
        let prediction = try example.classifier().predict(ModelFileExample.window())
        #expect(prediction.label == "low_confidence" && prediction.isNotANumber(0.6))
        let doubtful = try ModelFileExample(biases: [0, 0, 0]).classifier().predict(ModelFileExample.window())
        #expect(doubtful.label == "low_confidence" && !doubtful.isNotANumber(0.6))
        let nobody = try example.classifier().predict(ModelFileExample.window(posed: 0))
        #expect(!nobody.isNotANumber(0.6))
    }
}
