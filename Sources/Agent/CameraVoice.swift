import Actions
import Foundation
import Messaging
import Poses

/// Tells over MQTT what one camera sees.
struct CameraVoice {
    private let camera: String
    /// The wall-clock time of the source's time 0.
    var origin: Date
    private let publisher: Publisher?
    private let device: String?
    private var action = PseudoLabel.starting.rawValue
    private var since: Date
    private var confidence = 0.0
    private var people = 0
    private var sessions: [Int: Session] = [:]

    /// - Parameter device: the camera's path.
    init(camera: String, origin: Date, publisher: Publisher?, device: String?) {
        self.device = device
        self.camera = camera
        self.origin = origin
        self.publisher = publisher
        since = origin
    }

    mutating func tellStart() {
        tellOnline(since: origin)
        tellState(at: origin)
    }

    /// - Parameter reason: what is not as it should be all the same.
    func tellOnline(reason: String? = nil, since: Date) {
        publisher?.cameraStatus(
            CameraStatus(state: .online, reason: reason, since: since, device: device), camera: camera)
    }

    /// The source has ended: nobody is seen any more, and no session is open.
    ///
    /// - Parameter isLost: it should not have; whoever opens it again says why.
    mutating func tellEnd(isLost: Bool) {
        let now = Date()
        sessions = [:]
        people = 0
        change(to: "none", confidence: 0, at: now)
        tellState(at: now)
        guard !isLost else { return }
        publisher?.cameraStatus(CameraStatus(state: .offline, reason: "ended", since: now), camera: camera)
    }

    /// Sessions that were ended from outside: none of them is open any more.
    mutating func tell(_ events: [SessionEvent]) {
        guard let publisher else { return }
        for event in events { tell(event, publisher) }
        tellState(at: Date())
    }

    mutating func tell(_ moment: RecognitionChain.Moment) {
        guard let publisher else { return }
        people = moment.frame.tracks.count
        for event in moment.events { tell(event, publisher) }
        let spoken = moment.spokenPrediction
        for prediction in moment.predictions {
            // One skeleton a moment, with the prediction that speaks for the camera.
            let keypoints = prediction == spoken ? moment.frame.prominentKeypoints : nil
            publisher.prediction(live(prediction, keypoints: keypoints), camera: camera)
        }
        guard let spoken else { return }
        let time = origin.addingTimeInterval(moment.frame.time)
        if change(to: spoken.label, confidence: Double(spoken.confidence), at: time) {
            publisher.event(CameraEvent(.actionChanged, camera: camera, ts: time, action: action))
        }
        tellState(at: time)
    }

    private mutating func tell(_ event: SessionEvent, _ publisher: Publisher) {
        let session = event.session
        switch event {
        case .started:
            sessions[session.track] = session
            publisher.event(
                CameraEvent(
                    .sessionStarted, camera: camera, ts: session.start, session: session.id,
                    action: session.actions.first?.label))
        case .updated: sessions[session.track] = session
        case .setEnded(let set, _):
            sessions[session.track] = session
            publisher.event(
                CameraEvent(
                    .setCompleted, camera: camera, ts: set.end, session: session.id, action: set.label,
                    seconds: set.end.timeIntervalSince(set.start), reps: set.reps))
        // Its end is told when it is on disk.
        case .ended: sessions[session.track] = nil
        }
    }

    @discardableResult
    private mutating func change(to label: String, confidence: Double, at time: Date) -> Bool {
        self.confidence = confidence
        guard label != action else { return false }
        action = label
        since = time
        return true
    }

    private func tellState(at time: Date) {
        let session = sessions.sorted { $0.key < $1.key }.first?.value
        publisher?.cameraState(
            CameraState(
                action: action, confidence: confidence, people: people, session: session?.id, since: since,
                reps: session?.actions.first { $0.label == action }?.reps, ts: time), camera: camera)
    }

    private func live(_ prediction: Prediction, keypoints: [[Double]]?) -> LivePrediction {
        let first = Int((prediction.start * 30).rounded())
        let last = max(first, Int((prediction.end * 30).rounded()) - 1)
        return LivePrediction(
            time: origin.addingTimeInterval(prediction.end), frames: first...last, credited: prediction.frames,
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
