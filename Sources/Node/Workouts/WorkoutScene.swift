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

    /// A set of these values.
    public init(track: Int, number: Int, label: String, repetitions: [Repetition], form: Int? = nil) {
        self.track = track
        self.number = number
        self.label = label
        self.repetitions = repetitions
        self.form = form
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
            }, form: set.form?.value)
    }
}
