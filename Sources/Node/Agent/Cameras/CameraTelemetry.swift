import Actions
import Foundation
import Messaging
import Poses

/// Publishes one camera's results as they arrive: its state, every prediction, changes of the action.
///
/// `CommitService` announces sessions and sets, once they are on disk.
package struct CameraTelemetry: ResultSink {
    private let camera: String
    private let device: String?
    private let rateHz: Double
    private let zones: [String]
    private let isStored: @Sendable (_ session: String) -> Bool
    private let publish: @Sendable (CameraMessage) -> Void
    private var hasStarted = false
    private var action = PseudoLabel.starting.rawValue
    private var since = Date.distantPast
    private var confidence = 0.0
    /// The person whose action it is; `nil` before there is one. The session and its repetitions are of the same person.
    private var person: Int?
    private var people = 0
    /// The open sessions, by track.
    private var sessions: [Int: Session] = [:]
    /// The tracks in the newest frame, and the label that each had last; empty for a camera without zones.
    private var tracks: [Track] = []
    private var labels: [Int: String] = [:]
    /// The last zone of everybody who is in view or has an open session.
    private var places: [Int: String] = [:]
    /// How many people wait beside each zone.
    private var waiting: [String: Int] = [:]
    /// Whether a person entered or left a zone, or began or ceased to wait, with the newest frame.
    private var hasMoved = false

    /// - Parameters:
    ///   - device: the camera's path; `nil` for other sources.
    ///   - rateHz: the model's rate, in which ``LivePrediction/f`` counts frames.
    ///   - zones: the names of the camera's zones.
    ///   - isStored: whether an open session is on disk, so that its id may be published.
    package init(
        camera: String, device: String?, rateHz: Double, zones: [String] = [],
        isStored: @escaping @Sendable (_ session: String) -> Bool,
        publish: @escaping @Sendable (CameraMessage) -> Void
    ) {
        self.camera = camera
        self.device = device
        self.rateHz = rateHz
        self.zones = zones
        self.isStored = isStored
        self.publish = publish
    }

    /// Publishes the predictions of a frame, and the state when it may have changed.
    package mutating func receive(_ result: CameraResult) {
        if !hasStarted { start(result) }
        follow(result.frameResult)
        result.frameResult.events.forEach { publish($0) }
        if result.frameResult.endedSessions { publishState(at: result.wall) }
        let spoken = result.frameResult.spokenPrediction
        for prediction in result.frameResult.predictions {
            // One skeleton per frame, attached to the prediction that stands for the camera.
            let keypoints = prediction == spoken ? result.frameResult.frame.prominentKeypoints : nil
            publish(.live(live(prediction, keypoints: keypoints, result)))
        }
        guard let spoken else {
            if hasMoved { publishState(at: result.date(of: result.frameResult.frame.time)) }
            return
        }
        let time = result.date(of: result.frameResult.frame.time)
        if let track = spoken.track, track != person { (person, since) = (track, time) }
        if change(to: spoken.label, confidence: Double(spoken.confidence), at: time) {
            publish(.event(CameraEvent(.actionChanged, camera: camera, ts: time, action: action)))
        }
        publishState(at: time)
    }

    /// Publishes that nobody is in view and no session is open. The status of a lost camera is published by its
    /// supervisor.
    package mutating func close(_ ending: CameraEnding) {
        (sessions, tracks, labels, places, waiting) = ([:], [], [:], [:], [:])
        (people, person) = (0, nil)
        change(to: "none", confidence: 0, at: ending.wall)
        publishState(at: ending.wall)
        guard !ending.isLost else { return }
        publish(.status(CameraStatus(state: .offline, reason: "ended", since: ending.wall)))
    }

    private mutating func start(_ result: CameraResult) {
        hasStarted = true
        since = result.origin
        publish(.status(CameraStatus(state: .online, since: result.origin, device: device)))
        publishState(at: result.origin)
    }

    private mutating func publish(_ event: SessionEvent) {
        let session = event.session
        switch event {
        case .ended, .handedOver: sessions[session.track] = nil
        case .started, .updated, .setEnded, .merged, .split: sessions[session.track] = session
        }
        // A session that is part of another one now was that of a number which is no more in use.
        if case .merged(_, let absorbed) = event { sessions = sessions.filter { $0.value.id != absorbed.id } }
    }

    /// Takes over who is in view, and what they do.
    private mutating func follow(_ result: RecognitionChain.FrameResult) {
        people = result.frame.tracks.count
        for link in result.links {
            if person == link.from { person = link.to }
            if let label = labels.removeValue(forKey: link.from) { labels[link.to] = label }
            if let place = places.removeValue(forKey: link.from) { places[link.to] = place }
        }
        // The rest is for the zones.
        guard !zones.isEmpty else { return }
        hasMoved = tracks.map(\.zone) != result.frame.tracks.map(\.zone) || waiting != result.waiting
        waiting = result.waiting
        tracks = result.frame.tracks
        for prediction in result.predictions where prediction.isModelLabel {
            guard let track = prediction.track else { continue }
            labels[track] = prediction.label
        }
        for track in tracks { places[track.id] = track.zone }
        let inView = Set(tracks.map(\.id))
        labels = labels.filter { inView.contains($0.key) || sessions[$0.key] != nil }
        places = places.filter { inView.contains($0.key) || sessions[$0.key] != nil }
    }

    private var zoneStates: [String: CameraState.ZoneState]? {
        guard !zones.isEmpty else { return nil }
        var states = Dictionary(zones.map { ($0, CameraState.ZoneState()) }) { first, _ in first }
        for track in tracks { track.zone.map { states[$0]?.people += 1 } }
        for (zone, count) in waiting { states[zone]?.waiting = count }
        // A person who is hidden for a moment still uses the zone.
        for (track, zone) in places.sorted(by: { $0.key < $1.key }) {
            let isExercising = sessions[track] != nil
            if isExercising || states[zone]?.action == nil { states[zone]?.action = labels[track] }
            if isExercising { states[zone]?.inUse = true }
        }
        return states
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
        let session = person.flatMap { sessions[$0] }
        publish(
            .state(
                CameraState(
                    action: action, confidence: confidence, people: people, inUse: !sessions.isEmpty,
                    session: session.flatMap { isStored($0.id) ? $0.id : nil }, since: since,
                    reps: session?.actions.first { $0.label == action }?.reps, zones: zoneStates, ts: time)))
    }

    private func live(_ prediction: Prediction, keypoints: [[Double]]?, _ result: CameraResult) -> LivePrediction {
        let first = Int((prediction.start * rateHz).rounded())
        let last = max(first, Int((prediction.end * rateHz).rounded()) - 1)
        return LivePrediction(
            time: result.date(of: prediction.end), frames: first...last, credited: prediction.frames,
            label: prediction.label, confidence: prediction.confidence, poseShare: prediction.poseShare,
            track: prediction.track, keypoints: keypoints)
    }
}

extension TrackedFrame {
    /// The prominent person's joints as published: x, y, confidence. `nil` while that person is hidden.
    fileprivate var prominentKeypoints: [[Double]]? {
        tracks.first { $0.id == prominent }?.pose.keypoints.map { [Double($0.x), Double($0.y), Double($0.confidence)] }
    }
}
