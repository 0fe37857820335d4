import Actions
import Testing

@Suite struct PoseBuffersTests {
    private func window(start: Double, x: Float = 0.5) -> PoseWindow {
        PoseWindow(
            track: 1, start: start, end: start + 2, keypoints: [Float](repeating: x, count: 60 * 54), posedFrames: 60,
            aspect: 1)
    }

    @Test func `a pause of thirty years takes no memory, and earlier frames are kept`() throws {
        var buffers = PoseBuffers(rate: 30)
        for start: Double in [0, 1.0 / 3, 2.0 / 3, 1e9, 1e9 + 1.0 / 3] { buffers.add(window(start: start)) }
        #expect(buffers.stretches.map(\.frames) == [80, 70])
        #expect(buffers.stretches.first?.start == 0 && buffers.stretches.last.map { $0.start >= 1e9 - 1 } == true)
    }

    @Test func `timestamps that restart begin another buffer`() {
        var buffers = PoseBuffers(rate: 30)
        for start in [100.0, 101, 5, 6] { buffers.add(window(start: start)) }
        #expect(buffers.stretches.map(\.frames) == [90, 90])
    }

    @Test func `a short pause is filled with empty frames`() throws {
        var buffers = PoseBuffers(rate: 30)
        for start in [0.0, 4] { buffers.add(window(start: start)) }
        let stretch = try #require(buffers.stretches.first)
        #expect(buffers.stretches.count == 1 && stretch.frames == 180)
        #expect(stretch.keypoints[(60 + 30) * 54] == 0)
    }
}
