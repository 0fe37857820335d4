import Actions
import Foundation
import History
import Messaging
import Records
import Synchronization
import Workouts

/// A history and a publisher as the agent has them, in a temporary directory.
final class Node: Sendable {
    let directory: URL
    let store: Store
    let publisher: Publisher
    let writer: HistoryWriter
    private let logged: LogBook

    init(
        _ settings: MQTTSettings, directory: URL? = nil, node: String = "sp-test", timeZone: String = "Europe/Berlin"
    ) throws {
        self.directory = try directory ?? Node.temporaryDirectory()
        let zone = TimeZone(identifier: timeZone) ?? .gmt
        store = try Store(
            path: self.directory.appendingPathComponent("spotter.db").path,
            settings: HistorySettings(timeZone: zone, nodeId: node))
        let book = LogBook()
        logged = book
        publisher = try Publisher(settings: settings, store: store) { level, text in book.add("\(level): \(text)") }
        writer = try HistoryWriter(store: store, model: ModelStamp(id: "gym14@9f2c41", framesPerSecond: 30))
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    var log: [String] { logged.lines.withLock { $0 } }

    static func temporaryDirectory() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("spotter-node-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }

    /// Commits a whole session and wakes the publisher.
    func record(session id: String = UUIDv7.string(at: Date()), reps: Int = 3, at wall: Date = Date()) throws {
        let action = ActionTotal(label: "squat", frames: 300, seconds: 10, reps: reps, meanConfidence: 0.9)
        var session = Session(
            id: id, camera: "rack1", track: 1, start: wall.addingTimeInterval(-10), end: wall, endReason: .idle,
            actions: [action], excludedFrames: ["no_person": 20])
        session.sets = [(-10.0, -6.0), (-4.0, 0.0)].enumerated().map { index, span in
            SessionSet(
                number: index + 1, label: "squat", start: wall.addingTimeInterval(span.0),
                end: wall.addingTimeInterval(span.1), reps: 2, form: index == 0 ? nil : 80)
        }
        writer.enqueue(session, now: .now)
        let commit = try writer.flush(now: .now, wall: wall)
        for day in commit?.days ?? [] { publisher.counts(day) }
        publisher.recordsAvailable()
    }

    /// Commits a workout, and publishes what it shows.
    func workout(name: String? = "anna") throws {
        let step = WorkoutPlan.Step(action: "squat", repetitions: 12, restSeconds: 60)
        let plan = WorkoutPlan(id: "legs", name: "Legs", rounds: 2, steps: [step])
        let workout = Workout(
            id: UUIDv7.string(at: Date()), plan: plan, camera: "rack1", name: name, start: Date())
        var runner = WorkoutRunner(workout, exercises: ["squat"], now: Date())
        let events = runner.observe(WorkoutScene(time: Date(), tracks: [1], labels: [1: "squat"]))
        publisher.workouts(CameraWorkouts([WorkoutState(runner)], ts: Date()), camera: "rack1")
        let all =
            [WorkoutEvent(.started, at: workout.start, of: workout)] + events
            + runner.stop(.stopped, at: Date().addingTimeInterval(1))
        for event in all { publisher.event(CameraEvent(event)) }
        writer.enqueue(runner.workout, events: all, now: .now)
        _ = try writer.flush(now: .now, wall: Date())
        publisher.recordsAvailable()
    }

    /// Changes the database behind the node's back.
    func sql(_ text: String) throws {
        try run("/usr/bin/sqlite3", ["-cmd", ".timeout 5000", store.path, text])
    }

    func publishState(_ action: String, people: Int = 1) {
        publisher.cameraState(
            CameraState(action: action, confidence: 0.94, people: people, since: Date(), reps: 12, ts: Date()),
            camera: "rack1")
    }

    /// Publishes everything that a running node retains at the broker.
    func publishEverything() throws {
        publisher.info(.example)
        publisher.cameraStatus(CameraStatus(state: .online, since: Date(), device: "/dev/video0"), camera: "rack1")
        publishState("squat")
        publisher.counts(try store.query.day("2026-11-21", camera: "rack1"))
        publisher.cameraEnabled(true, camera: "rack1")
        publisher.workouts(CameraWorkouts([], ts: Date()), camera: "rack1")
    }
}

private final class LogBook: Sendable {
    let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

extension InfoPayload {
    static var example: InfoPayload {
        InfoPayload(
            node: "sp-test", site: "gym", name: "Rack corner", timeZone: .gmt, sw: "1.4.0", boot: "7c1e0f5a",
            started: Date(timeIntervalSince1970: 1_795_284_200.902),
            model: Model(
                id: "gym14", sha256: "9f2c41", labels: ["squat", "lunge"], window: 60, stride: 10, fps: 30,
                minConfidence: 0.6, minPoseRatio: 0.6, exercises: ["squat", "lunge"], repetitions: ["squat"]),
            cameras: [Camera(id: "rack1", name: "Rack 1", source: "usb", width: 1280, height: 720, fps: 30)],
            configSha256: "51d0aa",
            host: Host(model: "Raspberry Pi 5", os: "Debian 13", arch: "arm64", temperature: true))
    }
}

extension Prediction {
    static var example: Prediction {
        Prediction(
            track: 1, start: 0, end: 2, label: "squat", confidence: 0.9, probabilities: [], poseShare: 1, frames: 10)
    }
}
