/// A set: repetitions of one exercise by one person, with no longer pause than a breather, or a posture that is held.
public struct ExerciseSet: Sendable, Equatable {
    /// The person.
    public private(set) var track: Int
    /// Counts this person's sets from 1.
    public private(set) var number: Int
    /// The exercise.
    public let label: String
    /// The start of the first repetition or of the posture, in seconds on the source's clock.
    public var start: Double
    /// The end of the last repetition so far or of the posture, in seconds on the source's clock.
    public var end: Double
    /// The repetitions so far, in order of time; none of an exercise that is held.
    public var repetitions: [Repetition]
    /// Whether the set may still grow.
    public var isOpen: Bool
    /// The probability that the person did this exercise, 0…1; see ``SetSureness``. Of a posture it is the mean probability of
    /// its windows.
    public var confidence: Double
    /// The true number of repetitions lies within so many of the counted ones, in about nine recordings of ten; `nil` for a posture.
    public var margin: Int?

    /// Creates a set from its parts.
    public init(
        track: Int, number: Int, label: String, start: Double, end: Double, repetitions: [Repetition],
        isOpen: Bool = false, confidence: Double = 1, margin: Int? = nil
    ) {
        self.track = track
        self.number = number
        self.label = label
        self.start = start
        self.end = end
        self.repetitions = repetitions
        self.isOpen = isOpen
        self.confidence = confidence
        self.margin = margin
    }

    /// The same set under another track and number.
    package func numbered(track: Int, _ number: Int) -> ExerciseSet {
        var set = self
        (set.track, set.number) = (track, number)
        return set
    }

    /// The duration in seconds.
    public var seconds: Double { end - start }

    /// The repetitions of either side; `nil` where the exercise has no sides, and where none could be told.
    public var sides: (left: Int, right: Int)? { BodySide.counts(of: repetitions.map(\.side)) }

    /// The mean score of the repetitions that were judged; `nil` if none was.
    public var form: FormScore? {
        let scores = repetitions.compactMap(\.form)
        return scores.isEmpty ? nil : .mean(scores)
    }
}
