import Actions
import Agent
import Configuration
import Foundation
import HTTPServing
import Logging
import Poses
import Synchronization
import TestSupport

/// Hand-made results of a camera, as the recognition chain delivers them.
enum LiveFixture {
    static let origin = Date(timeIntervalSince1970: 1_795_258_800)
    static let labels = ["lunge", "other", "squat", "starting"]

    /// Milliseconds since 1970 of a time of the source.
    static func milliseconds(_ time: Double) -> Int64 { Int64(1_795_258_800_000 + time * 1000) }

    static func frame(
        at time: Double = 0, tracks: [Int] = [1], prominent: Int? = 1,
        joint: Keypoint = Keypoint(x: 0.5, y: 0.25, confidence: 1)
    ) -> TrackedFrame {
        let pose = Pose(keypoints: Array(repeating: joint, count: 18))
        return TrackedFrame(
            index: 0, time: time, image: nil, widthPixels: 640, heightPixels: 480,
            tracks: tracks.map { Track(id: $0, pose: pose) }, prominent: prominent)
    }

    static func result(
        at time: Double, tracks: [Int] = [1], predictions: [Prediction] = [], events: [SessionEvent] = []
    ) -> CameraResult {
        CameraResult(
            frameResult: RecognitionChain.FrameResult(
                frame: frame(at: time, tracks: tracks, prominent: tracks.first), predictions: predictions,
                events: events),
            origin: origin, wall: origin + time, now: .now)
    }

    static func prediction(
        _ label: String = "squat", end: Double = 2, track: Int? = 1, confidence: Float = 0.9,
        probabilities: [Float] = [0.05, 0.04, 0.9, 0.01]
    ) -> Prediction {
        Prediction(
            track: track, start: end - 2, end: end, label: label, confidence: confidence,
            probabilities: probabilities, poseShare: 1, frames: 10)
    }

    static func session(_ sets: [SessionSet], track: Int = 1) -> Session {
        Session(id: "s1", camera: "rack1", track: track, start: origin, end: origin + 100, sets: sets)
    }

    static func set(_ number: Int, from start: Double, to end: Double, reps: Int, form: Int? = nil) -> SessionSet {
        SessionSet(number: number, label: "squat", start: origin + start, end: origin + end, reps: reps, form: form)
    }

    static func ending() -> CameraEnding { CameraEnding(events: [], isLost: false, wall: origin + 60, now: .now) }
}

/// Nodes without a broker, in a temporary folder.
struct NodeFixture {
    let folder: TemporaryFolder

    private static let models = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Models")
        .standardizedFileURL

    init() throws { folder = try TemporaryFolder() }

    func node(
        listen: String = "127.0.0.1:0", hosts: [String] = [], pictures: String = "never", keepPoses: Int = 0,
        plans: String? = nil, logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ change: (inout Configuration) -> Void = { _ in }
    ) throws -> Node {
        var camera = Configuration.Camera()
        camera.id = "rack1"
        var configuration = Configuration()
        configuration.cameras = [camera]
        configuration.mqtt.enabled = false
        configuration.web.enabled = true
        configuration.web.listen = listen
        configuration.web.hosts = hosts
        configuration.web.pictures = pictures
        configuration.history.path = folder.file("spotter.db").path
        configuration.history.keepPoses = keepPoses
        configuration.recognition.model = Self.models.appending(path: "exercises.safetensors").path
        if let plans { configuration.workouts.plans = plans }
        change(&configuration)
        return try Node(configuration, logger: logger)
    }
}

/// A value that threads share.
final class Shared<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value { state.withLock { $0 } }

    @discardableResult func change<Answer: Sendable>(_ body: (inout Value) -> Answer) -> Answer {
        state.withLock { value in body(&value) }
    }
}

/// The object of a JSON text; empty for anything else.
func object(_ json: some Sequence<UInt8>) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any] ?? [:]
}

/// Waits on a thread of its own: tasks share too few threads to block one.
func apart<Answer: Sendable>(_ work: @escaping @Sendable () throws -> Answer) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}

extension HTTPResponse {
    /// The figure of the status.
    var statusCode: Int { Int(status.code) }
}
