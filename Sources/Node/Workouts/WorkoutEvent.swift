import Foundation

/// Something that happened in a workout, with the workout after it.
public struct WorkoutEvent: Sendable, Equatable {
    /// What happened.
    public enum Kind: Sendable, Equatable {
        /// A person started the workout.
        case started
        /// The exercise of a step was recognised.
        case stepStarted(step: Int)
        /// A step has one more repetition: its count so far.
        case repetition(step: Int, count: Int)
        /// A repetition does not count: how many of the step so far do not, and what is said about it.
        case noRep(step: Int, count: Int, Cue)
        /// Something to say after a repetition.
        case cue(step: Int, Cue)
        /// A step is complete, or was skipped.
        case stepCompleted(step: Int)
        /// The workout has ended.
        case ended
    }

    /// What happened; steps are indices of ``Workout/steps``.
    public let kind: Kind
    /// When it happened.
    public let time: Date
    /// The workout after it.
    public let workout: Workout

    /// An event of these values.
    public init(_ kind: Kind, at time: Date, of workout: Workout) {
        self.kind = kind
        self.time = time
        self.workout = workout
    }
}
