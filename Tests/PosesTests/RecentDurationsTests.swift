import Poses
import Testing

@Suite struct RecentDurationsTests {
    @Test func `nothing took no time`() { #expect(RecentDurations().quantile(0.5) == .zero) }

    @Test func `quantiles are of the last three hundred`() {
        let durations = RecentDurations()
        for milliseconds in 1...1000 { durations.add(.milliseconds(milliseconds)) }
        #expect(durations.quantile(0) == .milliseconds(701))
        #expect(durations.quantile(0.5) == .milliseconds(851))
        #expect(durations.quantile(0.95) == .milliseconds(986))
        #expect(durations.quantile(1) == .milliseconds(1000))
    }
}
