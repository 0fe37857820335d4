import Actions
import Testing

@Suite struct RepetitionLikenessTests {
    private func repetitions(_ times: [(start: Double, end: Double)]) -> [Repetition] {
        times.map { Repetition(start: $0.start, extreme: ($0.start + $0.end) / 2, end: $0.end) }
    }

    private func areAlike(_ repetitions: [Repetition], _ poses: [Float]) -> Bool {
        let stretch = StickFigure.stretch(poses)
        return RepetitionLikeness(repetitions, in: stretch, CountingFeatures(stretch)).areAlike
    }

    @Test func `squats of other depths and paces are alike`() {
        let poses = StickFigure.squatting(seconds: 12) { time in
            time < 6
                ? StickFigure.depth(time, rest: 0, period: 3, count: 2)
                : 0.5 * StickFigure.depth(time, rest: 6, period: 1.5, count: 4)
        }
        let found = repetitions([(0, 3), (3, 6), (6, 7.5), (7.5, 9)])
        #expect(areAlike(found, poses))
    }

    @Test func `one-off motions are not alike`() {
        let poses = (0..<240).flatMap { frame -> [Float] in
            let time = Double(frame) / 30
            let amount = StickFigure.depth(time, rest: 0, period: 2, count: 4)
            // Down and up, then the arms up and down, and again.
            return Int(time / 2) % 2 == 0 ? StickFigure.pose(squat: amount) : StickFigure.pose(arms: amount)
        }
        let found = repetitions([(0, 2), (2, 4), (4, 6), (6, 8)])
        #expect(!areAlike(found, poses))
        #expect(areAlike(Array(found.prefix(2)), poses))
    }
}
