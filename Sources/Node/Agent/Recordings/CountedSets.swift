import Actions

/// The repetitions of a recording's sets, dealt to the stretches of exercise around them, so that both tell the same.
package struct CountedSets {
    /// A repetition belongs to a stretch that ends at most this many seconds before it.
    private static let reachSeconds = RecognitionRules.Sets().breatherSeconds

    /// The repetitions of each stretch; none for one without a set.
    package private(set) var repetitions: [[Repetition]]
    /// What is left of sets that lie in no stretch.
    package private(set) var rest: [ExerciseSet] = []

    /// - Parameters:
    ///   - states: every state of the sets, in order. A set is complete once it is not open.
    ///   - segments: the stretches of exercise.
    package init(_ states: [ExerciseSet], in segments: [ActionSegment]) {
        let sets = Self.last(of: states)
        repetitions = segments.map { _ in [] }
        let hasSet = segments.map { segment in
            sets.contains { Self.isOf($0, segment) && $0.start < segment.end && segment.start < $0.end }
        }
        for set in sets {
            var left = set
            left.repetitions = []
            for repetition in set.repetitions {
                let near = segments.indices.filter {
                    hasSet[$0] && Self.isOf(set, segments[$0])
                        && Self.distance(repetition, segments[$0]) <= Self.reachSeconds
                }
                let nearest = near.min {
                    Self.distance(repetition, segments[$0]) < Self.distance(repetition, segments[$1])
                }
                if let nearest { repetitions[nearest].append(repetition) } else { left.repetitions.append(repetition) }
            }
            guard let first = left.repetitions.first, let last = left.repetitions.last else { continue }
            (left.start, left.end) = (first.start, last.end)
            rest.append(left)
        }
    }

    /// The last state of each set. After a jump of the times back, a person's sets are numbered anew.
    private static func last(of states: [ExerciseSet]) -> [ExerciseSet] {
        var ended: [ExerciseSet] = []
        var open: [ExerciseSet] = []
        for state in states {
            open.removeAll { $0.track == state.track && $0.number == state.number }
            if state.isOpen { open.append(state) } else { ended.append(state) }
        }
        return (ended + open).sorted { $0.start < $1.start }
    }

    private static func isOf(_ set: ExerciseSet, _ segment: ActionSegment) -> Bool {
        set.track == segment.track && set.label == segment.label
    }

    private static func distance(_ repetition: Repetition, _ segment: ActionSegment) -> Double {
        max(segment.start - repetition.extreme, repetition.extreme - segment.end, 0)
    }
}
