import Actions
import NeuralNet

/// A classifier's quality on whole clips. Users judge whole clips; the network classifies windows.
///
/// The *answer* for a clip is the label with the highest mean probability over its windows. The *reported* label is the
/// one that a node would show at most of its windows; see `LabelSmoother`. It is often `low_confidence`.
/// Labels that are no exercise (`other`, `none`) count as one label, because people who sort clips into folders seldom
/// tell them apart.
public struct ClipEvaluation: Sendable, Codable, Equatable {
    /// One result per clip.
    public var verdicts: [ClipResult]
    /// Figures per exercise, in the model's order, without exercises that have no clips.
    public var exercises: [Exercise]
    /// Mean recall of the answers over the exercises, 0…1.
    public var macroRecall: Double
    /// Mean recall of the reported labels over the exercises, 0…1.
    public var macroReportedRecall: Double
    /// Number of clips without an exercise.
    public var negatives: Int
    /// Share of those clips whose answer is an exercise, 0…1.
    public var falseAnswers: Double
    /// Share of those clips whose reported label is an exercise, 0…1.
    public var falseReports: Double
    /// Expected calibration error of the answers, over 10 equal bins.
    public var calibrationError: Double
    /// Mean negative logarithm of the correct answer's mean probability.
    public var logLoss: Double
    /// Figures by seconds and by sets.
    public var log: LogFigures

    /// The result for one clip.
    public struct ClipResult: Sendable, Codable, Equatable {
        /// Name of the clip.
        public var clip: String
        /// The true label. The model need not have it.
        public var label: String
        /// Number of windows.
        public var windows: Int
        /// Label with the highest mean probability.
        public var answer: String
        /// Mean probability of the answer, 0…1.
        public var confidence: Double
        /// Label that a node would show at most windows.
        public var reported: String
        /// Whether the answer is correct. Labels that are no exercise count as equal.
        public var isRight: Bool

        /// Creates a result from its parts.
        package init(
            clip: String, label: String, windows: Int, answer: String, confidence: Double, reported: String,
            isRight: Bool
        ) {
            (self.clip, self.label, self.windows) = (clip, label, windows)
            (self.answer, self.confidence, self.reported) = (answer, confidence, reported)
            self.isRight = isRight
        }
    }

    /// The figures of one exercise.
    public struct Exercise: Sendable, Codable, Equatable {
        /// Label of the exercise.
        public var label: String
        /// Number of its clips.
        public var clips: Int
        /// Share of its clips with the correct answer, 0…1.
        public var recall: Double
        /// Share of its clips with the correct reported label, 0…1.
        public var reportedRecall: Double
    }
}

extension ClipEvaluation {
    /// - Parameters:
    ///   - clips: the classified clips.
    ///   - model: defines the order of the probabilities.
    init(_ clips: [ScoredClip], model: ModelDescription) {
        let counted = Set(model.countedLabels)
        func kind(_ label: String) -> String { counted.contains(label) ? label : "" }
        var losses: [Double] = []
        verdicts = clips.filter { !$0.windows.isEmpty }.map { clip in
            let count = Float(clip.windows.count)
            let means = model.labels.indices.map { label in
                clip.windows.reduce(0) { $0 + $1.probabilities[label] } / count
            }
            let answer = model.labels[means.indices.max { means[$0] < means[$1] } ?? 0]
            func probability(of label: String) -> Float {
                zip(model.labels, means).reduce(0) { $0 + (kind($1.0) == kind(label) ? $1.1 : 0) }
            }
            losses.append(-Double(Float.logarithm(max(probability(of: clip.label), 1e-6))))
            let reported = ScoredClip.maximumShown(of: clip.windows) ?? ""
            return ClipResult(
                clip: clip.name, label: clip.label, windows: clip.windows.count, answer: answer,
                confidence: Double(probability(of: answer)), reported: reported,
                isRight: kind(answer) == kind(clip.label))
        }
        exercises = model.countedLabels.compactMap { [verdicts] label in
            let own = verdicts.filter { $0.label == label }
            guard !own.isEmpty else { return nil }
            return Exercise(
                label: label, clips: own.count, recall: Self.share(of: own, where: \.isRight),
                reportedRecall: Self.share(of: own) { $0.reported == label })
        }
        macroRecall = Self.mean(exercises.map(\.recall))
        macroReportedRecall = Self.mean(exercises.map(\.reportedRecall))
        let others = verdicts.filter { !counted.contains($0.label) }
        negatives = others.count
        falseAnswers = Self.share(of: others) { counted.contains($0.answer) }
        falseReports = Self.share(of: others) { counted.contains($0.reported) }
        calibrationError = Self.calibrationError(verdicts)
        logLoss = Self.mean(losses)
        log = LogFigures(clips.map(\.logged), exercises: model.countedLabels)
    }

    private static func share(of verdicts: [ClipResult], where holds: (ClipResult) -> Bool) -> Double {
        Double(verdicts.count(where: holds)) / Double(max(verdicts.count, 1))
    }

    private static func mean(_ values: [Double]) -> Double {
        values.reduce(0, +) / Double(max(values.count, 1))
    }

    private static func calibrationError(_ verdicts: [ClipResult]) -> Double {
        var bins = [Double](repeating: 0, count: 10)
        for verdict in verdicts {
            bins[min(Int(verdict.confidence * 10), 9)] += verdict.confidence - (verdict.isRight ? 1 : 0)
        }
        return bins.reduce(0) { $0 + abs($1) } / Double(max(verdicts.count, 1))
    }
}

extension ClipEvaluation {
    enum CodingKeys: String, CodingKey {
        case verdicts, exercises, negatives, log
        case macroRecall = "macro_recall"
        case macroReportedRecall = "macro_reported_recall"
        case falseAnswers = "false_answers"
        case falseReports = "false_reports"
        case calibrationError = "calibration_error"
        case logLoss = "log_loss"
    }
}

extension ClipEvaluation.Exercise {
    enum CodingKeys: String, CodingKey {
        case label, clips, recall
        case reportedRecall = "reported_recall"
    }
}

extension ClipEvaluation.ClipResult {
    enum CodingKeys: String, CodingKey {
        case clip, label, windows, answer, confidence, reported
        case isRight = "is_right"
    }
}
