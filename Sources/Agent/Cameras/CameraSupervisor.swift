import Capture
import Foundation
import Messaging

/// The lives of one camera or recording, one after another.
///
/// A recording has one. A camera or stream has many: when it is lost it is opened again, after a wait that doubles from
/// one second to five, or to thirty for a stream. It is looked for by what it is, not by its number, so that it may come
/// back under another one.
struct CameraSupervisor {
    let camera: Configuration.Camera
    let node: Node
    let reports: CameraStatusBoard
    let realtime: Bool
    let isPatient: Bool
    let stopping: StopSignal
    /// The camera that was there first.
    private var identity: String?
    /// Known once it was open: what ended without ever having been live is over, or was never there.
    private var isLive = false
    /// Since when it has been lost, and whether that was told as a loss: one that was never there is none.
    private var lost: (since: Date, isEvent: Bool)?
    private var wait = Duration.seconds(1)
    /// What was last said of it in the log.
    private var told: CaptureError?

    /// So many frames are a life; with fewer the next one is waited for longer.
    private static let framesOfALife = 100

    init(
        camera: Configuration.Camera, node: Node, reports: CameraStatusBoard, realtime: Bool, isPatient: Bool,
        stopping: StopSignal
    ) {
        self.camera = camera
        self.node = node
        self.reports = reports
        self.realtime = realtime
        self.isPatient = isPatient
        self.stopping = stopping
        isLive = isPatient && camera.isEndless
    }

    /// Until the recording ends, the node stops, or opening it again is of no use.
    ///
    /// - Throws: what it failed by.
    mutating func run() async throws {
        while !stopping.isStopping {
            await waitWhileOff()
            guard !stopping.isStopping else { return }
            do {
                try await liveOnce()
                if isOff { continue }
                if !isLive || stopping.isStopping { return }
                throw CaptureError.cameraLost(device: camera.source, reason: "it ended")
            } catch is CancellationError {
                // Stopped or switched off while it was opened.
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

    /// It is of no use to go on with this camera; the others do.
    func reportGivenUp(_ error: any Error) {
        node.logger.error("\(camera.id): \(Self.text(error))")
        reports.setProblem(.failed, of: camera.id, Self.text(error))
        let word = (error as? CaptureError)?.word ?? "failed"
        node.publisher?.cameraStatus(
            CameraStatus(state: .offline, reason: word, since: Date(), device: device), camera: camera.id)
    }

    /// What may be told of an error: a stream's address may hold a password.
    private static func text(_ error: any Error) -> String {
        "\(error)".replacing(/[a-z]+:\/\/[^ '"]+/, with: "the stream")
    }

    private var isOff: Bool { !node.commands.switches.isOn(camera.id) }

    private var device: String? { camera.source.hasPrefix("/dev/") ? camera.source : nil }

    /// A camera that is switched off is at rest until it is switched on or the node stops.
    private mutating func waitWhileOff() async {
        guard isOff else { return }
        node.logger.info("\(camera.id): switched off")
        lost = nil
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

    /// From opening the source to its end.
    ///
    /// - Throws: `CancellationError` when it was stopped, which says nothing of the source; why it failed.
    private mutating func liveOnce() async throws {
        let model = node.classifier.description
        var settings = node.configuration.sourceSettings(rateHz: model.framesPerSecond, camera: camera)
        settings.realtime = realtime
        settings.camera.identity = identity
        let source = try open(settings)
        isLive = source.isLive
        identity = source.camera?.identity ?? identity
        stopping.set(source.stop, of: camera.id)
        defer { stopping.forget(camera.id) }
        if isOff { source.stop() }
        node.logger.info(
            "\(camera.id): \(source.format.widthPixels)×\(source.format.heightPixels) at \(source.format.rateHz) Hz")
        for note in source.notes { node.logger.info("\(camera.id): \(note)") }
        let pipeline = CameraPipeline(camera: camera, node: node, reports: reports)
        defer {
            node.writer.exclude(
                frames: source.droppedFrames(), reason: "dropped", camera: camera.id, wall: Date(), now: .now)
        }
        // The switch may be on again before the end of the source is seen.
        var wasOff = false
        do {
            try await pipeline.run(source) {
                wasOff = wasOff || isOff
                return stopping.isStopping || wasOff
            } seen: { frames in
                if frames == 1 { reportFound(source) }
                if frames == Self.framesOfALife { wait = .seconds(1) }
            }
        } catch  where wasOff || stopping.wasStopped(camera.id) {
            throw CancellationError()
        }
        if wasOff || stopping.wasStopped(camera.id) { throw CancellationError() }
    }

    /// Its first frame is there.
    private mutating func reportFound(_ source: PoseSource) {
        for problem in [CameraProblem.offline, .stalled, .degraded, .tooSlow] {
            reports.setProblem(problem, of: camera.id, nil)
        }
        guard let lost else { return }
        self.lost = nil
        told = nil
        node.logger.notice(
            "\(camera.id): there \(lost.isEvent ? "again " : "")as \(source.camera?.path ?? "the stream")")
        if lost.isEvent {
            node.publisher?.event(CameraEvent(.cameraRecovered, camera: camera.id, ts: Date()))
        }
    }

    private mutating func reportLost(_ error: CaptureError) {
        let now = Date()
        // Of what was never there nothing is lost; what was there is lost once, however often it is tried.
        let hasLived = identity != nil || reports.all[camera.id]?.lastFrame != nil
        if lost == nil {
            lost = (now, hasLived)
            if hasLived {
                node.publisher?.event(
                    CameraEvent(.cameraLost, camera: camera.id, ts: now, reason: error.word))
            }
        }
        // Once is enough: it may be tried for weeks.
        node.logger.log(level: told == error ? .debug : .warning, "\(camera.id): \(Self.text(error))")
        told = error
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
