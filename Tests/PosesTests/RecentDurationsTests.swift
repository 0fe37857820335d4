import Poses
import Testing

@Suite struct RecentDurationsTests {
    @Test func `without durations all quantiles are zero`() { #expect(RecentDurations().quantile(0.5) == .zero) }

    @Test func `quantiles cover the last three hundred durations`() {
        let durations = RecentDurations()
        for milliseconds in 1...1000 { durations.add(.milliseconds(milliseconds)) }
        #expect(durations.quantile(0) == .milliseconds(701))
        #expect(durations.quantile(0.5) == .milliseconds(851))
        #expect(durations.quantile(0.95) == .milliseconds(986))
        #expect(durations.quantile(1) == .milliseconds(1000))
    }
}
