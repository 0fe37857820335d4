import Actions
import NeuralNet

/// How a classifier does on whole clips: the question a user asks, where windows are the network's.
///
/// A clip's answer is the label with the highest mean probability over its windows. What is *reported* is the label
/// that most of its windows get at the model's thresholds, as a node would show it; often `low_confidence`.
/// Labels that are no exercise (`other`, `none`) are one for these figures: who sorts clips into folders seldom
/// tells them apart.
public struct ClipEvaluation: Sendable, Codable, Equatable {
    public var verdicts: [ClipResult]
    /// Per exercise of the model, in its order; those without clips are left out.
    public var exercises: [Exercise]
    /// Mean recall over the exercises, without and with the thresholds.
    public var macroRecall: Double
    public var macroReportedRecall: Double
    /// Clips of no exercise, and the share of them for which an exercise is answered, and reported.
    public var negatives: Int
    public var falseAnswers: Double
    public var falseReports: Double
    /// Expected calibration error of the clips' answers, over 10 equal bins.
    public var calibrationError: Double
    /// Mean negative logarithm of the right answer's mean probability.
    public var logLoss: Double
    /// By seconds and by sets.
    public var log: LogFigures

    /// What was said about one clip.
    public struct ClipResult: Sendable, Codable, Equatable {
        public var clip: String
        /// The label it came with, which the model need not have.
        public var label: String
        public var windows: Int
        public var answer: String
        /// Mean probability of the answer, 0…1.
        public var confidence: Double
        public var reported: String
        public var isRight: Bool
    }

    public struct Exercise: Sendable, Codable, Equatable {
        public var label: String
        public var clips: Int
        public var recall: Double
        public var reportedRecall: Double
    }
}

extension ClipEvaluation {
    /// - Parameters:
    ///   - clips: what was said about each.
    ///   - model: whose labels the probabilities are in the order of.
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
            let reported = ScoredClip.mostFrequentOutcome(of: clip.windows) ?? ""
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
