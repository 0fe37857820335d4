import Capture
import Testing

@Suite struct FrameSkippingTests {
    /// Plays a camera for some seconds. Processing a frame takes `milliseconds(index)`.
    /// Returns the stride at each frame.
    private func play(
        _ stride: inout FrameSkipping, seconds: Double, rateHz: Double = 30, from start: Int = 0,
        milliseconds: (Int) -> Double
    ) -> [Int] {
        (start..<start + Int(seconds * rateHz)).map { index in
            if stride.accepts(index: index, time: Double(index) / rateHz) {
                stride.add(.microseconds(Int(milliseconds(index) * 1000)))
            }
            return stride.value
        }
    }

    @Test func `time for every frame keeps every frame`() {
        var stride = FrameSkipping()
        #expect(play(&stride, seconds: 10) { _ in 25 }.allSatisfy { $0 == 1 })
    }

    // Load at the previous stride: 90 %, 120 %, 180 %; 0.85 of 33.3 ms is 28.3 ms.
    @Test(arguments: [(30, 2), (40, 2), (60, 3), (80, 3), (300, 3)])
    func `steady overload settles at once and for good`(milliseconds: Int, expected: Int) {
        var stride = FrameSkipping()
        let values = play(&stride, seconds: 30) { _ in Double(milliseconds) }
        #expect(values[..<45].allSatisfy { $0 == 1 })
        #expect(values[120...].allSatisfy { $0 == expected })
        #expect(Set(values) == [1, expected])
    }

    @Test func `frames are used evenly, and a lost one is replaced by the next`() {
        var stride = FrameSkipping()
        _ = play(&stride, seconds: 10) { _ in 40 }
        let indices = [300, 301, 302, 303, 304, 306, 307, 308, 309]
        #expect(indices.filter { stride.accepts(index: $0, time: Double($0) / 30) } == [301, 303, 306, 308])
    }

    @Test func `near the limit the stride does not flap`() {
        var stride = FrameSkipping()
        // Between 84 and 90 % of a core, changing every three seconds.
        let values = play(&stride, seconds: 120) { index in index / 90 % 2 == 0 ? 28 : 30 }
        #expect(zip(values, values.dropFirst()).count { $0 != $1 } == 1)
    }

    @Test func `the stride recovers, but not at once`() {
        var stride = FrameSkipping()
        _ = play(&stride, seconds: 10) { _ in 60 }
        let values = play(&stride, seconds: 20, from: 300) { _ in 12 }
        #expect(values[..<120].allSatisfy { $0 == 3 } && values[240...].allSatisfy { $0 == 1 })
    }

    @Test func `a single slow frame changes nothing`() {
        var stride = FrameSkipping()
        #expect(play(&stride, seconds: 30) { $0 % 60 == 30 ? 800 : 20 }.allSatisfy { $0 == 1 })
    }

    @Test func `a slower camera has more time for a frame, and the poses do not become too few`() {
        var stride = FrameSkipping()
        // At 15 Hz, using every second frame would give only 7.5 Hz.
        #expect(play(&stride, seconds: 20, rateHz: 15) { _ in 100 }.allSatisfy { $0 == 1 })
        var fast = FrameSkipping()
        #expect(play(&fast, seconds: 20, rateHz: 60) { _ in 100 }.last == 7)
        var coarse = FrameSkipping(FrameSkipping.Settings(minimumRateHz: 2))
        #expect(play(&coarse, seconds: 20) { _ in 200 }.last == 8)
    }

    @Test func `the decoder's processor time is not available for poses`() {
        // 20 of 33 ms fit into 85 % of a core, but not beside a decoder that uses 30 % of it.
        var (alone, beside) = (FrameSkipping(), FrameSkipping())
        for index in 0..<600 {
            let time = Double(index) / 30
            if alone.accepts(index: index, time: time) { alone.add(.milliseconds(20)) }
            if beside.accepts(index: index, time: time) {
                beside.add(.milliseconds(20), decodingSeconds: 7 + 0.3 * time)
            }
        }
        #expect(alone.value == 1 && beside.value == 2)
    }

    @Test func `a lower load limit can be set`() {
        var stride = FrameSkipping(FrameSkipping.Settings(maximumLoad: 0.4))
        #expect(play(&stride, seconds: 10) { _ in 20 }.last == 2)
    }
}
