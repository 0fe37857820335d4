import Capture
import Configuration
import Contract
import Foundation
import History
import Messaging

/// Opens one camera or recording, runs its pipeline, and reopens it after a failure.
///
/// A recording runs once. A camera or stream is reopened when it is lost, after a wait that doubles from 1 s to 5 s, or
/// to 30 s for a stream. A camera is found again by its identity rather than its device number, because it may come
/// back under another number.
package struct CameraSupervisor {
    let camera: Configuration.Camera
    let node: Node
    let reports: CameraStatusBoard
    let realtime: Bool
    let isPatient: Bool
    let stopping: StopSignal
    /// The processor time that all cameras share.
    let load: SharedLoad
    /// The identity of the camera that was opened first.
    private var identity: String?
    /// Whether the source is a camera or live stream. Known once it has been opened; anything else is not reopened.
    private var isLive = false
    /// Since when the camera has been unavailable, and whether `camera_lost` was published for it.
    private var lost: (since: Date, isEvent: Bool)?
    private var wait = Duration.seconds(1)
    /// The error that was last logged, so that repetitions are logged at debug level only.
    private var lastLogged: CaptureError?

    /// After this many frames the wait before the next reopening starts again at its minimum.
    private static let framesUntilStable = 100

    /// - Parameters:
    ///   - realtime: plays recordings at their own speed.
    ///   - isPatient: waits for a camera that is missing at the start.
    package init(
        camera: Configuration.Camera, node: Node, reports: CameraStatusBoard, realtime: Bool, isPatient: Bool,
        stopping: StopSignal, load: SharedLoad
    ) {
        self.camera = camera
        self.node = node
        self.reports = reports
        self.realtime = realtime
        self.isPatient = isPatient
        self.stopping = stopping
        self.load = load
        isLive = isPatient && camera.isEndless
    }

    /// Runs until the recording ends, the node stops, or an error occurs that reopening cannot help.
    ///
    /// - Throws: that error.
    package mutating func run() async throws {
        while !stopping.isStopping {
            await waitWhileOff()
            guard !stopping.isStopping else { return }
            do {
                try await runOnce()
                if isOff { continue }
                if !isLive || stopping.isStopping { return }
                throw CaptureError.cameraLost(device: camera.source, reason: "it ended")
            } catch is CancellationError {
                // It was stopped or switched off while it was being opened.
                continue
            } catch let error as CaptureError where isLive {
                if stopping.isStopping { return }
                if isOff { continue }
                reportLost(error)
                await stopping.sleep(wait)
                wait = min(wait * 2, camera.source.hasPrefix("/dev/") ? .seconds(5) : .seconds(30))
            }
        }
    }

    /// Reports that this camera is given up; the other cameras keep running.
    package func reportGivenUp(_ error: any Error) {
        node.logger.error("\(camera.id): \(Self.text(error))")
        reports.setProblem(.failed, of: camera.id, Self.text(error))
        let word = (error as? CaptureError)?.word ?? "failed"
        node.publisher?.cameraStatus(
            CameraStatus(state: .offline, reason: word, since: Date(), device: device), camera: camera.id)
    }

    /// An error's text without the stream's address, which may contain a password.
    private static func text(_ error: any Error) -> String {
        // A sentence's own mark may follow the address.
        "\(error)".replacing(/[a-z]+:\/\/[^ '"]*[^ '":;,.]/, with: "the stream")
    }

    private var isOff: Bool { !node.commands.switches.isOn(camera.id) }

    private var device: String? { camera.source.hasPrefix("/dev/") ? camera.source : nil }

    /// Waits until the camera is switched on or the node stops.
    private mutating func waitWhileOff() async {
        guard isOff else { return }
        node.logger.info("\(camera.id): switched off")
        lost = nil
        if isLive {
            node.writer.enqueue(.gone(camera: camera.id, at: Date(), reason: CameraAbsence.switchedOff), now: .now)
        }
        for problem in [CameraProblem.offline, .stalled, .degraded, .tooSlow] {
            reports.setProblem(problem, of: camera.id, nil)
        }
        node.publisher?.cameraStatus(CameraStatus(state: .disabled, since: Date()), camera: camera.id)
        while isOff, !stopping.isStopping { await stopping.sleep(.milliseconds(200)) }
    }

    private func open(_ settings: PoseSource.Settings) throws -> PoseSource {
        let mayBeSilent = camera.source.contains("://")
        reports.update(camera.id) { $0.opening = StallDetector(mayBeSilent: mayBeSilent, now: .now) { 0 } }
        defer { reports.update(camera.id) { $0.opening = nil } }
        let cancellation = Cancellation()
        stopping.set(cancellation.cancel, of: camera.id)
        return try PoseSource(opening: camera.source, settings: settings, cancellation: cancellation)
    }

    /// Opens the source and runs its pipeline until the source ends.
    ///
    /// - Throws: the source's error; `CancellationError` when the source was stopped, which is not an error of the
    ///   source.
    private mutating func runOnce() async throws {
        let model = node.classifier.description
        var settings = node.configuration.sourceSettings(rateHz: model.framesPerSecond, camera: camera)
        settings.realtime = realtime
        settings.camera.identity = identity
        settings.share = load.join()
        let source = try open(settings)
        isLive = source.isLive
        identity = source.camera?.identity ?? identity
        stopping.set(source.stop, of: camera.id)
        defer { stopping.forget(camera.id) }
        if isOff { source.stop() }
        node.logger.info("\(camera.id): \(source.format.words)")
        for note in source.notes { node.logger.info("\(camera.id): \(note)") }
        let pipeline = CameraPipeline(camera: camera, node: node, reports: reports)
        defer {
            node.writer.exclude(
                frames: source.droppedFrames(), reason: "dropped", camera: camera.id, wall: Date(), now: .now)
        }
        // The camera may be switched on again before the pipeline notices the end of the source.
        var wasOff = false
        do {
            try await pipeline.run(source) {
                wasOff = wasOff || isOff
                return stopping.isStopping || wasOff
            } progress: { frames in
                if frames == 1 { reportFound(source) }
                if frames == Self.framesUntilStable { wait = .seconds(1) }
            }
        } catch  where wasOff || stopping.wasStopped(camera.id) {
            throw CancellationError()
        }
        if wasOff || stopping.wasStopped(camera.id) { throw CancellationError() }
    }

    /// The first frame has arrived.
    private mutating func reportFound(_ source: PoseSource) {
        for problem in [CameraProblem.offline, .stalled, .degraded, .tooSlow] {
            reports.setProblem(problem, of: camera.id, nil)
        }
        if isLive { node.writer.enqueue(.present(camera: camera.id, at: Date()), now: .now) }
        guard let lost else { return }
        self.lost = nil
        lastLogged = nil
        node.logger.notice(
            "\(camera.id): there \(lost.isEvent ? "again " : "")as \(source.camera?.path ?? "the stream")")
        if lost.isEvent {
            node.publisher?.event(CameraEvent(.cameraRecovered, camera: camera.id, ts: Date()))
        }
    }

    private mutating func reportLost(_ error: CaptureError) {
        let now = Date()
        // Publish `camera_lost` once per outage, and never for a camera that has not delivered a frame yet.
        let hasDelivered = identity != nil || reports.all[camera.id]?.lastFrame != nil
        if lost == nil {
            lost = (now, hasDelivered)
            node.writer.enqueue(.gone(camera: camera.id, at: now, reason: error.word), now: .now)
            if hasDelivered {
                node.publisher?.event(
                    CameraEvent(.cameraLost, camera: camera.id, ts: now, reason: error.word))
            }
        }
        // A warning for each attempt would fill the log: attempts may go on for weeks.
        node.logger.log(level: lastLogged == error ? .debug : .warning, "\(camera.id): \(Self.text(error))")
        lastLogged = error
        let isStalled = if case .cameraStalled = error { true } else { false }
        reports.setProblem(isStalled ? .stalled : .offline, of: camera.id, Self.text(error))
        reports.setProblem(isStalled ? .offline : .stalled, of: camera.id, nil)
        reports.setProblem(.degraded, of: camera.id, nil)
        node.publisher?.cameraStatus(
            CameraStatus(
                state: .offline, reason: error.word, since: lost?.since ?? now, device: device,
                retryInSeconds: Int(wait.components.seconds)), camera: camera.id)
    }
}
