import Actions
import Foundation
import Testing

/// Tests without a learned direction: the counter finds its own.
@Suite struct RepetitionCounterTests {
    private let counter = RepetitionCounter(basis: nil)

    private func count(_ keypoints: [Float]) -> Int { counter.repetitions(in: StickFigure.stretch(keypoints)).count }

    @Test(arguments: [0.6, 1.0, 2.0, 4.0, 6.0])
    func `repetitions are counted at every pace`(period: Double) {
        let seconds = 2 + 6 * period
        #expect(
            count(
                StickFigure.squatting(seconds: seconds) {
                    StickFigure.depth($0, rest: 1, period: period, count: 6)
                }) == 6)
    }

    @Test func `each repetition has its start, its extreme and its end`() throws {
        let poses = StickFigure.squatting(seconds: 12) { StickFigure.depth($0, rest: 3, period: 2, count: 3) }
        let found = counter.repetitions(in: StickFigure.stretch(poses, start: 100))
        #expect(found.count == 3)
        for (index, repetition) in found.enumerated() {
            let begin = 103 + 2 * Double(index)
            #expect(abs(repetition.start - begin) < 0.35)
            #expect(abs(repetition.extreme - begin - 1) < 0.1)
            #expect(abs(repetition.end - begin - 2) < 0.35)
        }
    }

    @Test func `a last repetition counts once its return phase has begun`() {
        func poses(until end: Double) -> [Float] {
            StickFigure.squatting(seconds: end) { StickFigure.depth($0, rest: 0, period: 2, count: 9) }
        }
        #expect(count(poses(until: 6.9)) == 3)
        #expect(count(poses(until: 7.6)) == 4)
    }

    @Test func `standing still gives no repetitions, and fidgeting gives few`() {
        var random = SystemRandomNumberGenerator()
        let still = StickFigure.squatting(seconds: 20) { _ in Float.random(in: 0...0.02, using: &random) }
        #expect(count(still) == 0)
        let poses = StickFigure.squatting(seconds: 20) {
            StickFigure.depth($0, rest: 8, period: 2, count: 5) + Float(0.05 * sin(5 * $0))
        }
        #expect(count(poses) == 5)
    }

    @Test func `deep and half-deep repetitions count, a twitch among them does not`() {
        let depths: [Float] = [1, 0.9, 0.7, 0.2, 1, 0.65]
        let poses = StickFigure.squatting(seconds: 12) {
            StickFigure.depth($0, rest: 0, period: 2, count: 6) * depths[min(Int($0 / 2), 5)]
        }
        #expect(count(poses) == 5)
    }

    @Test func `missing joints and frames are bridged`() {
        var poses = StickFigure.squatting(seconds: 18) { StickFigure.depth($0, rest: 1, period: 2, count: 8) }
        for frame in 0..<poses.count / 54 {
            // Every fifth frame is empty, the left leg is seen in every third, one wrist never.
            if frame % 5 == 0 {
                poses.replaceSubrange(frame * 54..<(frame + 1) * 54, with: repeatElement(0, count: 54))
            }
            if frame % 3 != 0 { for index in 33..<42 { poses[frame * 54 + index] = 0 } }
            for index in 12..<15 { poses[frame * 54 + index] = 0 }
        }
        #expect(count(poses) == 8)
    }

    @Test(arguments: [0.5, 0.35, 0.8])
    func `arms in turn count one by one by their difference, also where one is seen higher`(middle: Float) {
        let poses = (0..<360).flatMap { frame -> [Float] in
            let time = Double(frame) / 30
            // Five waves to either side.
            let wave = time > 1 && time < 11 ? Float(0.2 * sin(2 * .pi * (time - 1) / 2)) : 0
            return StickFigure.pose(arms: 0.5 - wave, leftArm: middle + wave)
        }
        var weights = [Float](repeating: 0, count: CountingFeatures.allChannels)
        // The difference of the wrists' heights from its middle.
        weights[CountingFeatures.shapeChannels + 1] = 4
        let stretch = StickFigure.stretch(poses)
        #expect(RepetitionCounter(basis: CountingBasis(weights: weights)).repetitions(in: stretch).count == 10)
    }

    @Test func `a direction that was learned for other features is not used`() {
        let poses = StickFigure.squatting(seconds: 14) { StickFigure.depth($0, rest: 1, period: 2, count: 6) }
        for basis in [
            CountingBasis(weights: [1, 2]), CountingBasis(weights: Array(repeating: .nan, count: 30)),
            CountingBasis(weights: Array(repeating: 1, count: 30), version: 99),
        ] {
            let counter = RepetitionCounter(basis: basis)
            #expect(counter.repetitions(in: StickFigure.stretch(poses)).count == 6)
        }
    }

    @Test func `without poses there are no repetitions`() {
        #expect(count([]) == 0)
        #expect(count(StickFigure.pose()) == 0)
        #expect(count([Float](repeating: 0, count: 54 * 200)) == 0)
    }
}
