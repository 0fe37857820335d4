import Foundation

/// The repetitions of one step: which repetitions of which sets belong to it.
struct RepetitionTally: Sendable {
    /// The index of the step.
    let step: Int
    /// Repetitions that were counted before, from a person who has left, or before a restart.
    private var base: Int
    /// The count of each set of the present person, by the set's number.
    private var counts: [Int: Int] = [:]
    /// Sets that were counted for the step before. Their repetitions belong to this step only after `lateStart`.
    private let earlierSets: Set<Int>
    /// A repetition of a new set belongs to the step if its extreme comes after this …
    private var start: Date
    /// … and one of a set that the step before has counted, if it comes after this.
    private var lateStart: Date

    /// A tally for a step.
    ///
    /// - Parameters:
    ///   - base: repetitions that are counted already.
    ///   - lateStart: when the rest before the step ends; `nil` for no rest.
    ///   - earlier: the tally of the step before.
    init(step: Int, base: Int = 0, start: Date, lateStart: Date? = nil, after earlier: RepetitionTally? = nil) {
        self.step = step
        self.base = base
        self.start = start
        self.lateStart = lateStart ?? start
        earlierSets = earlier.map { Set($0.counts.keys) } ?? []
    }

    /// All repetitions of the step.
    var total: Int { base + counts.values.reduce(0, +) }

    /// Whether the step before has counted this set.
    func isEarlier(_ set: WorkoutSet) -> Bool { earlierSets.contains(set.number) }

    /// Whether this set has been counted for the step.
    func contains(_ set: WorkoutSet) -> Bool { counts[set.number] != nil }

    /// Counts a set again, from its newest state.
    ///
    /// - Parameter isCounted: whether a repetition counts for the step.
    /// - Returns: the set's repetitions that belong to the step, in order of time, and those of them that count.
    mutating func count(
        _ set: WorkoutSet, until end: Date?, where isCounted: (WorkoutSet.Repetition) -> Bool
    ) -> (seen: [WorkoutSet.Repetition], counted: [WorkoutSet.Repetition]) {
        let from = isEarlier(set) ? max(start, lateStart) : start
        let own = set.repetitions.filter { $0.extreme > from && $0.extreme <= end ?? .distantFuture }
        let counted = own.filter(isCounted)
        if !own.isEmpty || counts[set.number] != nil { counts[set.number] = counted.count }
        return (own, counted)
    }

    /// Leaves out what was done before a time.
    mutating func begin(after time: Date) { (start, lateStart) = (max(start, time), max(lateStart, time)) }

    /// Makes the count final because the person has left: another track's sets are numbered anew.
    mutating func settle(at time: Date) {
        base = total
        counts = [:]
        start = max(start, time)
    }
}
