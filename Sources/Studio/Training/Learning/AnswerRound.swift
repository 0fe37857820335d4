import Actions
import Foundation
import NeuralNet
import Poses
import Records
import SyntheticMotion

/// One round of learning from people's answers: trains the shipped model further, and decides whether the result is better.
///
/// It is always the shipped model that is trained further, never one that learned before, so errors do not add up. Answers
/// are held out in turns, by day and camera, and both models are judged by those that neither has learned.
public struct AnswerRound {
    /// How two models do on the same clips.
    public struct Pairs: Sendable, Codable, Equatable {
        /// The clips.
        public var clips = 0
        /// The clips that the model before, and the new one, show right.
        public var before = 0, after = 0
        /// The clips that only the new one shows right, and only the one before.
        public var won = 0, lost = 0

        /// No clips yet.
        public init() {}

        /// The probability that a model which is no better wins so many, 0…1: McNemar's exact test, one-sided.
        public var chance: Double { Self.chance(won: won, lost: lost) }

        /// The share of the clips that the new model loses, less those that it wins; below 0 where it gains.
        var loss: Double { Double(before - after) / Double(max(clips, 1)) }

        /// Adds a clip.
        package mutating func add(before wasRight: Bool, after isRight: Bool) {
            clips += 1
            before += wasRight ? 1 : 0
            after += isRight ? 1 : 0
            won += isRight && !wasRight ? 1 : 0
            lost += wasRight && !isRight ? 1 : 0
        }

        /// The probability of at least `won` heads among `won + lost` throws of a coin.
        static func chance(won: Int, lost: Int) -> Double {
            let throwsInAll = won + lost
            guard won > 0 else { return 1 }
            // The logarithms keep thousands of throws within range.
            func logarithm(_ heads: Int) -> Double {
                lgamma(Double(throwsInAll) + 1) - lgamma(Double(heads) + 1) - lgamma(Double(throwsInAll - heads) + 1)
                    - Double(throwsInAll) * log(2)
            }
            return min(1, (won...throwsInAll).reduce(0) { $0 + exp(logarithm($1)) })
        }
    }

    /// What was decided, and by what.
    public struct Decision: Sendable, Codable, Equatable {
        /// Whether the new model is to be used.
        public let isBetter: Bool
        /// Why not, each a sentence. Empty where it is.
        public let reasons: [String]
        /// On the answers that were held out.
        public let answers: Pairs
        /// On generated clips of everything the shipped model knows, which neither has learned.
        public let generated: Pairs
        /// On the answers that came after the model in use was made, where that one learned from answers, too.
        public let newer: Pairs?
        /// Answers that were left out because their label has too few.
        public let leftOut: [String: Int]

        enum CodingKeys: String, CodingKey {
            case reasons, answers, generated, newer
            case isBetter = "is_better"
            case leftOut = "left_out"
        }
    }

    /// The test that the answers must pass: a model that is no better passes it with this probability.
    public static let maximumChance = 0.1
    /// No label may lose more than this share of its clips.
    public static let maximumLoss = 0.03
    /// Of a label with fewer clips a loss cannot be told from chance.
    static let minimumClipsForLoss = 20
    /// A label that the shipped model does not know needs so many answers.
    static let minimumClipsOfNewLabel = 3
    private static let foldCount = 3
    private static let rehearsed = 2400
    /// Answers are learned as often as this share of the rehearsed clips, each at most so many times. They are few, and would
    /// be lost among them.
    private static let answerShare = 0.25, maximumRepeats = 20
    /// Of that so much is filmed again, with other bodies, at other tempi, from other sides.
    private static let filmedShare = 0.5
    /// An answer from before its camera was moved is learned as often as this share of another.
    private static let outdatedShare = 1.0 / 3
    /// Generated clips of each label that judge the new model …
    private static let judgedPerLabel = 60
    /// … and of a label that seems to lose by them, to tell a loss from chance.
    private static let confirmingClips = 240
    /// The share of the generated clips that the new model may lose in all.
    static let maximumForgotten = 0.01

    private let shipped: ModelFile
    private let inUse: ActionClassifier
    private let seed: UInt64
    private let training: FurtherTraining

