import Actions
import Foundation
import History
import Records

/// The status of a camera, as its source reports it.
public struct CameraStatus: Sendable, Equatable {
    /// Whether the camera delivers frames, does not, or is switched off.
    public enum State: String, Sendable, Codable { case online, offline, disabled }

    /// Whether the camera delivers frames.
    public var state: State
    /// Why it is not online: `no_frames`, `busy`, `no_permission`, `unplugged`, `stalled`, …. `degraded` is possible
    /// while it is online.
    public var reason: String?
    /// Since when the status has been the same.
    public var since: Date
    /// The stable path under /dev/v4l/by-id; never the address of a stream.
    public var device: String?
    /// Seconds until the next attempt to open it; `nil` when none is planned.
    public var retryInSeconds: Int?

    /// A status with these values.
    public init(
        state: State, reason: String? = nil, since: Date, device: String? = nil, retryInSeconds: Int? = nil
    ) {
        self.state = state
        self.reason = reason
        self.since = since
        self.device = device
        self.retryInSeconds = retryInSeconds
    }
}

/// `cam/<camera>/status`: whether a camera delivers frames.
struct CameraStatusPayload: Codable, Equatable {
    var v = 1
    var state: CameraStatus.State
    var reason: String?
    var since: Date
    var device: String?
    var retryInSeconds: Int?
    var sid: Int64

    init(_ status: CameraStatus, sid: Int64) {
        state = status.state
        reason = status.reason
        since = status.since
        device = status.device
        retryInSeconds = status.retryInSeconds
        self.sid = sid
    }

    enum CodingKeys: String, CodingKey {
        case v, state, reason, since, device, sid
        case retryInSeconds = "retry_in_s"
    }
}

/// `cam/<camera>/state`: what happens in front of a camera.
public struct CameraState: Sendable, Codable, Equatable {
    /// The contract's version.
    public var v = 1
    /// A label of the model, or `starting`, `no_person`, `low_confidence`, `none`.
    public var action: String
    /// Confidence in the action, 0…1.
    public var confidence: Double
    /// The number of people in the picture.
    public var people: Int
    /// The open session's id; `nil` without one.
    public var session: String?
    /// Since when the action has been the same.
    public var since: Date
    /// Repetitions of the action in the session; `nil` where they are not counted.
    public var reps: Int?
    /// When the state was observed.
    public var ts: Date

    /// A state with the confidence rounded to three decimals.
    public init(
        action: String, confidence: Double, people: Int, session: String? = nil, since: Date, reps: Int? = nil, ts: Date
    ) {
        self.action = action
        self.confidence = confidence.rounded(decimals: 3)
        self.people = people
        self.session = session
        self.since = since
        self.reps = reps
        self.ts = ts
    }

    /// Whether more than the confidence or a time is different.
    func differs(from other: CameraState) -> Bool {
        var same = other
        same.confidence = confidence
        same.ts = ts
        same.since = since
        return same != self
    }
}

/// `cam/<camera>/counts`: a day's totals, as they are in the database.
struct CountsPayload: Codable, Equatable {
    var v = 1
    var day: String
    var tz: String
    var sessions: Int
    var frames: [String: Int]
    var seconds: [String: Double]
    var reps: [String: Int]
    var excludedFrames: [String: Int]
    var rev: Int

    init(_ row: DayRow, timeZone: TimeZone) {
        day = row.day
        tz = timeZone.identifier
        sessions = row.sessions
        frames = row.frames
        seconds = row.seconds
        reps = row.reps
        excludedFrames = row.excludedFrames
        rev = row.rev
    }

    enum CodingKeys: String, CodingKey {
        case v, day, tz, sessions, frames, seconds, reps, rev
        case excludedFrames = "excluded_frames"
    }
}

/// `cam/<camera>/live`: one prediction. The keys are short because there are many of them.
public struct LivePrediction: Sendable, Codable, Equatable {
    /// The contract's version.
    public var v = 1
    /// When the window ended.
    public var t: Date
    /// The window's first and last frame, numbered from the camera's first frame.
    public var f: [Int]
    /// The number of frames credited to the label.
    public var n: Int
    /// The label.
    public var a: String
    /// Confidence in the label, 0…1.
    public var c: Double
    /// Share of the frames with a real pose, 0…1.
    public var p: Double
    /// The person's track id.
    public var k: Int?
    /// The joints of the prominent person in the order of a pose stream. Each is x, y (fractions of the picture, from
    /// the top left) and confidence, with three decimals. `nil` unless keypoints are switched on.
    public var keypoints: [[Double]]?

    /// A prediction with all fractions rounded to three decimals.
    public init(
        time: Date, frames: ClosedRange<Int>, credited: Int, label: String, confidence: Float, poseShare: Float,
        track: Int?, keypoints: [[Double]]? = nil
    ) {
        t = time
        f = [frames.lowerBound, frames.upperBound]
        n = credited
        a = label
        c = Double(confidence).rounded(decimals: 3)
        p = Double(poseShare).rounded(decimals: 3)
        k = track
        self.keypoints = keypoints?.map { $0.map { $0.rounded(decimals: 3) } }
    }
}

/// `cam/<camera>/event`: an event for automations. It is never retained.
public struct CameraEvent: Sendable, Codable, Equatable {
    /// What happened.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        case sessionStarted = "session_started"
        case sessionEnded = "session_ended"
        case actionChanged = "action_changed"
        case setCompleted = "set_completed"
        case cameraLost = "camera_lost"
        case cameraRecovered = "camera_recovered"
    }

    /// The contract's version.
    public var v = 1
    /// What happened.
    public var eventType: Kind
    /// The event's id, a UUIDv7.
    public var id: String
    /// The session's id, for events of a session.
    public var session: String?
    /// The camera's id.
    public var camera: String
    /// When it happened.
    public var ts: Date
    /// The label of a started session's first action, of a set, or of the new action.
    public var action: String?
    /// The label with the most frames of an ended session.
    public var topAction: String?
    /// The length of the session or set, seconds.
    public var seconds: Double?
    /// The repetitions counted in the set.
    public var reps: Int?
    /// Why a session ended or a camera was lost.
    public var reason: String?

    /// An event with a new id.
    public init(
        _ kind: Kind, camera: String, ts: Date, session: String? = nil, action: String? = nil, topAction: String? = nil,
        seconds: Double? = nil, reps: Int? = nil, reason: String? = nil
    ) {
        eventType = kind
        id = UUIDv7.string(at: ts)
        self.session = session
        self.camera = camera
        self.ts = ts
        self.action = action
        self.topAction = topAction
        self.seconds = seconds?.rounded(decimals: 3)
        self.reps = reps
        self.reason = reason
    }

    enum CodingKeys: String, CodingKey {
        case v, id, session, camera, ts, action, seconds, reps, reason
        case eventType = "event_type"
        case topAction = "top_action"
    }
}
