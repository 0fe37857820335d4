import Actions
import Agent
import Capture
import Foundation
import Poses
import Synchronization

/// Hand-made inputs for sinks, as the recognition chain delivers them.
enum SinkFixture {
    static let origin = Date(timeIntervalSince1970: 1_795_258_800)

    static func result(
        at time: Double, predictions: [Prediction] = [], events: [SessionEvent] = [], people: Int = 1,
        zones: [Int: String] = [:], waiting: [String: Int] = [:], doubles: Set<Int> = [],
        links: [PersonLink] = [],
        jump: TimeJump? = nil, endedSessions: Bool = false, now: ContinuousClock.Instant = .now, dropped: Int = 0
    ) -> CameraResult {
        let pose = Pose(keypoints: Array(repeating: Keypoint(x: 0.5, y: 0.5, confidence: 1), count: 18))
        let frame = TrackedFrame(
            index: 0, time: time, image: nil, widthPixels: 640, heightPixels: 480,
            tracks: (0..<people).map { Track(id: $0 + 1, pose: pose, zone: zones[$0 + 1]) },
            prominent: people > 0 ? 1 : nil)
        return CameraResult(
            frameResult: RecognitionChain.FrameResult(
                frame: frame, predictions: predictions, events: events, doubles: doubles, links: links,
                waiting: waiting, jump: jump,
                endedSessions: endedSessions),
            origin: origin, wall: origin.addingTimeInterval(time), now: now, dropped: dropped)
    }

    static func ending(_ events: [SessionEvent] = [], isLost: Bool = false) -> CameraEnding {
        CameraEnding(events: events, isLost: isLost, wall: origin.addingTimeInterval(60), now: .now)
    }

    static func prediction(_ label: String, end: Double, track: Int? = 1) -> Prediction {
        Prediction(
            track: track, start: end - 2, end: end, label: label, confidence: 0.9, probabilities: [0.1, 0.9],
            poseShare: 1, frames: 10)
    }

    static func session(_ id: String = "s1", reason: Session.EndReason? = nil) -> Session {
        Session(
            id: id, camera: "rack1", track: 1, start: origin, end: origin.addingTimeInterval(30), endReason: reason,
            actions: [ActionTotal(label: "squat", frames: 300, seconds: 10, reps: 5, meanConfidence: 0.9)])
    }
}

/// Collects what a sink publishes.
final class Published: Sendable {
    private let messages = Mutex<[CameraMessage]>([])
    var all: [CameraMessage] { messages.withLock { $0 } }
    var publish: @Sendable (CameraMessage) -> Void {
        { message in self.messages.withLock { $0.append(message) } }
    }
}
