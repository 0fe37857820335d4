import Actions
import Foundation
import Testing

@Suite struct FormScorerTests {
    private let counter = RepetitionCounter(basis: nil)
    private let rules = FormRules.squats

    /// The score of the stick figure's squats.
    private func judged(
        _ keypoints: [Float], label: String = "squat", reference: FormReference? = nil
    ) -> [Repetition] {
        let stretch = StickFigure.stretch(keypoints)
        return FormScorer(label: label, rules: rules, reference: reference).judged(
            counter.repetitions(in: stretch), in: stretch, CountingFeatures(stretch))
    }

    private func squats(period: Double = 2.5, depth: Float = 1, count: Int = 5) -> [Float] {
        StickFigure.squatting(seconds: 1 + period * Double(count)) {
            depth * StickFigure.depth($0, rest: 0.5, period: period, count: count)
        }
    }

    @Test func `deep, even squats score well in every part`() throws {
        let scores = judged(squats()).compactMap(\.form)
        #expect(scores.count == 5)
        for score in scores {
            #expect(score.value ?? 0 >= 95, "\(score.parts)")
            #expect(Set(score.parts.keys) == [.kneeFlexion, .asymmetry, .seconds, .loweringRatio, .rhythm])
        }
    }

    @Test func `half squats score badly for range of motion, which is named first`() throws {
        for repetition in judged(squats(depth: 0.35)) {
            let score = try #require(repetition.form)
            #expect(score.worst.first == .kneeFlexion)
            #expect(try #require(score.value) < 85)
        }
    }

    @Test func `hurried squats lack tempo`() throws {
        let score = try #require(judged(squats(period: 0.8, count: 8)).first?.form)
        #expect(score.worst.contains(.seconds))
    }

    @Test func `one repetition among others is out of rhythm`() throws {
        let lengths = [2.0, 2, 4, 2, 2]
        let poses = StickFigure.squatting(seconds: 13) { time in
            var begin = 0.5
            for length in lengths {
                if time < begin + length { return StickFigure.depth(time, rest: begin, period: length, count: 1) }
                begin += length
            }
            return 0
        }
        let scores = judged(poses).compactMap(\.form)
        try #require(scores.count == 5)
        #expect(scores[2].worst.first == .rhythm)
        #expect(scores[0].parts[.rhythm]?.score == 100)
    }

    @Test func `parts that cannot be seen are left out of the score`() throws {
        var poses = squats()
        // The whole left side and the ankles have low confidence.
        for frame in 0..<poses.count / 54 {
            for joint in [5, 6, 7, 10, 11, 12, 13] { poses[frame * 54 + 3 * joint + 2] = 0.3 }
        }
        for repetition in judged(poses) {
            let parts = try #require(repetition.form).parts
            #expect(parts[.asymmetry] == nil && parts[.kneeFlexion] == nil && parts[.hipDrop] == nil)
            #expect(parts[.seconds] != nil)
        }
    }

    @Test func `an action without rules is judged by its rhythm and the coach alone`() throws {
        let stretch = StickFigure.stretch(squats())
        let reference = try #require(
            FormReference(counter.repetitions(in: stretch), in: stretch, CountingFeatures(stretch)))
        let alone = try #require(judged(squats(), label: "my own").first?.form)
        #expect(Set(alone.parts.keys) == [.rhythm])
        let beside = try #require(judged(squats(), label: "my own", reference: reference).first?.form)
        #expect(Set(beside.parts.keys) == [.rhythm, .seconds, .coachDistance])
    }

    @Test func `the coach's reference sets the standard`() throws {
        let coach = StickFigure.stretch(squats(period: 3))
        let reference = try #require(FormReference(counter.repetitions(in: coach), in: coach, CountingFeatures(coach)))
        let same = try #require(judged(squats(period: 3), reference: reference).first?.form)
        #expect(try #require(same.parts[.coachDistance]?.score) > 95)
        // Dynamic time warping evens out a slightly slower pace, but not half the depth.
        let slower = try #require(judged(squats(period: 3.5), reference: reference).first?.form)
        #expect(try #require(slower.parts[.coachDistance]?.score) > 80)
        let shallow = try #require(judged(squats(period: 3, depth: 0.4), reference: reference).first?.form)
        #expect(try #require(shallow.parts[.coachDistance]?.score) < 80)
        #expect((shallow.value ?? 100) < (same.value ?? 0))
    }

    @Test func `one repetition is not enough to be a reference`() {
        let stretch = StickFigure.stretch(squats(count: 1))
        #expect(FormReference(counter.repetitions(in: stretch), in: stretch, CountingFeatures(stretch)) == nil)
    }

    @Test func `a score is the weighted mean of its parts and names the two worst`() {
        let score = FormScore(parts: [
            .kneeFlexion: .init(score: 40, weight: 3, factor: .primary), .seconds: .init(score: 100),
            .rhythm: .init(score: 80), .asymmetry: .init(score: 70, weight: 2),
        ])
        // (3 · 40 + 100 + 80 + 2 · 70) / 7
        #expect(score.value == 63)
        #expect(score.value(of: .primary) == 40)
        // (100 + 80 + 2 · 70) / 4
        #expect(score.value(of: .control) == 80)
        #expect(score.worst == [.kneeFlexion, .asymmetry])
        #expect(FormScore(parts: [:]).value == nil)
    }
}
