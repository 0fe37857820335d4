import Actions
import Foundation

/// What one frame of a camera says about the people of its workouts.
public struct WorkoutScene: Sendable {
    /// The wall-clock time of the frame.
    public let time: Date
    /// The tracks in view, the most prominent first.
    public let tracks: [Int]
    /// The labels that are shown for windows that became complete with this frame, by track. Labels of no exercise, and
    /// those of ``PseudoLabel``, are included.
    public let labels: [Int: String]
    /// The sets that began, grew or ended with this frame.
    public let sets: [WorkoutSet]
    /// The people who were known again with this frame.
    public let links: [PersonLink]

    /// A scene of these values.
    public init(
        time: Date, tracks: [Int], labels: [Int: String] = [:], sets: [WorkoutSet] = [], links: [PersonLink] = []
    ) {
        self.links = links
        self.time = time
        self.tracks = tracks
        self.labels = labels
        self.sets = sets
    }
}

/// A set in wall-clock time.
public struct WorkoutSet: Sendable {
    /// The person.
    public let track: Int
    /// Counts this person's sets from 1.
    public let number: Int
    /// The exercise.
    public let label: String
    /// The repetitions so far, in order of time.
    public let repetitions: [Repetition]
    /// The score, 0…100; `nil` when too little was seen to judge.
    public let form: Int?
    /// Whether the set may still grow.
    public let isOpen: Bool

    /// One repetition in wall-clock time.
    public struct Repetition: Sendable, Equatable {
        /// When the motion leaves its rest.
        public let start: Date
        /// When it is furthest from its rest.
        public let extreme: Date
        /// When it is back.
        public let end: Date
        /// What was measured in it; `nil` for nothing.
        public let measures: RepetitionMeasures?

        /// A repetition of these values.
        public init(start: Date, extreme: Date, end: Date, measures: RepetitionMeasures? = nil) {
            self.start = start
            self.extreme = extreme
            self.end = end
            self.measures = measures
        }
    }

    /// Whether the motion of a repetition has ended at a time, so that its end and what was measured there are known.
    ///
    /// A repetition is found when it has come back by 40 %. Its end is then where most of the way back is done so far, and
    /// moves on with the motion. Once it stays behind by a share of the way back, the motion is over.
    func isOver(_ repetition: Repetition, at time: Date) -> Bool {
        guard isOpen, repetition == repetitions.last else { return true }
        let back = repetition.end.timeIntervalSince(repetition.extreme)
        return time.timeIntervalSince(repetition.end) >= max(Self.settledSeconds, Self.settledShare * back)
    }

    private static let settledSeconds = 0.4
    /// Of a motion that slows down softly, the last 15 % of the way take a third of the time of the others.
    private static let settledShare = 0.35

    /// A set of these values.
    public init(
        track: Int, number: Int, label: String, repetitions: [Repetition], form: Int? = nil, isOpen: Bool = true
    ) {
        self.track = track
        self.number = number
        self.label = label
        self.repetitions = repetitions
        self.form = form
        self.isOpen = isOpen
    }

    /// A set of the chain.
    ///
    /// - Parameter date: the wall-clock time of a time of the source.
    public init(_ set: ExerciseSet, date: (Double) -> Date) {
        self.init(
            track: set.track, number: set.number, label: set.label,
            repetitions: set.repetitions.map {
                Repetition(
                    start: date($0.start), extreme: date($0.extreme), end: date($0.end), measures: $0.measures)
            }, form: set.form?.value, isOpen: set.isOpen)
    }
}
