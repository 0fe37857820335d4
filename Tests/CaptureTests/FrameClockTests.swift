import Capture
import Testing

struct FrameClockTests {
    private func times(_ stamps: [Double?], longest: Double = 3600) -> [Double] {
        var clock = FrameClock(.stamps(longestGapSeconds: longest), rateHz: 10)
        return stamps.compactMap { clock.next(stamp: $0, arrival: .now).map { ($0 * 1000).rounded() / 1000 } }
    }

    @Test func `the times are those of the pictures, and a pause lasts as long as it did`() {
        #expect(times([7, 7.1, 7.25, 187, 187.1]) == [0, 0.1, 0.25, 180, 180.1])
    }

    @Test func `a clock that is wrong neither stops the time nor turns it back`() {
        // Years ahead, begun anew, without a time stamp.
        #expect(times([0, 0.1, 2e9, 2e9 + 0.1]) == [0, 0.1, 10.1, 10.2])
        #expect(times([50, 50.1, 3, 3.1]) == [0, 0.1, 0.2, 0.3])
        #expect(times([0, nil, nil, 0.3]) == [0, 0.1, 0.2, 0.3])
        // A stream does not pause.
        #expect(times([0, 60, 60.1], longest: 10) == [0, 10, 10.1])
        var clock = FrameClock(.stamps(longestGapSeconds: 3600), rateHz: 10)
        let disordered = [0.0, 0.2, 0.1, 0.4, 0.3, 0.4].compactMap { clock.next(stamp: $0, arrival: .now) }
        #expect(zip(disordered, disordered.dropFirst()).allSatisfy { $0 < $1 } && disordered.last! < 0.41)
    }

    @Test(arguments: [(4.0, 41), (10, 101), (30, 101), (15, 101)])
    func `without time stamps the arrival counts, and what comes too soon is left out`(rate: Double, count: Int) {
        var clock = FrameClock(.arrival, rateHz: 10)
        let start = ContinuousClock.now
        let times = (0...Int(10 * rate)).compactMap { index in
            clock.next(stamp: nil, arrival: start + .seconds(Double(index) / rate))
        }
        #expect(abs(times.count - count) <= 1, "\(times.count)")
        #expect(times.first == 0 && abs((times.last ?? 0) - 10) < 0.2)
    }
}
