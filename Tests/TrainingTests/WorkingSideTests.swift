import Actions
import Poses
import SyntheticMotion
import Testing
import Training

/// Which side works in each repetition, on synthetic people from all views.
@Suite struct WorkingSideTests {
    private static let labels = ["lunge", "step_up", "biceps_curl", "row"]
    private static let bases = CountingBases.learn(labels: labels)

    private func clips(_ motion: String, _ count: Int) -> [SyntheticClip] {
        SyntheticDataset.clips(
            of: [motion], each: count, seed: 91, seconds: 16,
            options: SyntheticOptions(cutShare: 0, slowShare: 0, transitionShare: 0))
    }

    /// The true side of each counted repetition beside the one that was told; `nil` is both, or not told.
    private func sides(_ clip: SyntheticClip) -> [(true: BodySide?, told: BodySide?)] {
        let stretch = PoseStretch(start: 0, rate: 30, aspect: clip.clip.aspect, keypoints: clip.clip.keypoints)
        let features = CountingFeatures(stretch)
        let counter = RepetitionCounter(basis: Self.bases[clip.clip.label])
        let judge = FormScorer(label: clip.clip.label, rules: FormRules())
        let counted = SideSequence.decided(
            judge.judged(counter.repetitions(in: stretch, features), in: stretch, features))
        let errors = counted.compactMap { $0.measures?[.workingSide]?.uncertainty }
        #expect(errors.allSatisfy { (0.1...1).contains($0) }, "\(errors)")
        return counted.compactMap { repetition in
            let place = clip.repetitions.lastIndex { $0 <= repetition.extreme }
            return place.map { (clip.sides[$0], repetition.side) }
        }
    }

    @Test(arguments: [("lunge", 0.9), ("step_up", 0.9), ("curl", 0.85), ("row", 0.85)])
    func `the side is told from most views, and hardly ever the wrong one`(motion: String, least: Double) {
        let found = clips(motion, 40).flatMap(sides)
        let right = found.count { $0.true == $0.told }
        let wrong = found.count { $0.told != nil && $0.true != $0.told }
        #expect(Double(right) >= least * Double(found.count), "\(motion): \(right) of \(found.count)")
        #expect(Double(wrong) <= 0.03 * Double(found.count), "\(motion): \(wrong) of \(found.count) wrong")
    }

    @Test func `an exercise in which both sides work has none`() {
        #expect(clips("squat", 4).flatMap(sides).allSatisfy { $0.told == nil })
    }

    @Test func `the generator says who works: lunges of one person alternate or stay, curls of both arms have no side`()
    {
        let lunges = clips("lunge", 40)
        #expect(lunges.allSatisfy { $0.sides.count == $0.repetitions.count && !$0.sides.contains(nil) })
        #expect(lunges.contains { Set($0.sides).count == 1 } && lunges.contains { Set($0.sides).count == 2 })
        #expect(clips("curl", 20).contains { Set($0.sides) == [nil] })
    }
}
