import Actions
import Capture
import Foundation

/// What was recognised in one recording: the output of `spotter classify --json`.
public struct Classification: Codable, Sendable {
    /// The recording as it was named, with secrets redacted.
    public let file: String
    /// The model's name and the first six digits of its digest.
    public let model: String
    /// The length of what was read in seconds, rounded to milliseconds.
    public let durationSeconds: Double
    /// Frames that were processed.
    public let frames: Int
    /// Whether the recording is shorter than a window and was played back and forth to fill one. Times after its end
    /// are set to its end, and it has no sets.
    public let isRepeated: Bool
    /// The picture's width in pixels.
    public let width: Int
    /// The picture's height in pixels.
    public let height: Int
    /// Every window, in the order of the predictions.
    public let windows: [Window]
    /// The stretches of exercise, with those that have no set. Their repetitions are those of ``sets``.
    public let segments: [Segment]
    /// The sets, as `spotter run` stores them.
    public let sets: [RecordedSet]
    /// Frames of each label of the windows, as `spotter run` stores them. Pseudo-labels are not counted.
    public let frameCounts: [String: Int]
    /// Repetitions by label, over all sets; exercises that are held are not in it.
    public let reps: [String: Int]

    /// The prediction for one window of one person.
    public struct Window: Codable, Sendable {
        /// The person; `nil` where nobody was in view.
        public let track: Int?
        /// Seconds since the recording's begin.
        public let start: Double
        /// Seconds since the recording's begin.
        public let end: Double
        /// The label that is shown, with memory of the windows before: a label of the model, or a pseudo-label such as
        /// `low_confidence`.
        public let label: String
        /// The confidence in the label that is shown, 0 to 1.
        public let confidence: Double
        /// The label of this window alone.
        public let rawLabel: String
        /// The confidence in the label of this window alone, 0 to 1.
        public let rawConfidence: Double
        /// The classifier's probabilities by label, before thresholds; empty for windows that were not classified.
        public let probabilities: [String: Double]
        /// Why the label of this window alone is `low_confidence`: `unknown_motion`, `unsure` or `poor_view`; else `null`.
        public let reason: RejectionReason?
    }

    /// A stretch in which one person did one exercise.
    public struct Segment: Codable, Sendable {
        /// The person.
        public let track: Int
        /// The exercise.
        public let label: String
        /// Seconds since the recording's begin.
        public let start: Double
        /// Seconds since the recording's begin.
        public let end: Double
        /// The number of repetitions; absent for an exercise that is held.
        public let reps: Int?
        /// Each repetition, in order; none for an exercise that is held.
        public let repetitions: [Repetition]
        /// Whether the edge of the picture cuts the body in a repetition, which has no score then.
        public let isPoorView: Bool
        /// The mean over the repetitions; absent if none could be scored.
        public let form: Form?
    }

    /// How closely a repetition or segment matches good form: for a coach, never a safety assessment.
    public struct Form: Codable, Sendable {
        /// The whole, from 0 to 100.
        public let score: Int
        /// The primary outcome, range of motion, from 0 to 100; absent if it could not be judged.
        public let primary: Int?
        /// The control: trunk, symmetry, tempo; from 0 to 100; absent if it could not be judged.
        public let control: Int?
        /// The two parts of the form to work on first.
        public let worst: [String]
        /// The score of each part that could be judged, from 0 to 100.
        public let parts: [String: Int]

        init?(_ form: FormScore?) {
            guard let form, let value = form.value else { return nil }
            score = value
            primary = form.value(of: .primary)
            control = form.value(of: .control)
            worst = form.worst.map(\.words)
            parts = form.parts.reduce(into: [:]) { $0[$1.key.words] = Int($1.value.score.rounded()) }
        }
    }

    /// One repetition. All times are seconds since the recording's begin, rounded to milliseconds.
    public struct Repetition: Codable, Sendable {
        /// When it begins.
        public let start: Double
        /// When the movement turns, such as the lowest point of a squat.
        public let extreme: Double
        /// When it ends.
        public let end: Double
        /// What was measured, by the name of the measurement.
        public let measures: [String: Measure]?
        /// The side that worked; absent where both did, and where it is not told.
        public let side: BodySide?
        /// The score of this repetition; absent if it could not be scored.
        public let form: Form?

        /// Converts a counted repetition.
        public init(_ repetition: Actions.Repetition) {
            start = Classification.round(repetition.start, 3)
            extreme = Classification.round(repetition.extreme, 3)
            end = Classification.round(repetition.end, 3)
            measures = repetition.measures.map { Measure.all(of: $0) }
            side = repetition.side
            form = Form(repetition.form)
        }
    }

    /// One measurement of a repetition: a value with its error, or why there is none.
    public struct Measure: Codable, Sendable {
        /// The value in ``unit``; absent without a reading.
        public let value: Double?
        /// The standard error of the value, in the same unit.
        public let uncertainty: Double?
        /// The unit of the value.
        public let unit: String
        /// Why there is no reading.
        public let missing: String?