    /// A round.
    ///
    /// - Parameters:
    ///   - shipped: the model to train further.
    ///   - inUse: the model that the node uses, which may have learned from answers before.
    ///   - progress: called with what is done and how much of all is done, 0…1.
    ///   - isCancelled: ends the round, without a result.
    public init(
        shipped: ModelFile, inUse: ModelFile, seed: UInt64 = 1,
        progress: @escaping (_ stage: String, _ share: Double) -> Void = { _, _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) {
        self.shipped = shipped
        self.inUse = ActionClassifier(inUse)
        self.seed = seed
        training = FurtherTraining(start: shipped, progress: progress, isCancelled: isCancelled)
    }

    /// Trains and decides.
    ///
    /// - Parameters:
    ///   - answers: the clips of the answers. The group says the day and the camera.
    ///   - outdated: the names of answers from before their camera was moved. They are learned less often.
    ///   - shared: clips of other gyms. They are learned, and judge nothing: this node's room is not theirs.
    ///   - newer: the names of those that came after the model in use was made; `nil` where that one is the shipped model.
    /// - Returns: the new model and the decision; `nil` when it was cancelled.
    /// - Throws: ``TrainingError`` when there is too little to learn, `ModelFileError`.
    public func run(
        _ answers: [LabelledClip], outdated: Set<String> = [], shared: [LabelledClip] = [], newer: Set<String>?
    ) throws -> (model: TrainedModel, decision: Decision)? {
        let known = Set(shipped.description.labels)
        let leftOut = answers.reduce(into: [String: Int]()) { $0[$1.label, default: 0] += 1 }.filter {
            !known.contains($0.key) && $0.value < Self.minimumClipsOfNewLabel
        }
        let clips = answers.filter { leftOut[$0.label] == nil }
        // A label that nobody answers with here is none of this gym.
        let labelsHere = known.union(clips.map(\.label))
        let others = shared.filter { labelsHere.contains($0.label) }
        let folds = Dataset.folds(clips, count: Self.foldCount, seed: seed)
        guard folds.count > 1 else {
            throw TrainingError.oneGroup(answers: clips.count)
        }
        let before = ActionClassifier(shipped)
        training.progress("Making clips to rehearse", 0)
        let rehearsal = try Rehearsal(
            count: Self.rehearsed, of: known.intersection(MotionKind.labels), beside: clips + others, from: before,
            seed: seed)
        var parameters = TrainingParameters(continuing: shipped.description)
        parameters.seed = seed
        parameters.epochs = parameters.furtherEpochs(clips: clips.count + others.count + rehearsal.clips.count)
        let steps = Double(folds.count + 1)
        var (held, later) = (Pairs(), Pairs())
        var labels: [String: Pairs] = [:]
        for (index, fold) in folds.enumerated() {
            let stage = "Judging by answers that are held out, \(index + 1) of \(folds.count)"
            guard
                let model = try training.model(
                    repeated(fold.training + others, outdated) + rehearsal.clips, parameters, stage,
                    Double(index) / steps, 1 / steps)
            else { return nil }
            let classifier = try model.classifier()
            for (clip, old, new) in try results(fold.validation, before, classifier) {
                held.add(before: old, after: new)
                labels[clip.label, default: Pairs()].add(before: old, after: new)
            }
            let unknown = fold.validation.filter { newer?.contains($0.name) ?? false }
            for (_, old, new) in try results(unknown, inUse, classifier) { later.add(before: old, after: new) }
        }
        guard
            let model = try training.model(
                repeated(clips + others, outdated) + rehearsal.clips, parameters, "Learning all answers",
                1 - 1 / steps, 1 / steps)
        else { return nil }
        training.progress("Judging by generated clips", 1)
        let classifier = try model.classifier()
        var generated = Pairs()
        var counts = Dictionary(
            uniqueKeysWithValues: shipped.description.countedLabels.map { ($0, Self.judgedPerLabel) })
        for label in ModelDescription.noExercise { counts[label] = 4 * Self.judgedPerLabel }
        var ofLabels: [String: Pairs] = [:]
        // Label after label, so that few of the clips are in memory at once.
        for (label, count) in counts.sorted(by: { $0.key < $1.key }) {
            for (_, old, new) in try results(made(label, count, rehearsal, seed: ~seed), before, classifier) {
                generated.add(before: old, after: new)
                ofLabels[label, default: Pairs()].add(before: old, after: new)
            }
        }
        // What seems to be lost is measured again, by more clips of its own.
        for label in ofLabels.filter({ $0.value.loss > Self.maximumLoss }).keys {
            let again = made(label, Self.confirmingClips, rehearsal, seed: ~seed &- 1)
            for (_, old, new) in try results(again, before, classifier) {
                labels[label, default: Pairs()].add(before: old, after: new)
            }
        }
        return (model, Self.decide(held, generated, newer == nil ? nil : later, labels, leftOut))
    }

    /// Each clip so often that all of them weigh something beside those that are rehearsed; outdated ones a third as often. Half of
    /// that is filmed again, from other sides, where the shoulders are seen.
    package func repeated(_ clips: [LabelledClip], _ outdated: Set<String>) -> [LabelledClip] {
        let weight = clips.reduce(0) { $0 + (outdated.contains($1.name) ? Self.outdatedShare : 1) }
        let share = Self.answerShare * Double(Self.rehearsed) / max(weight, 1)
        let times = min(max(share, 1), Double(Self.maximumRepeats))
        return clips.enumerated().flatMap { index, clip in
            let wanted = outdated.contains(clip.name) ? times * Self.outdatedShare : times
            let count = max(Int(wanted.rounded()), 1)
            let filmed = LiftedMotion(clip)?.clips(
                count: Int(Double(count) * Self.filmedShare), seed: seed &+ UInt64(index), group: clip.group)
            return Array(repeating: clip, count: count - (filmed?.count ?? 0)) + (filmed ?? [])
        }
    }

    /// Decides by what both models show, with a sentence for each reason against the new one.
    package static func decide(
        _ answers: Pairs, _ generated: Pairs, _ newer: Pairs?, _ labels: [String: Pairs], _ leftOut: [String: Int]
    ) -> Decision {
        var reasons: [String] = []
        if answers.chance > maximumChance {
            reasons.append(
                "Of \(answers.clips.counted("answer")) that it had not learned it shows \(answers.after) right, and the "
                    + "shipped model \(answers.before): that may be chance.")
        }
        if generated.loss > maximumForgotten {
            reasons.append(
                "It forgot: of \(generated.clips.counted("generated clip")) it shows \(generated.after) right, and the shipped model "
                    + "\(generated.before).")
        }
        if let newer, newer.after < newer.before {
            reasons.append(
                "Of \(newer.clips.counted("newer answer")) it shows \(newer.after) right, and the model in use "
                    + "\(newer.before).")
        }
        for (label, pairs) in labels.sorted(by: { $0.key < $1.key })
        where pairs.clips >= minimumClipsForLoss && pairs.loss > maximumLoss {
            reasons.append(
                "\(label) lost: of \(pairs.clips.counted("clip")) it shows \(pairs.after) right, and the shipped model \(pairs.before)."
            )
        }
        return Decision(
            isBetter: reasons.isEmpty, reasons: reasons, answers: answers, generated: generated, newer: newer,
            leftOut: leftOut)
    }

    /// Generated clips of a label that nobody learned.
    private func made(_ label: String, _ count: Int, _ rehearsal: Rehearsal, seed: UInt64) -> [LabelledClip] {
        SyntheticDataset.clips(
            perLabel: [label: count], seed: seed, excluding: Set(rehearsal.shown.values.joined())
        ).map(\.clip)
    }

    /// Whether each of two models shows a clip right. Labels that are no exercise count as one.
    private func results(
        _ clips: [LabelledClip], _ before: ActionClassifier, _ after: ActionClassifier
    ) throws -> [(clip: ClipEvaluation.ClipResult, before: Bool, after: Bool)] {
        guard !clips.isEmpty else { return [] }
        let (old, new) = (try before.evaluate(on: clips).clips.verdicts, try after.evaluate(on: clips).clips.verdicts)
        func isRight(_ result: ClipEvaluation.ClipResult, _ classifier: ActionClassifier) -> Bool {
            let exercises = classifier.description.countedLabels
            return ModelDescription.noExercise.contains(result.label)
                ? !exercises.contains(result.reported) : result.reported == result.label
        }
        let others = Dictionary(new.map { ($0.clip, $0) }) { first, _ in first }
        return old.compactMap { result in
            others[result.clip].map { (result, isRight(result, before), isRight($0, after)) }
        }
    }
}
