import Agent
import Testing

@Suite struct RateWatchTests {
    /// The times in seconds at which a watch changes its verdict.
    private func changes(_ rates: [(rate: Double, seconds: Int)], promised: Double = 30) -> [Double] {
        var watch = RateWatch(lowHz: 0.5 * promised, goodHz: 0.7 * promised)
        var time = 0.0, changes: [Double] = []
        for (rate, seconds) in rates {
            for _ in 0..<seconds * 10 {
                if watch.hasChanged(rateHz: rate, at: time) { changes.append(time.rounded()) }
                time += 0.1
            }
        }
        return changes
    }

    @Test("scenario 20: a camera that falls from 30 to 7 frames a second is degraded, and well again at 28")
    func falls() {
        #expect(changes([(30, 20), (7, 30), (28, 30)]) == [30, 60])
    }

    @Test func `a short drop changes nothing, and neither does a slightly low rate`() {
        #expect(changes([(30, 20), (7, 8), (30, 5), (7, 8), (30, 20)]).isEmpty)
        #expect(changes([(20, 60)]).isEmpty)
        #expect(changes([(1, 60)], promised: 0).isEmpty)
    }
}
