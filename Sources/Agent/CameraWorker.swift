import Actions
import Capture
import Foundation
import History
import Messaging
import Poses

/// One life of one camera or recording: pulls the chain, stores what comes out, and tells it.
struct CameraWorker {
    let camera: Configuration.Camera
    let node: Node
    let reports: CameraReports
    private let begin = Date()
    private let chain: RecognitionChain

    init(camera: Configuration.Camera, node: Node, reports: CameraReports) {
        self.camera = camera
        self.node = node
        self.reports = reports
        chain = RecognitionChain(
            classifier: node.classifier, subjects: node.configuration.subjects, references: node.references,
            camera: camera.id, idleSeconds: node.configuration.recognition.sessionIdleSeconds, origin: begin)
    }

    /// Runs until the source ends, fails or is stopped; open sessions are closed in each case.
    ///
    /// - Parameter seen: called with each frame, counted from 1.
    /// - Throws: what the source threw.
    func run(_ source: PeopleSource, isStopping: () -> Bool, seen: (_ frames: Int) -> Void) async throws {
        var clock = SourceClock(origin: begin)
        var voice = CameraVoice(
            camera: camera.id, origin: begin, publisher: node.publisher, device: source.camera?.path)
        var pace = Pace()
        var thinning = Thinning()
        var rate = RateWatch(promisedHz: source.camera == nil ? 0 : source.format.rateHz)
        var frames = 0
        defer {
            // What is live has no end of its own.
            let isLost = source.isLive && !isStopping()
            let ended = chain.close(isStopping() ? .stopped : isLost ? .cameraLost : .sourceEnded)
            store(ended)
            voice.tell(ended)
            node.control.sessions.workerEnds(camera.id, ended)
            voice.tellEnd(isLost: isLost)
            reports.update(camera.id) { report in
                report.step = nil
                if isLost { (report.label, report.people) = ("none", 0) }
            }
        }
        let step = CameraStep(mayBeSilent: camera.source.contains("://"), now: .now) {
            [droppedFrames = source.droppedFrames, thinning = source.thinning] in
            droppedFrames() + thinning().skippedFrames
        }
        reports.update(camera.id) { $0.step = step }
        node.control.sessions.workerBegins(camera.id)
        for try await moment in chain.actions(of: source.people) {
            frames += 1
            if frames == 1 { voice.tellStart() }
            seen(frames)
            store(moment, clock)
            watch(moment)
            voice.tell(moment)
            if node.control.sessions.isWanted(camera.id) { endSessions(&voice) }
            if node.control.preview.isDue(camera.id) { show(moment.frame) }
            // A recording's times are its own.
            if source.isLive,
                let step = clock.note(
                    moment.frame.time, wall: Date(), now: .now, isKept: ClockState.now() == .synced)
            {
                voice.origin = clock.origin
                chain.move(origin: clock.origin)
                let seconds = step.formatted(.number.precision(.fractionLength(1)).grouping(.never))
                node.logger.info(
                    "\(camera.id): its times were \(seconds) s behind this machine's clock, and follow it now")
            }
            let dropped = source.droppedFrames()
            let before = thinning
            thinning = source.thinning()
            if thinning.stride != before.stride { tell(thinning, source) }
            pace.tick(passedOver: dropped + thinning.skippedFrames)
            if rate.hasChanged(arrivingHz: pace.arriving, at: moment.frame.time) { tell(rate, pace, voice) }
            reports.update(camera.id) { report in
                if let prediction = moment.spokenPrediction {
                    report.label = prediction.label
                    report.confidence = prediction.confidence
                }
                report.people = moment.frame.tracks.count
                report.frames += 1
                report.dropped = dropped
                report.thinning = thinning
                report.rateHz = pace.processed
                report.arrivingHz = pace.arriving
                report.inference = source.inference
                report.time = moment.frame.time
                report.durationSeconds = source.format.durationSeconds
                report.lastFrame = .now
                report.lastFrameAt = Date()
                for prediction in moment.predictions {
                    report.credited[prediction.label, default: 0] += prediction.frames
                }
                report.step?.advance(.now)
            }
        }
    }

