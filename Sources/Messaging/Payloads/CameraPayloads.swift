import Actions
import Foundation
import History

/// What the node tells of a camera itself.
public struct CameraStatus: Sendable, Equatable {
    public enum State: String, Sendable, Codable { case online, offline, disabled }

    public var state: State
    /// Why it is not online: `no_frames`, `busy`, `no_permission`, `unplugged`, `stalled`, …; or `degraded` though it is.
    public var reason: String?
    public var since: Date
    /// The stable path under /dev/v4l/by-id; never a stream's address.
    public var device: String?
    /// Seconds until the next attempt.
    public var retryInSeconds: Int?

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

/// `cam/<camera>/status`.
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

/// `cam/<camera>/state`: what is going on in front of a camera.
public struct CameraState: Sendable, Codable, Equatable {
    public var v = 1
    /// A label of the model, or `starting`, `no_person`, `low_confidence`, `none`.
    public var action: String
    /// 0…1.
    public var confidence: Double
    public var people: Int
    /// The open session's id.
    public var session: String?
    /// Since when the action has been the same.
    public var since: Date
    /// Repetitions of the action in the session; absent where they are not counted.
    public var reps: Int?
    public var ts: Date

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

    /// Whether a receiver would see more than another confidence or time.
    func differs(from other: CameraState) -> Bool {
        var same = other
        same.confidence = confidence
        same.ts = ts
        same.since = since
        return same != self
    }
}

/// `cam/<camera>/counts`: a day's totals, as they stand in the database.
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

/// `cam/<camera>/live`: one prediction.
public struct LivePrediction: Sendable, Codable, Equatable {
    public var v = 1
    /// When the window ended.
    public var t: Date
    /// The window's first and last frame, counted from the camera's first.
    public var f: [Int]
    /// Frames credited.
    public var n: Int
    /// Label.
    public var a: String
    /// Confidence, 0…1.
    public var c: Double
    /// Share of the frames with a real pose, 0…1.
    public var p: Double
    /// Person (track).
    public var k: Int?
    /// The prominent person's joints in the order of a pose stream, each as x, y (fractions of the picture from the top
    /// left) and confidence, with three decimals; only where keypoints are switched on.
    public var keypoints: [[Double]]?

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

/// `cam/<camera>/event`: a moment worth an automation. Either heard now or never.
public struct CameraEvent: Sendable, Codable, Equatable {
    public enum Kind: String, Sendable, Codable, CaseIterable {
        case sessionStarted = "session_started"
        case sessionEnded = "session_ended"
        case actionChanged = "action_changed"
        case setCompleted = "set_completed"
        case cameraLost = "camera_lost"
        case cameraRecovered = "camera_recovered"
    }

    public var v = 1
    public var eventType: Kind
    /// UUIDv7 of the event.
    public var id: String
    public var session: String?
    public var camera: String
    public var ts: Date
    public var action: String?
    public var topAction: String?
    /// Length of the session or set.
    public var seconds: Double?
    public var reps: Int?
    public var reason: String?

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
