import Contract
import Foundation

/// A span of exercise by one person in front of one camera. It starts with the first recognised exercise, and ends when
/// there has been none for the idle time.
public struct Session: Sendable, Equatable {
    /// A UUIDv7 in lower case.
    public let id: String
    /// The name of the camera.
    public let camera: String
    /// The person's track.
    public package(set) var track: Int
    /// The zone in which most of the session took place; `nil` outside all zones.
    public var zone: String?
    /// The start of the first exercise. It moves back when the first set turns out to have begun earlier.
    public var start: Date
    /// The end of the last exercise so far.
    public var end: Date
    /// `nil` while the session is open.
    public var endReason: EndReason?
    /// Frames, seconds and repetitions of each label of the model, in the order in which the labels first appeared.
    public var actions: [ActionTotal]
    /// The sets in order of time. The last one may still be open.
    public var sets: [SessionSet]
    /// Frames of each ``PseudoLabel`` while the session was open.
    public var excludedFrames: [String: Int]

    /// Why a session ended.
    public typealias EndReason = SessionEndReason

    /// Creates a session from its parts.
    public init(
        id: String, camera: String, track: Int, start: Date, end: Date, endReason: EndReason? = nil,
        actions: [ActionTotal] = [], sets: [SessionSet] = [], excludedFrames: [String: Int] = [:],
        zone: String? = nil
    ) {
        self.zone = zone
        self.id = id
        self.camera = camera
        self.track = track
        self.start = start
        self.end = end
        self.endReason = endReason
        self.actions = actions
        self.sets = sets
        self.excludedFrames = excludedFrames
    }
}

extension Session {
    /// Sets the repetitions of each action to those of its sets. What is held has none.
    mutating func countRepetitions() {
        let counts = Dictionary(sets.filter { $0.reps > 0 }.map { ($0.label, $0.reps) }, uniquingKeysWith: +)
        for place in actions.indices { actions[place].reps = counts[actions[place].label] }
        for label in counts.keys.sorted() where !actions.contains(where: { $0.label == label }) {
            actions.append(ActionTotal(label: label, frames: 0, seconds: 0, reps: counts[label], meanConfidence: 0))
        }
    }
}

/// The totals of one action in a session.
public struct ActionTotal: Sendable, Equatable, Codable {
    /// The action.
    public let label: String
    /// Frames credited to the action.
    public var frames: Int
    /// The duration of those frames in seconds.
    public var seconds: Double
    /// Repetitions; `nil` if they are not counted for this action.
    public var reps: Int?
    /// Mean confidence of the credited predictions, 0…1.
    public var meanConfidence: Double

    /// Creates totals from their parts.
    public init(label: String, frames: Int, seconds: Double, reps: Int? = nil, meanConfidence: Double) {
        self.label = label
        self.frames = frames
        self.seconds = seconds
        self.reps = reps
        self.meanConfidence = meanConfidence
    }
}

/// One set of a session. The time between two sets is rest.
public struct SessionSet: Sendable, Equatable {
    /// Counts the person's sets from 1. Earlier ones may belong to an earlier session.
    public package(set) var number: Int
    /// The exercise.
    public let label: String
    /// The start of the first repetition.
    public var start: Date
    /// The end of the last repetition so far.
    public var end: Date
    /// The number of repetitions.
    public var reps: Int
    /// The score of its form, 0…100; `nil` when too little was seen to judge it.
    public var form: Int?
    /// The zone in which most of the set took place; `nil` outside all zones.
    public var zone: String?
    /// The probability that the set took place as it was recognised, 0…1; `nil` for sets of earlier versions.
    public var confidence: Double?
    /// The true number of repetitions lies within so many of ``reps``, in about nine recordings of ten; `nil` for a posture, and for sets
    /// of earlier versions.
    public var repsMargin: Int?
    /// Those of ``reps`` in which the left side worked, and the right one; `nil` where no side is known.
    public var leftReps, rightReps: Int?

    /// Creates a set from its parts.
    public init(
        number: Int, label: String, start: Date, end: Date, reps: Int, form: Int? = nil, zone: String? = nil,
        confidence: Double? = nil, repsMargin: Int? = nil, leftReps: Int? = nil, rightReps: Int? = nil
    ) {
        (self.leftReps, self.rightReps) = (leftReps, rightReps)
        self.zone = zone
        self.confidence = confidence
        self.repsMargin = repsMargin
        self.number = number
        self.label = label
        self.start = start
        self.end = end
        self.reps = reps
        self.form = form
    }
}
