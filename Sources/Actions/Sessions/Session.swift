import Foundation

/// A stretch of exercise by one person in front of one camera: from the first recognised exercise until it has been quiet.
public struct Session: Sendable, Equatable {
    /// UUIDv7, lower case.
    public let id: String
    public let camera: String
    public let track: Int
    public let start: Date
    public var end: Date
    /// `nil` while the session is open.
    public var endReason: EndReason?
    /// Frames, seconds and repetitions by model label, in the order the labels first appeared.
    public var actions: [ActionTotal]
    /// The sets in order of time; the last one may still be going on.
    public var sets: [SessionSet]
    /// Frames credited to each pseudo-label while the session was open.
    public var excludedFrames: [String: Int]

    public enum EndReason: String, Sendable, Codable, CaseIterable {
        /// No exercise for the configured idle time.
        case idle
        /// The person left the picture.
        case left
        /// The recording ended.
        case sourceEnded = "source_ended"
        /// The camera or stream was lost.
        case cameraLost = "camera_lost"
        /// The node was told to stop.
        case stopped
        /// The node died; the session was closed at the next start.
        case crash
    }

    public init(
        id: String, camera: String, track: Int, start: Date, end: Date, endReason: EndReason? = nil,
        actions: [ActionTotal] = [], sets: [SessionSet] = [], excludedFrames: [String: Int] = [:]
    ) {
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

/// What one session holds of one action.
public struct ActionTotal: Sendable, Equatable, Codable {
    public let label: String
    public var frames: Int
    public var seconds: Double
    /// `nil` while repetitions of this action are not counted.
    public var reps: Int?
    /// Mean confidence of the predictions that were credited, 0…1.
    public var meanConfidence: Double

    public init(label: String, frames: Int, seconds: Double, reps: Int? = nil, meanConfidence: Double) {
        self.label = label
        self.frames = frames
        self.seconds = seconds
        self.reps = reps
        self.meanConfidence = meanConfidence
    }
}

/// One set of a session; the time between two sets was rest.
public struct SessionSet: Sendable, Equatable {
    /// Counts the person's sets; not all of them need be in this session.
    public let number: Int
    public let label: String
    public var start: Date
    public var end: Date
    public var reps: Int
    /// A coaching hint, 0…100; `nil` where too little was seen to give one.
    public var form: Int?

    public init(number: Int, label: String, start: Date, end: Date, reps: Int, form: Int? = nil) {
        self.number = number
        self.label = label
        self.start = start
        self.end = end
        self.reps = reps
        self.form = form
    }
}
