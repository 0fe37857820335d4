import Actions
import Capture
import Configuration
import Foundation
import History
import Messaging
import Poses

/// One run of one camera or recording: reads the recognition chain and passes each result to the sinks.
struct CameraPipeline {
    let camera: Configuration.Camera
    let node: Node
    let reports: CameraStatusBoard
    private let begin = Date()
    private let zones: [Zone]

    init(camera: Configuration.Camera, node: Node, reports: CameraStatusBoard) {
        self.camera = camera
        self.node = node
        self.reports = reports
        zones = node.configuration.zones(of: camera.id)
    }

    /// Runs until the source ends, fails or is stopped. Open sessions are closed in each case.
    ///
    /// - Parameter progress: called for each frame with its number, counted from 1.
    /// - Throws: the source's error.
    func run(_ source: PoseSource, isStopping: () -> Bool, progress: (_ frames: Int) -> Void) async throws {
        var chain = RecognitionChain(
            classifier: node.classifier, subjects: node.configuration.subjects, references: node.references,
            formRules: node.rules, zones: zones, camera: camera.id, rules: node.configuration.recognitionRules,
            origin: begin, trackOffset: node.trackOffsets[camera.id] ?? 0)
        var sinks = sinks(for: source)
        var clock = SourceClock(origin: begin)
        var frames = 0
        watchProgress(of: source)
        let sessionEnds = node.commands.sessionEnds
        sessionEnds.begin(camera.id)
        defer {
            // A live source does not end by itself.
            let isLost = source.isLive && !isStopping()
            let reason: Session.EndReason = isStopping() ? .stopped : isLost ? .cameraLost : .sourceEnded
            let events = node.views?.close(&chain, reason, camera: camera.id) ?? chain.close(reason)
            let ending = CameraEnding(
                events: events, isLost: isLost, isOver: reason == .sourceEnded, wall: Date(), now: .now)
            for index in sinks.indices { sinks[index].close(ending) }
        }
        for try await frame in source.people {
            chain.expect(node.workouts.expected(of: camera.id))
            let seen = try chain.receive(frame, endsSessions: sessionEnds.isRequested(camera.id))
            let frameResult =
                node.views?.exchange(seen, of: &chain, camera: camera.id, origin: clock.origin) ?? seen
            frames += 1
            progress(frames)
            if source.isLive { adjust(&clock, &chain, at: frameResult.frame.time) }
            let result = CameraResult(
                frameResult: frameResult, origin: clock.origin, wall: Date(), now: .now,
                dropped: source.droppedFrames(),
                skipped: source.skipped())
            for index in sinks.indices { sinks[index].receive(result) }
        }
    }

    /// The history sink comes first: a session is queued for the disk before its telemetry goes out. Predictions are
    /// published without waiting for the disk. The workouts come before those who show them.
    private func sinks(for source: PoseSource) -> [any ResultSink] {
        let publish: @Sendable (CameraMessage) -> Void = { [publisher = node.publisher, id = camera.id] message in
            publisher?.publish(message, camera: id)
        }
        let log: @Sendable (Bool, String) -> Void = { [logger = node.logger] isWarning, line in
            logger.log(level: isWarning ? .warning : .info, "\(line)")
        }
        let figures = SourceStatistics(
            promisedHz: source.camera == nil ? 0 : source.format.rateHz, device: source.camera?.path,
            durationSeconds: source.format.durationSeconds, inference: source.inference)
        var sinks: [any ResultSink] = [
            HistorySink(
                camera: camera.id, writer: node.writer, reports: reports, sessionEnds: node.commands.sessionEnds,
                floor: node.floor),
            CameraTelemetry(
                camera: camera.id, device: figures.device, rateHz: node.classifier.description.framesPerSecond,
                zones: zones.map(\.name), isStored: node.storage.isStored, publish: publish),
            MetricsSink(
                camera: camera.id, source: figures, reports: reports,
                minimumPoseShare: node.classifier.thresholds.minimumPoseShare, log: log, publish: publish),
            PreviewSink(camera: camera.id, requests: node.commands.preview, publish: publish, warn: { log(true, $0) }),
            ObserverSink(camera: camera.id, observers: node.observers.all),
            JournalSink(camera: camera.id, hour: node.journalHour) { log(false, $0) },
        ]
        if node.configuration.alarm.enabled { sinks.insert(AlarmSink(camera: camera.id, board: node.alarms), at: 1) }
        sinks.insert(WorkoutSink(camera: camera.id, isLive: source.isLive, workouts: node.workouts), at: 1)
        if node.configuration.history.keepPoses > 0 { sinks.insert(PoseKeeper(writer: node.writer), at: 1) }
        if let draw = node.questions {
            let (workouts, id) = (node.workouts, camera.id)
            let keeper = QuestionKeeper(
                camera: id, model: node.classifier.description, draw: draw, writer: node.writer,
                isPrivate: { workouts.isPrivate($0, camera: id) })
            sinks.insert(keeper, at: 1)
        }
        return sinks
    }

    /// Lets the watchdog see whether the chain makes progress.
    private func watchProgress(of source: PoseSource) {
        let step = StallDetector(mayBeSilent: camera.source.contains("://"), now: .now) {
            [droppedFrames = source.droppedFrames, skipped = source.skipped] in
            droppedFrames() + skipped().count
        }
        reports.update(camera.id) { $0.step = step }
    }

    /// Follows the wall clock when it is set, and a stream whose encoder drifts. Called for live sources only: a
    /// recording keeps its own times.
    private func adjust(_ clock: inout SourceClock, _ chain: inout RecognitionChain, at time: Double) {
        let offset = clock.observe(time, wall: Date(), now: .now, isKept: ClockState.now() == .synced)
        guard let offset else { return }
        chain.move(origin: clock.origin)
        let seconds = offset.formatted(.number.precision(.fractionLength(1)).grouping(.never))
        node.logger.info("\(camera.id): its times were \(seconds) s behind this machine's clock, and follow it now")
    }
}
