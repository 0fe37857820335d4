import Agent
import Foundation
import Testing

@Suite struct SourceClockTests {
    private let noon = Date(timeIntervalSince1970: 1_795_000_000)

    /// Plays ten frames a second with a latency of 0.1 to 0.5 s, and of 3 s in two of ten seconds.
    ///
    /// - Returns: the steps, and the error of the last frame's time.
    private func play(
        seconds: Int, wall: (_ time: Double) -> Double, source: (_ time: Double) -> Double = { $0 },
        isKept: (_ time: Double) -> Bool = { _ in true }
    ) -> (steps: [Double], error: Double) {
        var clock = SourceClock(origin: noon)
        let begin = ContinuousClock.now
        var steps: [Double] = [], error = 0.0, arrived = 0.0
        for frame in 0..<seconds * 10 {
            let taken = Double(frame) / 10
            arrived = max(arrived, taken + (frame % 100 < 20 ? 3 : 0.1 + Double(frame % 5) / 10))
            let date = noon.addingTimeInterval(wall(arrived))
            let now = begin + .seconds(arrived)
            if let step = clock.observe(source(taken), wall: date, now: now, isKept: isKept(arrived)) {
                steps.append(step)
            }
            error = clock.date(of: source(taken)).timeIntervalSince(noon.addingTimeInterval(wall(taken)))
        }
        return (steps, error)
    }

    @Test func `frames that are late move nothing`() {
        let (steps, error) = play(seconds: 300, wall: { $0 })
        #expect(steps.isEmpty && error == 0)
    }

    @Test("scenario 31: the clock is set, and times follow", arguments: [-21.0 * 86_400, 86_400, 3600, -3])
    func set(jump: Double) {
        let (steps, error) = play(seconds: 85, wall: { $0 < 60 ? $0 : $0 + jump })
        #expect(steps.count == 1 && abs((steps.first ?? 0) - jump) < 0.6 && abs(error) < 0.6)
    }

    @Test(
        "a stream whose encoder goes wrong by a second in a thousand stays within seconds", arguments: [0.999, 1.001])
    func drift(rate: Double) {
        let (steps, error) = play(seconds: 20_000, wall: { $0 }, source: { $0 * rate })
        #expect((7...11).contains(steps.count) && abs(error) < 2.6)
    }

    @Test func `with an unsynchronised clock, times stay unchanged`() {
        let wall = { $0 < 60.0 ? $0 : $0 + 3600 }
        let before = play(seconds: 120, wall: wall, isKept: { _ in false })
        #expect(before.steps.isEmpty && abs(before.error + 3600) < 1e-3)
        let after = play(seconds: 200, wall: wall, isKept: { $0 > 150 })
        #expect(after.steps.count == 1 && abs(after.error) < 0.6)
    }

    @Test func `a clock that is set forth and back changes nothing`() {
        let (_, error) = play(seconds: 200, wall: { (60..<100).contains($0) ? $0 - 5000 : $0 })
        #expect(abs(error) < 0.6)
    }

    /// A frame without latency, with the wall clock `ahead` of the estimate.
    private func arrive(
        _ clock: inout SourceClock, at second: Double, since begin: ContinuousClock.Instant, ahead: Double,
        isKept: Bool = true
    ) -> Double? {
        clock.observe(
            second, wall: noon.addingTimeInterval(second + ahead), now: begin + .seconds(second), isKept: isKept)
    }

    @Test func `times are moved after ten seconds, not before, and then only once`() {
        var clock = SourceClock(origin: noon)
        let begin = ContinuousClock.now
        #expect(arrive(&clock, at: 0, since: begin, ahead: 3600) == nil)
        #expect(arrive(&clock, at: 9, since: begin, ahead: 3600) == nil)
        #expect(clock.origin == noon)
        #expect(arrive(&clock, at: 10, since: begin, ahead: 3600) == 3600)
        #expect(clock.origin == noon + 3600 && clock.date(of: 5) == noon + 3605)
        for second in [11.0, 21, 31] { #expect(arrive(&clock, at: second, since: begin, ahead: 3600) == nil) }
    }

    @Test(
        "two seconds are within what frames vary by",
        arguments: [(2.0, false), (2.5, true), (-2.0, false), (-2.5, true)])
    func tolerance(ahead: Double, isMoved: Bool) {
        var clock = SourceClock(origin: noon)
        let begin = ContinuousClock.now
        _ = arrive(&clock, at: 0, since: begin, ahead: ahead)
        #expect(arrive(&clock, at: 10, since: begin, ahead: ahead) == (isMoved ? ahead : nil))
    }

    @Test func `one frame without delay is enough to leave the times as they are`() {
        var clock = SourceClock(origin: noon)
        let begin = ContinuousClock.now
        for second in 0..<10 {
            #expect(arrive(&clock, at: Double(second), since: begin, ahead: second == 4 ? 0 : 30) == nil)
        }
        #expect(arrive(&clock, at: 10, since: begin, ahead: 30) == nil && clock.origin == noon)
        #expect(arrive(&clock, at: 11, since: begin, ahead: 30) == nil)
        #expect(arrive(&clock, at: 21, since: begin, ahead: 30) == 30, "it does not speak for the next ten seconds")
    }

    @Test func `the clock's state is queried only when there is a step to apply`() {
        var clock = SourceClock(origin: noon)
        let begin = ContinuousClock.now
        var asked = 0
        func isKept() -> Bool {
            asked += 1
            return false
        }
        for second in 0...20 {
            let time = Double(second)
            let wall = noon.addingTimeInterval(time + (second > 10 ? 60 : 0))
            #expect(clock.observe(time, wall: wall, now: begin + .seconds(second), isKept: isKept()) == nil)
        }
        #expect(asked == 0)
        #expect(
            clock.observe(21, wall: noon.addingTimeInterval(81), now: begin + .seconds(21), isKept: isKept()) == nil)
        #expect(asked == 1 && clock.origin == noon)
    }
}
