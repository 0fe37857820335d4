import Actions
import Capture
import Foundation

/// What was seen in one recording: the answer of `spotter classify --json`.
public struct Classification: Codable, Sendable {
    public let file: String
    /// The model's name and the first digits of its digest.
    public let model: String
    public let durationSeconds: Double
    public let frames: Int
    public let width: Int
    public let height: Int
    public let windows: [Window]
    public let segments: [Segment]
    /// Frames credited to each label of the model; pseudo-labels are not counted.
    public let frameCounts: [String: Int]
    /// Repetitions by label; `null` while they are not counted.
    public let reps: [String: Int]?

    public struct Window: Codable, Sendable {
        public let track: Int?
        public let start: Double
        public let end: Double
        public let label: String
        public let confidence: Double
        /// The classifier's own, before thresholds; empty for windows that were not classified.
        public let probabilities: [String: Double]
        /// Why the label is `low_confidence`: `unknown_motion`, `unsure` or `poor_view`; else `null`.
        public let reason: Doubt?
    }

    public struct Segment: Codable, Sendable {
        public let track: Int
        public let label: String
        public let start: Double
        public let end: Double
        public let reps: Int?
    }

    /// Sums up a recording that has been pulled through the chain.
    public init(
        file: String, format: SourceFormat, classifier: ActionClassifier, frames: Int, lastTime: Double,
        predictions: [Prediction], motion: MotionTrace
    ) {
        let model = classifier.description
        self.file = file
        self.model = classifier.name
        self.frames = frames
        durationSeconds =
            format.durationSeconds.map { Self.round($0, 3) }
            ?? Self.round(frames > 0 ? lastTime + 1 / format.rateHz : 0, 3)
        width = format.widthPixels
        height = format.heightPixels
        windows = predictions.map { prediction in
            Window(
                track: prediction.track, start: Self.round(prediction.start, 4), end: Self.round(prediction.end, 4),
                label: prediction.label, confidence: Self.round(Double(prediction.confidence), 4),
                probabilities: Dictionary(
                    uniqueKeysWithValues: zip(
                        model.labels, prediction.probabilities.map { Self.round(Double($0), 4) })),
                reason: prediction.doubt)
        }
        let finder = SegmentFinder(
            exercises: Set(model.countedLabels), stepSeconds: Double(model.strideFrames) / model.framesPerSecond)
        segments = finder.segments(in: predictions, motion: motion).map {
            Segment(
                track: $0.track, label: $0.label, start: Self.round($0.start, 3), end: Self.round($0.end, 3), reps: nil)
        }
        frameCounts = predictions.filter(\.isModelLabel).reduce(into: [:]) { $0[$1.label, default: 0] += $1.frames }
        reps = nil
    }

    private static func round(_ value: Double, _ decimals: Int) -> Double {
        let scale = decimals == 3 ? 1000.0 : 10_000.0
        return (value * scale).rounded() / scale
    }
}

extension Classification {
    enum CodingKeys: String, CodingKey {
        case file, model, frames, width, height, windows, segments, reps
        case durationSeconds = "duration_s"
        case frameCounts = "frame_counts"
    }

    /// Unknown repetitions are written as `null`, so that the key is always there.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(file, forKey: .file)
        try container.encode(model, forKey: .model)
        try container.encode(durationSeconds, forKey: .durationSeconds)
        try container.encode(frames, forKey: .frames)
        try container.encode(width, forKey: .width)
        try container.encode(height, forKey: .height)
        try container.encode(windows, forKey: .windows)
        try container.encode(segments, forKey: .segments)
        try container.encode(frameCounts, forKey: .frameCounts)
        try container.encode(reps, forKey: .reps)
    }
}

extension Classification.Window {
    enum CodingKeys: String, CodingKey {
        case track, label, confidence, probabilities, reason
        case start = "start_s"
        case end = "end_s"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(track, forKey: .track)
        try container.encode(start, forKey: .start)
        try container.encode(end, forKey: .end)
        try container.encode(label, forKey: .label)
        try container.encode(confidence, forKey: .confidence)
        try container.encode(probabilities, forKey: .probabilities)
        try container.encode(reason, forKey: .reason)
    }
}

extension Classification.Segment {
    enum CodingKeys: String, CodingKey {
        case track, label, reps
        case start = "start_s"
        case end = "end_s"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(track, forKey: .track)
        try container.encode(label, forKey: .label)
        try container.encode(start, forKey: .start)
        try container.encode(end, forKey: .end)
        try container.encode(reps, forKey: .reps)
    }
}

extension ActionClassifier {
    /// How records and reports call the model: `exercises@9f2c41`.
    public var name: String { description.name + "@" + digest.prefix(6) }
}
