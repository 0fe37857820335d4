import Poses
import Testing
import Training

@Suite struct LabelledClipTests {
    /// One joint that moves one unit a second, with the confidence `confidence(frame)`.
    private func line(frames: Int, rate: Double, confidence: (Int) -> Float = { _ in 1 }) -> LabelledClip {
        let keypoints = (0..<frames * 54).map { index -> Float in
            let frame = index / 54
            return index % 54 == 0 ? Float(Double(frame) / rate) : index % 54 == 2 ? confidence(frame) : 0
        }
        return LabelledClip(name: "line", label: "a", group: "", rate: rate, aspect: 1, keypoints: keypoints)
    }

    @Test(arguments: [7.0, 10, 15, 24, 25, 29.97, 30, 60])
    func `a movement is the same at every rate`(rate: Double) {
        let clip = line(frames: 50, rate: rate).resampled(to: 30)
        #expect(clip.rate == 30)
        #expect(clip.frames == Int(49 / rate * 30 + 1e-6) + 1)
        for frame in 0..<clip.frames { #expect(abs(clip.keypoints[frame * 54] - Float(frame) / 30) < 1e-4) }
    }

    @Test func `a seen and an unseen frame are not interpolated; the nearer one is used`() {
        let clip = line(frames: 3, rate: 10) { $0 == 1 ? 0 : 1 }.resampled(to: 40)
        let confidences = (0..<clip.frames).map { clip.keypoints[$0 * 54 + 2] }
        #expect(confidences == [1, 1, 0, 0, 0, 0, 1, 1, 1])
        #expect(clip.keypoints[54] == 0)
    }

    @Test func `the share of posed frames counts frames with any joint`() {
        #expect(line(frames: 10, rate: 30) { $0 < 4 ? 1 : 0 }.posedShare == 0.4)
        #expect(line(frames: 0, rate: 30).posedShare == 0)
    }
}
