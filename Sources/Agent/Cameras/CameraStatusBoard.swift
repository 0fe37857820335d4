import Actions
import Capture
import Foundation
import Messaging
import Poses
import Synchronization

/// How each camera is doing, for the live line and the heartbeat.
public final class CameraStatusBoard: Sendable {
    /// One camera's figures.
    public struct Report: Sendable {
        public var label = PseudoLabel.starting.rawValue
        public var confidence: Float = 0
        public var people = 0
        public var frames = 0
        public var dropped = 0
        /// What was left out for lack of time.
        public var thinning = SkippedFrames()
        /// Frames per second over the last seconds that were looked at.
        public var rateHz = 0.0
        /// Frames per second that arrived: those looked at, those left out and those dropped.
        public var arrivingHz = 0.0
        /// What the poses of a frame take: the median, and what one frame in twenty exceeds.
        var inference = RecentDurations()
        /// How far the source is, seconds on its own clock.
        public var time = 0.0
        public var durationSeconds: Double?
        var lastFrame: ContinuousClock.Instant?
        /// What is wrong with it, by code.
        package var problems: [String: Problem] = [:]
        /// The same by the wall clock.
        var lastFrameAt: Date?
        /// Frames credited to each label since the process began.
        var credited: [String: Int] = [:]
        /// Sessions that ended, by reason.
        var endedSessions: [String: Int] = [:]
        /// `nil` while the chain is not running.
        var step: StallDetector?
        /// While it is being opened, which a broken driver may never end.
        var opening: StallDetector?
    }

    private let reports = Mutex<[String: Report]>([:])

    public init() {}

    func update(_ camera: String, _ change: (inout Report) -> Void) {
        reports.withLock { change(&$0[camera, default: Report()]) }
    }

    /// Notes a problem of a camera, which keeps the time it began, or that it is over.
    func setProblem(_ code: CameraProblem, of camera: String, _ message: String?, since: Date = Date()) {
        update(camera) { report in
            report.problems[code.rawValue] = message.map { message in
                Problem(
                    code: code.rawValue, camera: camera, since: report.problems[code.rawValue]?.since ?? since,
                    message: message)
            }
        }
    }

    /// Every camera that was opened, by its id.
    public var all: [String: Report] { reports.withLock { $0 } }
}

/// What can be wrong with a camera, as the heartbeat says it.
enum CameraProblem: String {
    /// It delivers nothing.
    case offline = "camera_offline"
    /// Frozen or black.
    case stalled = "camera_stalled"
    /// It delivers far fewer frames than it promised.
    case degraded
    /// Too few frames a second are looked at to count repetitions.
    case tooSlow = "too_slow"
    /// It was given up: what it needs cannot be loaded.
    case failed = "camera_failed"
    /// The classifier's numbers were none.
    case modelOutput = "model_output"
}
