import Actions
import Testing

@Suite struct LabelSmootherTests {
    private static let model = ModelDescription(
        name: "example", labels: ["squat", "lunge", "none"], countedLabels: ["squat", "lunge"], joints: [],
        featureVersion: 1, network: NetworkSize(labels: 3))

    /// The window of one person that ends `index` strides after 2 s.
    private func prediction(_ index: Int, _ probabilities: [Float]) -> Prediction {
        let end = 2 + Double(index) / 3
        let best = probabilities.indices.max { probabilities[$0] < probabilities[$1] }
        let label = best.map { Self.model.labels[$0] } ?? "no_person"
        return Prediction(
            track: 1, start: end - 2, end: end, label: label, confidence: probabilities.max() ?? 0,
            probabilities: probabilities, poseShare: 1, frames: 10)
    }

    private func smoother(_ minimumConfidence: Float = 0.6) -> LabelSmoother {
        LabelSmoother(LabelSmoother.Settings(Self.model, minimumConfidence: minimumConfidence))
    }

    private func shown(_ windows: [[Float]], minimumConfidence: Float = 0.6) -> [String] {
        var smoother = self.smoother(minimumConfidence)
        return windows.enumerated().map { smoother.smooth(prediction($0, $1)).label }
    }

    @Test func `a sure first window is shown at once`() {
        #expect(shown([[0.95, 0.03, 0.02]]) == ["squat"])
    }

    @Test func `a first window that is not sure shows low_confidence`() {
        #expect(shown([[0.4, 0.35, 0.25]]) == ["low_confidence"])
    }

    @Test func `the least confidence decides when a label is shown`() {
        let window: [Float] = [0.7, 0.2, 0.1]
        #expect(shown([window], minimumConfidence: 0.4) == ["squat"])
        #expect(shown([window], minimumConfidence: 0.95) == ["low_confidence"])
        #expect(shown(Array(repeating: window, count: 30), minimumConfidence: 0.95).last == "squat")
        #expect(shown([window], minimumConfidence: 0) == ["squat"])
    }

    @Test func `single windows of another label do not change what is shown`() {
        let squat: [Float] = [0.9, 0.05, 0.05], lunge: [Float] = [0.2, 0.75, 0.05]
        let windows = [squat, squat, squat, lunge, squat, squat, lunge, squat]
        #expect(shown(windows) == Array(repeating: "squat", count: 8))
    }

    @Test func `another exercise is shown within a few windows`() {
        let squat: [Float] = [0.9, 0.05, 0.05], none: [Float] = [0.03, 0.02, 0.95]
        let labels = shown(Array(repeating: squat, count: 30) + Array(repeating: none, count: 9))
        #expect(labels[..<30].allSatisfy { $0 == "squat" })
        #expect(labels.last == "none")
        #expect(labels.count { $0 == "low_confidence" } <= 3)
    }

    @Test func `the label and the confidence of the window alone stay as they are`() {
        var smoother = self.smoother()
        _ = smoother.smooth(prediction(0, [0.9, 0.05, 0.05]))
        let lunge = prediction(1, [0.2, 0.75, 0.05])
        let smoothed = smoother.smooth(lunge)
        #expect(smoothed.windowLabel == "lunge" && smoothed.label == "squat")
        #expect(smoothed.probabilities == lunge.probabilities && smoothed.windowConfidence == lunge.confidence)
        #expect((0.2...1).contains(smoothed.confidence))
    }

    @Test func `windows without probabilities show their own label`() {
        var smoother = self.smoother()
        _ = smoother.smooth(prediction(0, [0.9, 0.05, 0.05]))
        #expect(smoother.smooth(prediction(2, [])).label == "no_person")
        // A short break does not erase the memory …
        #expect(smoother.smooth(prediction(3, [0.3, 0.4, 0.3])).label == "squat")
        // … a long one does, and so do times that jump back.
        #expect(smoother.smooth(prediction(20, [0.3, 0.4, 0.3])).label == "low_confidence")
        _ = smoother.smooth(prediction(21, [0.9, 0.05, 0.05]))
        #expect(smoother.smooth(prediction(5, [0.3, 0.4, 0.3])).label == "low_confidence")
    }

    @Test func `certain windows stay finite, and one more can still change what is shown`() {
        let labels = shown(Array(repeating: [1, 0, 0], count: 500) + Array(repeating: [0, 1, 0], count: 10))
        #expect(labels[499] == "squat" && labels.last == "lunge")
    }
}
