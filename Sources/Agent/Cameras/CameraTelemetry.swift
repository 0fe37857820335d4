import Actions
import Foundation
import Messaging
import Poses

/// Publishes what one camera sees as it happens: its state, every prediction, changes of the action.
///
/// Sessions and sets are announced elsewhere, once they are on disk (`CommitService`).
package struct CameraTelemetry: ResultSink {
    private let camera: String
    private let device: String?
    private let rateHz: Double
    private let isStored: @Sendable (_ session: String) -> Bool
    private let publish: @Sendable (CameraMessage) -> Void
    private var hasStarted = false
    private var action = PseudoLabel.starting.rawValue
    private var since = Date.distantPast
    private var confidence = 0.0
    private var people = 0
    /// The open sessions, by track.
    private var sessions: [Int: Session] = [:]

    /// - Parameters:
    ///   - device: the camera's path; `nil` for everything else.
    ///   - rateHz: the model's rate, in which ``LivePrediction/f`` counts frames.
    ///   - isStored: whether an open session is on disk, so that it may be named.
    package init(
        camera: String, device: String?, rateHz: Double, isStored: @escaping @Sendable (_ session: String) -> Bool,
        publish: @escaping @Sendable (CameraMessage) -> Void
    ) {
        self.camera = camera
        self.device = device
        self.rateHz = rateHz
        self.isStored = isStored
        self.publish = publish
    }

    package mutating func receive(_ moment: CameraResult) {
        if !hasStarted { start(moment) }
        people = moment.moment.frame.tracks.count
        moment.moment.events.forEach { publish($0) }
        if moment.moment.endedSessions { publishState(at: moment.wall) }
        let spoken = moment.moment.spokenPrediction
        for prediction in moment.moment.predictions {
            // One skeleton a moment, with the prediction that speaks for the camera.
            let keypoints = prediction == spoken ? moment.moment.frame.prominentKeypoints : nil
            publish(.live(live(prediction, keypoints: keypoints, moment)))
        }
        guard let spoken else { return }
        let time = moment.date(of: moment.moment.frame.time)
        if change(to: spoken.label, confidence: Double(spoken.confidence), at: time) {
            publish(.event(CameraEvent(.actionChanged, camera: camera, ts: time, action: action)))
        }
        publishState(at: time)
    }

    /// Nobody is seen any more, and no session is open. A camera that was lost gets its status from whoever opens it
    /// again.
    package mutating func close(_ ending: CameraEnding) {
        sessions = [:]
        people = 0
        change(to: "none", confidence: 0, at: ending.wall)
        publishState(at: ending.wall)
        guard !ending.isLost else { return }
        publish(.status(CameraStatus(state: .offline, reason: "ended", since: ending.wall)))
    }

    private mutating func start(_ moment: CameraResult) {
        hasStarted = true
        since = moment.origin
        publish(.status(CameraStatus(state: .online, since: moment.origin, device: device)))
        publishState(at: moment.origin)
    }

    private mutating func publish(_ event: SessionEvent) {
        let session = event.session
        if case .ended = event { sessions[session.track] = nil } else { sessions[session.track] = session }
    }

    @discardableResult
    private mutating func change(to label: String, confidence: Double, at time: Date) -> Bool {
        self.confidence = confidence
        guard label != action else { return false }
        action = label
        since = time
        return true
    }

    private func publishState(at time: Date) {
        let session = sessions.sorted { $0.key < $1.key }.first?.value
        publish(
            .state(
                CameraState(
                    action: action, confidence: confidence, people: people,
                    session: session.flatMap { isStored($0.id) ? $0.id : nil }, since: since,
                    reps: session?.actions.first { $0.label == action }?.reps, ts: time)))
    }

    private func live(_ prediction: Prediction, keypoints: [[Double]]?, _ moment: CameraResult) -> LivePrediction {
        let first = Int((prediction.start * rateHz).rounded())
        let last = max(first, Int((prediction.end * rateHz).rounded()) - 1)
        return LivePrediction(
            time: moment.date(of: prediction.end), frames: first...last, credited: prediction.frames,
            label: prediction.label, confidence: prediction.confidence, poseShare: prediction.poseShare,
            track: prediction.track, keypoints: keypoints)
    }
}

extension TrackedFrame {
    /// The prominent person's joints as they are published; `nil` while that person is hidden.
    fileprivate var prominentKeypoints: [[Double]]? {
        tracks.first { $0.id == prominent }?.pose.keypoints.map { [Double($0.x), Double($0.y), Double($0.confidence)] }
    }
}
