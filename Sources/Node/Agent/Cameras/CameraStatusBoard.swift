import Actions
import Capture
import Foundation
import Messaging
import Poses
import Synchronization

/// The current figures of each camera, for the live line, health messages and metrics.
public final class CameraStatusBoard: Sendable {
    /// One camera's figures.
    public struct Report: Sendable {
        /// The newest label, or `starting` before the first prediction.
        public var label = PseudoLabel.starting.rawValue
        /// The confidence of ``label``, 0 to 1.
        public var confidence: Float = 0
        /// People in view.
        public var people = 0
        /// Frames processed since the process began.
        public var frames = 0
        /// Frames that arrived too late or could not be used.
        public var dropped = 0
        /// Frames skipped because the machine is too slow for all.
        public var skipped = SkippedFrames()
        /// Frames processed per second, over the last two seconds.
        public var rateHz = 0.0
        /// How often each person in view is looked at, by track, in frames per second.
        package var personHz: [Int: Double] = [:]
        /// Frames per second that arrived: processed, skipped and dropped.
        public var arrivingHz = 0.0
        /// The times that pose estimation took for the last frames.
        var inference = RecentDurations()
        /// The time of the newest frame, seconds on the source's clock.
        public var time = 0.0
        /// The length of a recording in seconds; `nil` for live sources.
        public var durationSeconds: Double?
        var lastFrame: ContinuousClock.Instant?
        /// The camera's problems, by code.
        package var problems: [String: Problem] = [:]
        /// The wall-clock time of the last frame.
        var lastFrameAt: Date?
        /// Frames credited to each label since the process began.
        var credited: [String: Int] = [:]
        /// Ended sessions, by reason.
        var endedSessions: [String: Int] = [:]
        /// Watches the chain; `nil` while it is not running.
        package var step: StallDetector?
        /// Watches the opening of the camera, which a broken driver may never finish.
        package var opening: StallDetector?

        /// No frames yet.
        package init() {}
    }

    private let reports = Mutex<[String: Report]>([:])

    /// No cameras.
    public init() {}

    /// Changes the figures of one camera.
    package func update(_ camera: String, _ change: (inout Report) -> Void) {
        reports.withLock { change(&$0[camera, default: Report()]) }
    }

    /// Sets a camera's problem, or clears it when `message` is `nil`. A problem that is set again keeps its start time.
    func setProblem(_ code: CameraProblem, of camera: String, _ message: String?, since: Date = Date()) {
        update(camera) { report in
            report.problems[code.rawValue] = message.map { message in
                Problem(
                    code: code.rawValue, camera: camera, since: report.problems[code.rawValue]?.since ?? since,
                    message: message)
            }
        }
    }

    /// The figures of every camera that was opened, by its id.
    public var all: [String: Report] { reports.withLock { $0 } }
}

/// The codes of a camera's problems in health messages.
enum CameraProblem: String {
    /// No frames arrive.
    case offline = "camera_offline"
    /// The picture is frozen or black.
    case stalled = "camera_stalled"
    /// Far fewer frames arrive than the camera promised.
    case degraded
    /// Too few frames per second are processed to count repetitions.
    case tooSlow = "too_slow"
    /// The node gave up on the camera, because something it needs cannot be loaded.
    case failed = "camera_failed"
    /// The classifier returned NaN or infinity.
    case modelOutput = "model_output"
}
