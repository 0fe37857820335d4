import Capture
import Foundation
import Messaging
import Poses
import ServiceLifecycle
import Synchronization

/// Runs every camera until it ends or the node is stopped.
///
/// A recording is one life. A camera or stream has many: when it is lost it is opened again, after a wait that
/// doubles from one second to thirty. What cannot be opened even once ends the node with the reason.
struct RecognitionService: Service {
    let node: Node
    let reports: CameraReports
    let realtime: Bool
    private let stopping = Stopping()

    init(node: Node, reports: CameraReports, realtime: Bool) {
        self.node = node
        self.reports = reports
        self.realtime = realtime
    }

    func run() async throws {
        // A recording that is switched off is nothing to wait for; a camera may be switched on again.
        let cameras = node.configuration.cameras.filter { node.control.switches.isOn($0.id) || $0.isEndless }
        node.control.onSwitch { camera in
            node.describe()
            if !node.control.switches.isOn(camera) { stopping.stop(camera) }
        }
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for camera in cameras {
                    group.addTask(executorPreference: InferenceQueue(label: camera.id)) { try await live(camera) }
                }
                try await group.waitForAll()
            }
        } onGracefulShutdown: {
            stopping.stopAll()
        }
    }

    private func live(_ camera: Configuration.Camera) async throws {
        var wait = Duration.seconds(1)
        // Known once it was open: what ended without ever having been live is over, or was never there.
        var isLive = false
        while !stopping.isStopping {
            await waitWhileOff(camera)
            guard !stopping.isStopping else { return }
            do {
                try await liveOnce(camera) { isLive = $0 }
                if isOff(camera) { continue }
                if !isLive || stopping.isStopping { return }
                throw CaptureError.cameraLost(device: camera.source, reason: "it ended")
            } catch let error where isLive {
                if stopping.isStopping { return }
                if isOff(camera) { continue }
                node.logger.warning("\(error)")
                tellLost(camera, retryIn: wait)
                await stopping.sleep(wait)
                wait = min(wait * 2, .seconds(30))
            }
        }
    }

    private func isOff(_ camera: Configuration.Camera) -> Bool { !node.control.switches.isOn(camera.id) }

    /// A camera that is switched off is at rest until it is switched on or the node stops.
    private func waitWhileOff(_ camera: Configuration.Camera) async {
        guard isOff(camera) else { return }
        node.logger.info("\(camera.id): switched off")
        reports.update(camera.id) { $0.problem = nil }
        node.publisher?.cameraStatus(CameraStatus(state: .disabled, since: Date()), camera: camera.id)
        while isOff(camera), !stopping.isStopping { await stopping.sleep(.milliseconds(200)) }
    }

    private func liveOnce(_ camera: Configuration.Camera, opened: (_ isLive: Bool) -> Void) async throws {
        let model = node.classifier.description
        var settings = node.configuration.sourceSettings(rateHz: model.framesPerSecond, camera: camera)
        settings.realtime = realtime
        let source = try PeopleSource(opening: camera.source, settings: settings)
        opened(source.isLive)
        reports.update(camera.id) { $0.problem = nil }
        stopping.set(source.stop, of: camera.id)
        defer { stopping.forget(camera.id) }
        if isOff(camera) { source.stop() }
        node.logger.info(
            "\(camera.id): \(source.format.widthPixels)×\(source.format.heightPixels) at \(source.format.rateHz) Hz")
        let worker = CameraWorker(camera: camera, node: node, reports: reports)
        _ = try await worker.run(source) { stopping.isStopping || isOff(camera) }
        node.writer.exclude(
            frames: source.droppedFrames(), reason: "dropped", camera: camera.id, wall: Date(), now: .now)
    }

    private func tellLost(_ camera: Configuration.Camera, retryIn wait: Duration) {
        let now = Date()
        reports.update(camera.id) { $0.problem = Problem(code: "camera_offline", camera: camera.id, since: now) }
        node.publisher?.cameraStatus(
            CameraStatus(
                state: .offline, reason: "no_frames", since: now,
                device: camera.source.hasPrefix("/dev/") ? camera.source : nil,
                retryInSeconds: Int(wait.components.seconds)), camera: camera.id)
    }
}

/// Carries the wish to stop to every open source, also to those that are opened after it was made.
private final class Stopping: Sendable {
    private let state = Mutex<(isStopping: Bool, stops: [String: @Sendable () -> Void])>((false, [:]))

    var isStopping: Bool { state.withLock { $0.isStopping } }

    func set(_ stop: @escaping @Sendable () -> Void, of camera: String) {
        let isLate = state.withLock { state in
            state.stops[camera] = stop
            return state.isStopping
        }
        if isLate { stop() }
    }

    func forget(_ camera: String) { state.withLock { $0.stops[camera] = nil } }

    func stop(_ camera: String) { state.withLock { $0.stops[camera] }?() }

    func stopAll() {
        let stops = state.withLock { state in
            state.isStopping = true
            return state.stops
        }
        stops.values.forEach { $0() }
    }

    /// Waits in steps short enough to stop in time.
    func sleep(_ duration: Duration) async {
        let deadline = ContinuousClock.now + duration
        while !isStopping && ContinuousClock.now < deadline {
            do { try await Task.sleep(for: .milliseconds(100)) } catch { return }
        }
    }
}

extension Configuration.Camera {
    /// Whether the source is a camera or a stream, as far as its name tells.
    fileprivate var isEndless: Bool { source.hasPrefix("/dev/") || source.contains("://") }
}
