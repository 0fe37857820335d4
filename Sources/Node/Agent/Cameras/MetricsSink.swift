import Actions
import Capture
import Foundation
import Messaging
import Poses

/// Measures one camera: rates, drops, frames credited to each label. Reports a camera that is too slow, and a
/// classifier whose output is not finite.
package struct MetricsSink: ResultSink {
    /// At fewer frames per second, repetitions of quick exercises are missed (`LowRateTests`).
    package static let slowestCountedHz = 2.5

    private let camera: String
    private let source: SourceStatistics
    private let reports: CameraStatusBoard
    private let minimumPoseShare: Float
    private let log: @Sendable (_ isWarning: Bool, String) -> Void
    private let publish: @Sendable (CameraMessage) -> Void
    private var pace = FrameRate()
    private var people = PersonRates()
    private let began = ContinuousClock.now
    private var strides = StrideNews()
    private var interval = SightingInterval()
    private var delivery: RateWatch
    private var processing = RateWatch(lowHz: slowestCountedHz * 0.97, goodHz: slowestCountedHz * 1.2)

    /// - Parameters:
    ///   - minimumPoseShare: windows with a smaller share of poses are not classified.
    ///   - log: receives messages for the operator.
    package init(
        camera: String, source: SourceStatistics, reports: CameraStatusBoard, minimumPoseShare: Float,
        log: @escaping @Sendable (_ isWarning: Bool, String) -> Void,
        publish: @escaping @Sendable (CameraMessage) -> Void
    ) {
        self.camera = camera
        self.source = source
        self.reports = reports
        self.minimumPoseShare = minimumPoseShare
        self.log = log
        self.publish = publish
        // A camera is degraded below half of the promised rate, and recovers above 70 %.
        delivery = RateWatch(lowHz: 0.5 * source.promisedHz, goodHz: 0.7 * source.promisedHz)
    }

    /// Updates the figures, and reports when a rate becomes too low or recovers.
    package mutating func receive(_ result: CameraResult) {
        let time = result.frameResult.frame.time
        if let jump = result.frameResult.jump {
            log(true, jump.message(about: camera))
            interval = SightingInterval()
        }
        interval.add(time)
        people.add(result.frameResult.frame)
        pace.add(result.now, passedOver: result.dropped + result.skipped.count)
        checkClassifier(result)
        if strides.isNews(result.skipped.stride, at: (result.now - began) / .seconds(1)) {
            report(result.skipped.stride)
        }
        let isDeliveryNews = delivery.hasChanged(rateHz: pace.arriving, at: time)
        let isProcessingNews = processing.hasChanged(rateHz: interval.seconds.map { 1 / $0 } ?? 0, at: time)
        if isDeliveryNews { reportDelivery() }
        if isProcessingNews { reportProcessing() }
        if isDeliveryNews || isProcessingNews { publishStatus(at: result.wall) }
        update(result)
    }

    /// Clears what is only known while the pipeline runs.
    package func close(_ ending: CameraEnding) {
        reports.setProblem(.tooSlow, of: camera, nil)
        reports.update(camera) { report in
            report.step = nil
            report.personHz = [:]
            if ending.isLost { (report.label, report.people) = ("none", 0) }
        }
    }

    private func update(_ result: CameraResult) {
        reports.update(camera) { report in
            if let prediction = result.frameResult.spokenPrediction {
                report.label = prediction.label
                report.confidence = prediction.confidence
            }
            report.people = result.frameResult.frame.tracks.count
            report.frames += 1
            report.dropped = result.dropped
            report.skipped = result.skipped
            report.rateHz = pace.processed
            report.arrivingHz = pace.arriving
            report.personHz = people.hertz
            report.inference = source.inference
            report.time = result.frameResult.frame.time
            report.durationSeconds = source.durationSeconds
            report.lastFrame = result.now
            report.lastFrameAt = result.wall
            for prediction in result.frameResult.predictions {
                report.credited[prediction.label, default: 0] += prediction.frames
            }
            report.step?.advance(result.now)
        }
    }

    private func checkClassifier(_ result: CameraResult) {
        guard result.frameResult.predictions.contains(where: { $0.isNotANumber(minimumPoseShare) }) else { return }
        reports.setProblem(
            .modelOutput, of: camera,
            "the classifier's output is not finite; what it saw counts as low_confidence; "
                + "check the model with: spotter models verify")
    }

    private func report(_ stride: Int) {
        let share = stride == 1 ? "every frame" : "one frame in \(stride)"
        let took = source.inference.quantile(0.5).formatted(.units(allowed: [.milliseconds]))
        log(false, "\(camera): looks at \(share) now; finding poses takes \(took)")
    }

    /// Reports that the camera delivers too slowly, or has recovered.
    private func reportDelivery() {
        let rates = "\(Int(pace.arriving.rounded())) of \(Int(source.promisedHz.rounded())) frames/s"
        let text = "\(camera) delivers \(rates)"
        let advice = "give it light, or set exposure"
        log(true, delivery.isLow ? "\(text); \(advice)" : "\(text) again")
        reports.setProblem(.degraded, of: camera, delivery.isLow ? "\(text); \(advice)" : nil)
    }

    /// Reports that too few frames are processed to count repetitions, or that the rate has recovered.
    private func reportProcessing() {
        let rate = interval.seconds.map { String(format: "%.1f", 1 / $0) } ?? "0"
        let text = "\(camera): \(rate) frames/s are looked at"
        let advice =
            pace.arriving > Self.slowestCountedHz * 1.5
            ? "lower recognition.maximum_people, or use fewer cameras on this machine"
            : "give the camera light, or set exposure"
        let limit = "below \(Self.slowestCountedHz) the repetitions of quick exercises are lost"
        log(true, processing.isLow ? "\(text), \(limit); \(advice)" : "\(text), enough to count again")
        reports.setProblem(.tooSlow, of: camera, processing.isLow ? "\(text), \(limit); \(advice)" : nil)
    }

    private func publishStatus(at wall: Date) {
        let problem: CameraProblem? = processing.isLow ? .tooSlow : delivery.isLow ? .degraded : nil
        publish(
            .status(CameraStatus(state: .online, reason: problem?.rawValue, since: wall, device: source.device)))
    }
}

