import Actions
import Foundation
import Testing

@Suite struct RepeatFinderTests {
    /// Someone stands, does squats, stands, does squats at another pace, stands.
    private func poses(_ periods: [Double], count: Int = 5, rest: Double = 5) -> [Float] {
        periods.flatMap { period in
            StickFigure.squatting(seconds: rest + Double(count) * period) {
                StickFigure.depth($0, rest: rest, period: period, count: count)
            }
        }
    }

    @Test(arguments: [[1.5], [3], [6], [1.2, 4], [2, 2, 2]])
    func `each set is one part, from its first repetition to its last`(periods: [Double]) throws {
        let parts = RepeatFinder.parts(of: StickFigure.stretch(poses(periods)))
        try #require(parts.count == periods.count, "\(parts)")
        var begin = 0.0
        for (part, period) in zip(parts, periods) {
            #expect(
                abs(part.start - begin - 5) < 0.3 + 0.15 * period
                    && abs(part.end - begin - 5 - 5 * period) < 0.3 + 0.15 * period,
                "\(part), period \(period), from \(begin + 5)")
            #expect(part.repetitions == 5)
            begin += 5 + 5 * period
        }
    }

    @Test func `standing, one movement and an empty recording have no parts`() {
        #expect(RepeatFinder.parts(of: StickFigure.stretch(poses([0.1], count: 0, rest: 30))).isEmpty)
        #expect(RepeatFinder.parts(of: StickFigure.stretch(poses([2], count: 1, rest: 10))).isEmpty)
        #expect(RepeatFinder.parts(of: StickFigure.stretch([])).isEmpty)
    }
}