    /// The camera has become too slow, or is as fast again as it promised.
    private func tell(_ rate: RateWatch, _ pace: Pace, _ voice: CameraVoice) {
        let text = "\(camera.id) delivers \(Int(pace.arriving.rounded())) of \(Int(rate.promisedHz.rounded())) frames/s"
        node.logger.warning("\(text)\(rate.isLow ? "; give it light, or a fixed exposure" : " again")")
        reports.tell(
            .degraded, of: camera.id,
            rate.isLow ? text + "; give it light, or set exposure; what is counted stays right" : nil)
        voice.tellOnline(reason: rate.isLow ? CameraProblem.degraded.rawValue : nil, since: Date())
    }

    /// A classifier whose numbers are none says nothing, and somebody should know.
    private func watch(_ moment: RecognitionChain.Moment) {
        guard moment.predictions.contains(where: { $0.isNotANumber(node.classifier.thresholds.minimumPoseShare) })
        else { return }
        reports.tell(
            .modelOutput, of: camera.id,
            "the classifier's output is not finite; what it saw counts as low_confidence; "
                + "check the model with: spotter models verify")
    }

    private func tell(_ thinning: Thinning, _ source: PeopleSource) {
        let share = thinning.stride == 1 ? "every frame" : "one frame in \(thinning.stride)"
        let took = source.inference.quantile(0.5).formatted(.units(allowed: [.milliseconds]))
        node.logger.info("\(camera.id): looks at \(share) now; finding poses takes \(took)")
    }

    /// Draws and tells beside the chain, which is not held up.
    private func show(_ frame: TrackedFrame) {
        node.control.preview.draw(frame, of: camera.id) { [camera, node] picture in
            switch picture {
            case .success(let picture): node.publisher?.preview(picture, camera: camera.id)
            case .failure(let error): node.logger.warning("no preview of \(camera.id): \(error)")
            }
        }
    }

    private func endSessions(_ voice: inout CameraVoice) {
        let ended = chain.close(.stopped)
        store(ended)
        voice.tell(ended)
        node.control.sessions.fulfil(camera.id, ended)
    }

    private func store(_ moment: RecognitionChain.Moment, _ clock: SourceClock) {
        for prediction in moment.predictions {
            node.writer.credit(prediction, camera: camera.id, wall: clock.date(of: prediction.end), now: .now)
        }
        store(moment.events)
    }

    private func store(_ events: [SessionEvent]) {
        for event in events {
            node.writer.keep(event.session, now: .now)
            guard let reason = event.session.endReason, case .ended = event else { continue }
            reports.update(camera.id) { $0.endedSessions[reason.rawValue, default: 0] += 1 }
        }
    }
}

/// Frames per second over about the last two seconds.
private struct Pace {
    private var ticks: [(time: ContinuousClock.Instant, passedOver: Int)] = []
    private(set) var processed = 0.0
    private(set) var arriving = 0.0

    /// - Parameter passedOver: frames that were not looked at since the source began.
    mutating func tick(passedOver: Int) {
        let now = ContinuousClock.now
        ticks.append((now, passedOver))
        ticks.removeAll { now - $0.time > .seconds(2) }
        guard let first = ticks.first, ticks.count > 1 else { return }
        let elapsed = (now - first.time).seconds
        processed = Double(ticks.count - 1) / elapsed
        arriving = Double(ticks.count - 1 + passedOver - first.passedOver) / elapsed
    }
}

extension Prediction {
    /// Whether the network was asked and its answer was no number.
    package func isNotANumber(_ minimumPoseShare: Float) -> Bool {
        label == PseudoLabel.lowConfidence.rawValue && probabilities.isEmpty && poseShare >= minimumPoseShare
    }
}

extension RecognitionChain.Moment {
    /// The prediction that speaks for the camera: the prominent person's, else the first.
    var spokenPrediction: Prediction? {
        predictions.last { $0.track == frame.prominent } ?? predictions.last
    }
}
