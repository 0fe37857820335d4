import Actions
import NeuralNet
import Testing

@Suite struct UnknownMotionDetectorTests {
    private let size = NetworkSize(widths: [4, 6, 1], labels: 2)

    private func tensors(factor: [Float]) -> [String: Tensor<Float>] {
        [
            UnknownMotionDetector.meansName: Tensor(shape: [2, 2], values: [0, 0, 3, 4]),
            UnknownMotionDetector.factorName: Tensor(shape: [2, 2], values: factor),
        ]
    }

    @Test func `the distance is the mean square in units of the standard deviation`() throws {
        let openSet = try #require(UnknownMotionDetector(tensors: tensors(factor: [1, 0, 0, 2]), network: size))
        #expect(openSet.distance(of: [3, 4], from: 0) == 6.5)
        #expect(openSet.distance(of: [3, 4], from: 1) == 0)
    }

    @Test func `correlated directions are weighted by their covariance`() throws {
        // Covariance [[4, 2], [2, 2]]: a step along its long axis is a smaller distance than one across it.
        let openSet = try #require(UnknownMotionDetector(tensors: tensors(factor: [2, 0, 1, 1]), network: size))
        #expect(openSet.distance(of: [2, 1], from: 0) == 0.5)
        #expect(openSet.distance(of: [2, -1], from: 0) == 2.5)
    }

    @Test func `a model without valid tensors has no detector of unknown motions`() {
        #expect(UnknownMotionDetector(tensors: [:], network: size) == nil)
        #expect(UnknownMotionDetector(tensors: tensors(factor: [1, 0, 0, 0]), network: size) == nil)
        #expect(UnknownMotionDetector(tensors: tensors(factor: [1, 0, 0, 2]), network: NetworkSize(labels: 2)) == nil)
    }
}

@Suite struct RejectionReasonTests {
    /// A classifier that is sure of its second label. If `centred`, its mean is the embedding of the example's window.
    private func classifier(limit: Float, centred: Bool) throws -> ActionClassifier {
        var example = ModelFileExample(biases: [0, 3, 0])
        let network = example.description.network
        let embedding = try example.classifier().embedding(of: ModelFileExample.window())
        let mean = centred ? embedding : embedding.map { $0 + 2 }
        let length = network.embedding
        example.tensors[UnknownMotionDetector.meansName] = Tensor(
            shape: [3, length], values: (0..<3).flatMap { _ in mean })
        example.tensors[UnknownMotionDetector.factorName] = Tensor(
            shape: [length, length], values: (0..<length * length).map { $0 % (length + 1) == 0 ? 1 : 0 })
        example.description.thresholds.maximumDistance = limit
        return try example.classifier()
    }

    @Test func `an exercise far from all that is known is an unknown motion`() throws {
        let near = try classifier(limit: 1, centred: true).predict(ModelFileExample.window())
        #expect(near.label == "squat" && near.rejection == nil)
        let far = try classifier(limit: 1, centred: false).predict(ModelFileExample.window())
        #expect(far.label == "low_confidence" && far.rejection == .unknownMotion)
        #expect(far.confidence == near.confidence)
        let lenient = try classifier(limit: 100, centred: false).predict(ModelFileExample.window())
        #expect(lenient.label == "squat")
    }

    @Test func `an exercise in which nothing moves is an unknown motion`() throws {
        func prediction(biases: [Float], jitter: Float, isCounted: Bool = true) throws -> Prediction {
            var example = ModelFileExample(biases: biases)
            let basis = CountingBasis(weights: [Float](repeating: 1, count: CountingFeatures.shapeChannels))
            example.description.counting = isCounted ? ["squat": basis] : nil
            let keypoints = (0..<60).flatMap { frame in
                StickFigure.pose().enumerated().map { $0 % 3 == 0 && frame % 2 == 0 ? $1 + jitter : $1 }
            }
            return try example.classifier().predict(
                PoseWindow(track: 1, start: 0, end: 2, keypoints: keypoints, posedFrames: 60, aspect: 1))
        }
        #expect(try prediction(biases: [0, 5, 0], jitter: 0.005).rejection == .unknownMotion)
        #expect(try prediction(biases: [0, 5, 0], jitter: 0.03).label == "squat")
        #expect(try prediction(biases: [0, 5, 0], jitter: 0, isCounted: false).label == "squat", "as a plank")
        // Standing still is what `none` means.
        #expect(try prediction(biases: [0, 0, 5], jitter: 0).label == "none")
    }

    @Test func `equally likely labels are reported as unsure, a bad view as a bad view`() throws {
        let classifier = try ModelFileExample(biases: [0, 0, 0]).classifier()
        #expect(try classifier.predict(ModelFileExample.window()).rejection == .unsure)
        let window = ModelFileExample.window()
        var keypoints = window.keypoints
        for index in stride(from: 2, to: keypoints.count, by: 3) { keypoints[index] = 0.3 }
        let dim = PoseWindow(track: 1, start: 0, end: 2, keypoints: keypoints, posedFrames: 60, aspect: window.aspect)
        #expect(try classifier.predict(dim).rejection == .poorView)
    }

    @Test(arguments: [[9, 10, 12, 13], [0, 14, 15, 16, 17]])
    func `without head or legs in the picture only a sure answer counts`(joints: [Int]) throws {
        let window = ModelFileExample.window()
        var keypoints = window.keypoints
        for frame in 0..<45 { for joint in joints { keypoints[frame * 54 + 3 * joint + 1] = 1.2 } }
        let cut = PoseWindow(track: 1, start: 0, end: 2, keypoints: keypoints, posedFrames: 60, aspect: window.aspect)
        let bold = try ModelFileExample(biases: [0, 1.5, 0]).classifier()
        #expect(try bold.predict(window).label == "squat")
        #expect(try bold.predict(cut).rejection == .poorView)
        #expect(try ModelFileExample(biases: [0, 5, 0]).classifier().predict(cut).label == "squat")
    }
}
