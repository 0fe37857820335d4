/// Repetitions of one exercise by one person without a pause: what a trainer calls a set.
public struct ExerciseSet: Sendable, Equatable {
    public let track: Int
    /// Counts this person's sets from 1.
    public let number: Int
    public let label: String
    /// Seconds on the source's clock: where the first repetition begins, and where the last one ended so far.
    public var start: Double
    public var end: Double
    public var repetitions: [Repetition]
    /// Whether the person goes on.
    public var isOpen: Bool

    public init(
        track: Int, number: Int, label: String, start: Double, end: Double, repetitions: [Repetition],
        isOpen: Bool = false
    ) {
        self.track = track
        self.number = number
        self.label = label
        self.start = start
        self.end = end
        self.repetitions = repetitions
        self.isOpen = isOpen
    }

    public var seconds: Double { end - start }

    /// Of the repetitions that were judged; `nil` if none was.
    public var form: FormScore? {
        let scores = repetitions.compactMap(\.form)
        return scores.isEmpty ? nil : .mean(scores)
    }
}
