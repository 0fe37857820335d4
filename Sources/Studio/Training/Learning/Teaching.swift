import Actions
import NeuralNet
import Poses
import SyntheticMotion

/// Teaches a model more exercises, each from a single clip of it, or a few.
///
/// The motion of each clip is lifted into space and filmed again, with other bodies, at other tempi, from other sides and with
/// the errors of a detector. The model learns those beside what it knew.
public struct Teaching {
    /// So many clips are filmed of each exercise.
    private static let filmed = 90
    /// Clips of all that the model knew, which are learned as well. So many keep it.
    public var rehearsed = 2400
    /// Passes over the clips; `nil` for as many as their number asks for.
    public var epochs: Int?

    /// Into so many parts the clips are dealt to judge the model.
    private static let foldCount = 3
    /// A clip as it was recorded is learned so often beside those that are filmed of it.
    private static let repeats = 8

    private let start: ModelFile
    private let seed: UInt64
    private let training: FurtherTraining

    /// - Parameters:
    ///   - start: the model that learns them.
    ///   - progress: called with what is done and how much of all is done, 0…1.
    ///   - isCancelled: ends it without a result.
    public init(
        to start: ModelFile, seed: UInt64 = 1,
        progress: @escaping (_ stage: String, _ share: Double) -> Void = { _, _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) {
        self.start = start
        self.seed = seed
        training = FurtherTraining(start: start, progress: progress, isCancelled: isCancelled)
    }

    /// Trains, and judges by clips that are held out. The only clip of a label is judged by a model that learned what was filmed
    /// of it, but not the clip itself.
    ///
    /// - Parameter clips: the clips with their labels, one for each person or recording. A label that the model knows teaches it
    ///   this way of doing the exercise.
    /// - Returns: the model and whether it is worth using; `nil` when it was cancelled.
    /// - Throws: ``TrainingError``, `ModelFileError`.
    public func run(_ clips: [LabelledClip]) throws -> (model: TrainedModel, verdict: TrainingVerdict)? {
        let shown = try shown(clips)
        let own = shown.map(\.clip)
        training.progress("Making clips to rehearse", 0)
        let known = Set(start.description.labels)
        let rehearsal = try Rehearsal(
            count: rehearsed, of: known.intersection(MotionKind.labels), beside: own,
            from: ActionClassifier(start), seed: seed)
        var parameters = TrainingParameters(continuing: start.description)
        parameters.seed = seed
        parameters.epochs =
            epochs ?? parameters.furtherEpochs(clips: shown.reduce(0) { $0 + $1.filmed.count } + rehearsal.clips.count)
        var trial = parameters
        trial.epochs = max(parameters.epochs / Self.foldCount, 2)
        let counts = Dictionary(own.map { ($0.label, 1) }, uniquingKeysWith: +)
        let folds =
            counts.values.contains { $0 > 1 } ? Dataset.folds(own, count: Self.foldCount, seed: seed) : [([], own)]
        // A trial is a third of the whole training.
        let unit = 1 / Double(folds.count + Self.foldCount)
        var judged: [ClipEvaluation.ClipResult] = []
        for (index, fold) in folds.enumerated() {
            let held = Set(fold.1.map(\.name))
            let left = Set(own.filter { !held.contains($0.name) }.map(\.label))
            let taught = shown.filter { !held.contains($0.clip.name) || !left.contains($0.clip.label) }
            let clips = taught.flatMap(\.filmed) + Self.repeated(taught.map(\.clip).filter { !held.contains($0.name) })
            guard
                let model = try training.model(
                    clips + rehearsal.clips, trial, "Judging, \(index + 1) of \(folds.count)", unit * Double(index),
                    unit)
            else { return nil }
            judged += try model.classifier().evaluate(on: fold.1).clips.verdicts
        }
        let clips = shown.flatMap(\.filmed) + Self.repeated(own)
        guard
            var model = try training.model(
                clips + rehearsal.clips, parameters, "Learning", unit * Double(folds.count),
                1 - unit * Double(folds.count))
        else { return nil }
        // Each own clip counts once, however often it was repeated.
        model.trainingClips -= own.count * (Self.repeats - 1)
        model.judged = judged
        model.validationClips = judged.count
        let strangers = SyntheticDataset.clips(
            perLabel: ["other": 300, "none": 100], seed: ~seed, excluding: Set(rehearsal.shown.values.joined()))
        let verdict = TrainingVerdict(
            own: own, results: judged, hasOthers: true,
            falseReports: TrainingVerdict.FalseReports(
                try model.classifier().evaluate(on: strangers.map(\.clip)).clips.verdicts, labels: Set(counts.keys)),
            isTaught: true)
        return (model, verdict)
    }

    /// The clips without still ends, each with what is filmed of it. A clip without a trunk is learned as it is, where there are
    /// others of its label.
    private func shown(_ clips: [LabelledClip]) throws(TrainingError) -> [(clip: LabelledClip, filmed: [LabelledClip])]
    {
        let own = clips.map {
            (StillnessTrim.trimmed($0) ?? $0).with(name: $0.name, label: $0.label, group: $0.group)
        }
        let motions = own.map(LiftedMotion.init)
        let counts = Dictionary(zip(own, motions).map { ($0.label, $1 == nil ? 0 : 1) }, uniquingKeysWith: +)
        let rejected = own.filter { counts[$0.label] == 0 }.map {
            RejectedClip(name: $0.name, reason: "the shoulders are not seen in most of it")
        }
        guard rejected.isEmpty else { throw .badClips(rejected) }
        return zip(own, motions).enumerated().map { index, shown in
            let share = max(Self.filmed / (counts[shown.0.label] ?? 1), 1)
            let filmed = shown.1?.clips(count: share, seed: seed &+ UInt64(index), group: shown.0.group)
            return (shown.0, filmed ?? [])
        }
    }

    private static func repeated(_ clips: [LabelledClip]) -> [LabelledClip] {
        clips.flatMap { Array(repeating: $0, count: repeats) }
    }
}