/// Facts about a source besides its frames.
package struct SourceStatistics {
    /// The rate the camera promised, in frames per second; 0 where there is none.
    let promisedHz: Double
    /// The camera's path; `nil` for other sources.
    let device: String?
    let durationSeconds: Double?
    /// The times that pose estimation took for the last frames.
    let inference: RecentDurations

    /// Collects the values; `durationSeconds` is `nil` for live sources.
    package init(promisedHz: Double, device: String?, durationSeconds: Double?, inference: RecentDurations) {
        self.promisedHz = promisedHz
        self.device = device
        self.durationSeconds = durationSeconds
        self.inference = inference
    }
}

/// Frames per second over about the last two seconds.
private struct FrameRate {
    private var frames: [(time: ContinuousClock.Instant, passedOver: Int)] = []
    /// Frames per second that were processed, and that arrived; 0 before the second frame.
    private(set) var processed = 0.0
    private(set) var arriving = 0.0

    /// - Parameter passedOver: frames skipped or dropped since the source began.
    mutating func add(_ now: ContinuousClock.Instant, passedOver: Int) {
        frames.append((now, passedOver))
        frames.removeAll { now - $0.time > .seconds(2) }
        guard let first = frames.first, frames.count > 1, now > first.time else { return }
        let elapsed = (now - first.time).seconds
        processed = Double(frames.count - 1) / elapsed
        arriving = Double(frames.count - 1 + passedOver - first.passedOver) / elapsed
    }
}

extension Prediction {
    /// Whether the classifier ran and returned NaN or infinity.
    package func isNotANumber(_ minimumPoseShare: Float) -> Bool {
        label == PseudoLabel.lowConfidence.rawValue && probabilities.isEmpty && poseShare >= minimumPoseShare
    }
}
