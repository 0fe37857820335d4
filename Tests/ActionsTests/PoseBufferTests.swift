import Actions
import Testing

@Suite struct PoseBufferTests {
    /// Windows of six frames at 10 Hz; each frame's values equal its index.
    private func window(from first: Int) -> PoseWindow {
        PoseWindow(
            track: 1, start: Double(first) / 10, end: Double(first + 6) / 10,
            keypoints: (first..<first + 6).flatMap { [Float](repeating: Float($0), count: 54) }, posedFrames: 6,
            aspect: 2)
    }

    private func ticks(_ stretch: PoseStretch) -> [Float] {
        stride(from: 0, to: stretch.keypoints.count, by: 54).map { stretch.keypoints[$0] }
    }

    @Test func `windows that overlap become one row of frames`() {
        var buffer = PoseBuffer(rate: 10)
        for first in [4, 6, 8] { buffer.add(window(from: first)) }
        let all = buffer.stretch(from: 0, to: 9)
        #expect(ticks(all) == (4..<14).map(Float.init))
        #expect(abs(all.start - 0.4) < 1e-9 && all.aspect == 2)
        #expect(ticks(buffer.stretch(from: 0.6, to: 0.9)) == [6, 7, 8])
    }

    @Test func `times without a person are empty frames`() {
        var buffer = PoseBuffer(rate: 10)
        buffer.add(window(from: 0))
        buffer.add(window(from: 8))
        #expect(ticks(buffer.stretch(from: 0.4, to: 1)) == [4, 5, 0, 0, 8, 9])
    }

    @Test func `old frames are forgotten`() {
        var buffer = PoseBuffer(rate: 10, longestSeconds: 1)
        for first in stride(from: 0, through: 40, by: 2) { buffer.add(window(from: first)) }
        #expect(buffer.frames == 10 && abs(buffer.start - 3.6) < 1e-9 && abs(buffer.end - 4.6) < 1e-9)
        buffer.add(window(from: 200))
        #expect(buffer.frames == 10 && abs(buffer.end - 20.6) < 1e-9)
        buffer.forget(before: 20.4)
        #expect(ticks(buffer.stretch(from: 0, to: 30)) == [204, 205])
    }
}
