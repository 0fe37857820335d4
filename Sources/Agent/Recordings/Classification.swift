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
    /// Repetitions by label, those of all segments.
    public let reps: [String: Int]

    public struct Window: Codable, Sendable {
        public let track: Int?
        public let start: Double
        public let end: Double
        public let label: String
        public let confidence: Double
        /// The classifier's own, before thresholds; empty for windows that were not classified.
        public let probabilities: [String: Double]
        /// Why the label is `low_confidence`: `unknown_motion`, `unsure` or `poor_view`; else `null`.
        public let reason: RejectionReason?
    }

    public struct Segment: Codable, Sendable {
        public let track: Int
        public let label: String
        public let start: Double
        public let end: Double
        public let reps: Int
        public let repetitions: [Repetition]
        /// The mean over the repetitions; absent if nothing could be judged.
        public let coachingHint: CoachingHint?
    }

    /// How well a repetition or segment was done: a hint for a coach, never an assessment of safety.
    public struct CoachingHint: Codable, Sendable {
        /// 0…100.
        public let score: Int
        /// The two parts to work on first, in words.
        public let worst: [String]
        /// 0…100 for each part that could be judged.
        public let parts: [String: Int]

        init?(_ form: FormScore?) {
            guard let form, let value = form.value else { return nil }
            score = value
            worst = form.worst.map(\.rawValue)
            parts = Dictionary(uniqueKeysWithValues: form.parts.map { ($0.key.rawValue, Int($0.value.rounded())) })
        }
    }

    /// Seconds since the recording's begin.
    public struct Repetition: Codable, Sendable {
        public let start: Double
        public let extreme: Double
        public let end: Double
        public let coachingHint: CoachingHint?

        public init(_ repetition: Actions.Repetition) {
            start = Classification.round(repetition.start, 3)
            extreme = Classification.round(repetition.extreme, 3)
            end = Classification.round(repetition.end, 3)
            coachingHint = CoachingHint(repetition.form)
        }
    }

    /// Sums up a recording that has been pulled through the chain.
    public init(
        file: String, format: SourceFormat, classifier: ActionClassifier, frames: Int, lastTime: Double,
        predictions: [Prediction], motion: MotionTrace, reels: PoseBuffers,
        references: [String: FormReference] = [:]
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
        segments = finder.segments(in: predictions, motion: motion).map { segment in
            let counter = RepetitionCounter(basis: model.counting?[segment.label])
            let stretch = reels.stretch(around: segment)
            let judge = FormScorer(label: segment.label, reference: references[segment.label])
            let found = stretch.map { judge.judged(counter.repetitions(of: segment, in: $0), in: $0) } ?? []
            return Segment(
                track: segment.track, label: segment.label, start: Self.round(segment.start, 3),
                end: Self.round(segment.end, 3), reps: found.count, repetitions: found.map(Repetition.init),
                coachingHint: CoachingHint(.mean(found.compactMap(\.form))))
        }
        frameCounts = predictions.filter(\.isModelLabel).reduce(into: [:]) { $0[$1.label, default: 0] += $1.frames }
        reps = segments.reduce(into: [:]) { $0[$1.label, default: 0] += $1.reps }
    }

    fileprivate static func round(_ value: Double, _ decimals: Int) -> Double {
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
        case track, label, reps, repetitions
        case coachingHint = "coaching_hint"
        case start = "start_s"
        case end = "end_s"
    }
}

extension Classification.Repetition {
    enum CodingKeys: String, CodingKey {
        case start = "start_s"
        case extreme = "extreme_s"
        case coachingHint = "coaching_hint"
        case end = "end_s"
    }
}

extension ActionClassifier {
    /// How records and reports call the model: `exercises@9f2c41`.
    public var name: String { description.name + "@" + digest.prefix(6) }
}
