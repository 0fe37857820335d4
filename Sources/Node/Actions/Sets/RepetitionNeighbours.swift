/// Finds the repetitions at the borders of a set that belong to it: they follow without a pause, take as long, and go through the
/// same body shapes.
struct RepetitionNeighbours {
    private let repetitions: [Repetition]
    private let stretch: PoseStretch
    private let features: CountingFeatures
    private let likeness: RepetitionLikeness
    /// The duration of a usual repetition of the set, seconds.
    private let usual: Double
    private let rules: RecognitionRules.Counting

    /// - Parameter repetitions: those of the set, in order of time; `nil` for fewer than two.
    init?(
        _ repetitions: [Repetition], in stretch: PoseStretch, _ features: CountingFeatures,
        rules: RecognitionRules.Counting
    ) {
        guard repetitions.count > 1, let usual = repetitions.map(\.seconds).median else { return nil }
        (self.repetitions, self.stretch, self.features, self.usual) = (repetitions, stretch, features, usual)
        self.rules = rules
        likeness = RepetitionLikeness(repetitions, in: stretch, features, rules: rules)
    }

    /// The neighbours among all repetitions that were counted around the set.
    func extended(by all: [Repetition]) -> (before: [Repetition], after: [Repetition]) {
        guard let first = repetitions.first, let last = repetitions.last else { return ([], []) }
        var (before, after): ([Repetition], [Repetition]) = ([], [])
        for one in all.reversed() where one.extreme < first.start {
            let next = before.first ?? first
            guard before.count < rules.maximumNeighbours, next.start - one.end <= pause, isLike(one) else { break }
            before.insert(one, at: 0)
        }
        for one in all where one.extreme > last.end {
            let previous = after.last ?? last
            guard after.count < rules.maximumNeighbours, one.start - previous.end <= pause, isLike(one) else { break }
            after.append(one)
        }
        return (before, after)
    }

    private var pause: Double { rules.longestPauseOfNeighbour * usual }

    private func isLike(_ one: Repetition) -> Bool {
        (rules.shortestNeighbour...rules.longestNeighbour).contains(one.seconds / usual)
            && likeness.likeness(of: RepetitionLikeness([one], in: stretch, features)) >= rules.leastLikenessOfNeighbour
    }
}