        /// The measures of a repetition, by the name of the measurement.
        public static func all(of measures: RepetitionMeasures) -> [String: Measure] {
            var all = measures.readings.reduce(into: [String: Measure]()) { all, found in
                all[found.key.rawValue] = Measure(
                    value: Classification.round(found.value.value, 3),
                    uncertainty: Classification.round(found.value.uncertainty, 3), unit: found.key.unit.rawValue,
                    missing: nil)
            }
            for (measurement, reason) in measures.missing {
                all[measurement.rawValue] = Measure(
                    value: nil, uncertainty: nil, unit: measurement.unit.rawValue, missing: reason.rawValue)
            }
            return all
        }
    }

    /// Sums up a recording that has been pulled through the chain.
    ///
    /// - Parameter counted: every state of its sets with their repetitions, in order; a later one replaces an earlier one.
    public init(
        file: String, format: SourceFormat, classifier: ActionClassifier, frames: Int, lastTime: Double,
        isRepeated: Bool = false, predictions: [Prediction], motion: MotionTrace, sets: [RecordedSet] = [],
        counted: [ExerciseSet] = []
    ) {
        let model = classifier.description
        self.file = file
        self.model = classifier.name
        self.frames = frames
        // What the recording claims of itself is wrong where it was cut, or joined of two.
        durationSeconds = Self.round(frames > 0 ? lastTime + 1 / format.rateHz : 0, 3)
        self.isRepeated = isRepeated
        self.sets = sets
        let latest = isRepeated ? durationSeconds : .infinity
        width = format.widthPixels
        height = format.heightPixels
        windows = predictions.map { prediction in
            Window(
                track: prediction.track, start: Self.round(prediction.start, 4),
                end: min(Self.round(prediction.end, 4), latest),
                label: prediction.label, confidence: Self.round(Double(prediction.confidence), 4),
                rawLabel: prediction.windowLabel, rawConfidence: Self.round(Double(prediction.windowConfidence), 4),
                probabilities: Dictionary(
                    uniqueKeysWithValues: zip(
                        model.labels, prediction.probabilities.map { Self.round(Double($0), 4) })),
                reason: prediction.rejection)
        }
        let finder = SegmentFinder(
            exercises: Set(model.countedLabels), stepSeconds: Double(model.strideFrames) / model.framesPerSecond)
        let stretches = finder.segments(in: predictions, motion: motion)
        let dealt = CountedSets(counted, in: stretches)
        let found = zip(stretches, dealt.repetitions).map { segment, repetitions in
            Segment(segment, model.isHeld(segment.label) ? nil : repetitions, before: latest)
        }
        let rest = dealt.rest.map { set in
            Segment(
                ActionSegment(track: set.track, label: set.label, start: set.start, end: set.end), set.repetitions,
                before: latest)
        }
        segments = (found + rest).sorted { ($0.track, $0.start) < ($1.track, $1.start) }
        frameCounts = predictions.filter(\.isModelLabel)
            .reduce(into: [:]) { $0[$1.label, default: 0] += $1.frames }
        reps = segments.reduce(into: [:]) { sums, segment in
            if let reps = segment.reps { sums[segment.label, default: 0] += reps }
        }
    }

    static func round(_ value: Double, _ decimals: Int) -> Double {
        let scale = decimals == 3 ? 1000.0 : 10_000.0
        return (value * scale).rounded() / scale
    }
}

extension Classification {
    enum CodingKeys: String, CodingKey {
        case file, model, frames, width, height, windows, segments, sets, reps
        case durationSeconds = "duration_s"
        case isRepeated = "is_repeated"
        case frameCounts = "frame_counts"
    }
}

extension Classification.Window {
    enum CodingKeys: String, CodingKey {
        case track, label, confidence, probabilities, reason
        case rawLabel = "raw_label"
        case rawConfidence = "raw_confidence"
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
        try container.encode(rawLabel, forKey: .rawLabel)
        try container.encode(rawConfidence, forKey: .rawConfidence)
        try container.encode(probabilities, forKey: .probabilities)
        try container.encode(reason, forKey: .reason)
    }
}

extension Classification.Segment {
    /// - Parameters:
    ///   - counted: its repetitions; `nil` for an exercise that is held.
    ///   - latest: the end of the recording, which no stretch outlasts.
    fileprivate init(_ segment: ActionSegment, _ counted: [Actions.Repetition]?, before latest: Double) {
        let repetitions = counted ?? []
        track = segment.track
        label = segment.label
        start = Classification.round(segment.start, 3)
        end = min(Classification.round(segment.end, 3), latest)
        reps = counted?.count
        self.repetitions = repetitions.map(Classification.Repetition.init)
        isPoorView = repetitions.contains { $0.measures?.isPoorView == true }
        form = Classification.Form(.mean(repetitions.compactMap(\.form)))
    }

    enum CodingKeys: String, CodingKey {
        case track, label, reps, repetitions, form
        case isPoorView = "poor_view"
        case start = "start_s"
        case end = "end_s"
    }
}

extension Classification.Repetition {
    enum CodingKeys: String, CodingKey {
        case measures, side, form
        case start = "start_s"
        case extreme = "extreme_s"
        case end = "end_s"
    }
}

extension ActionClassifier {
    /// How records and reports call the model: `exercises@9f2c41`.
    public var name: String { description.name + "@" + digest.prefix(6) }
}
