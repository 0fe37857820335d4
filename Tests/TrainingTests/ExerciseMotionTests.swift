import Actions
import SyntheticMotion
import Testing
import Training

/// The catalogue of exercises against the motions that teach them.
@Suite struct ExerciseMotionTests {
    @Test func `every exercise has a motion, and every motion is an exercise or none`() {
        let labels = Exercise.all.map(\.label)
        #expect(Set(MotionKind.labels) == Set(labels).union(ModelDescription.noExercise))
        #expect(MotionKind.labels.count == labels.count + 2)
    }

    @Test func `what is timed has no direction for counting, and what is repeated has one`() {
        let few = ["squat", "row", "plank", "bike", "other"]
        #expect(Set(CountingBases.learn(labels: few).keys) == ["squat", "row"])
    }

    /// In movements that take turns between the sides, or take a third of a second, repetitions are lost. So many of 24 clips
    /// must be right all the same.
    private static let weaker = [
        "leg_raise": 14, "russian_twist": 13, "mountain_climber": 16, "high_knees": 11, "battle_rope": 14,
    ]

    /// A clip may begin or end in the middle of a repetition, which may be counted or not. Of quick ones a clip holds up to a
    /// hundred.
    @Test(arguments: Exercise.all.filter { $0.unit == .repetitions }.map(\.label))
    func `people of all kinds are counted`(label: String) {
        let basis = CountingBases.learn(labels: [label])[label]
        let motions = SyntheticDataset.clips(
            perLabel: [label: 24], seed: 77, seconds: 24, options: SyntheticOptions(cutShare: 0, slowShare: 0))
        let right = motions.count { motion in
            let stretch = PoseStretch(
                start: 0, rate: 30, aspect: motion.clip.aspect, keypoints: motion.clip.keypoints)
            let counted = RepetitionCounter(basis: basis).repetitions(in: stretch).count
            let tolerance = max(1, motion.repetitions.count / 10)
            return abs(motion.repetitions.count - counted) <= tolerance
        }
        #expect(right >= Self.weaker[label] ?? 20, "\(label): \(right) of \(motions.count)")
    }
}
