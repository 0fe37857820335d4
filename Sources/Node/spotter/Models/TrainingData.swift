import CommandLineProgram
import Actions
import ArgumentParser
import Foundation
import Poses
import SyntheticMotion
import Training

/// The training, validation and test clips.
struct TrainingData: ParsableArguments {
    @Option(help: ArgumentHelp("Add this many clips of the built-in motion generator, of all labels.", valueName: "n"))
    var synthetic = 0

    @Option(
        help: ArgumentHelp(
            "With --synthetic: film some of the clips from recorded motion; Models/motion-capture.py makes the file.",
            valueName: "file"))
    var motionCapture: String?

    @Option(help: ArgumentHelp("Start from this model's weights.", valueName: "file"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "Synthetic clips that are learned beside yours: with --from of all labels of that model, so that it forgets "
                + "none; else of other and none. 0 for none of them (default: \(usualRehearsal)).", valueName: "n"))
    var rehearsal: Int?

    /// Enough to keep what the shipped model knows, and learned in two minutes.
    private static let usualRehearsal = 2400

    @Option(
        help: ArgumentHelp(
            "Judge by these clips, or by this share of the groups (default: 0.2), or by none.",
            valueName: "clips|share|none"))
    var validation: String?

    @Option(help: ArgumentHelp("Measure the finished model on these clips.", valueName: "clips"))
    var test: String?

    func validate() throws {
        guard synthetic >= 0, (rehearsal ?? 0) >= 0 else {
            throw ValidationError("--synthetic and --rehearsal take a number from 0.")
        }
        if let share = validation.flatMap(Double.init), !(share > 0 && share < 1) {
            throw ValidationError(
                "--validation takes a share between 0 and 1, a folder of clips, or none, not '\(validation ?? "")'.")
        }
    }

    struct Material {
        /// One's own clips as they were read.
        var recorded: [LabelledClip] = []
        /// One's own clips that are learned.
        var own: [LabelledClip] = []
        /// Synthetic clips that are learned.
        var made: [LabelledClip] = []
        /// `nil` lets the trainer hold some out.
        var validation: [LabelledClip]?
        var test: [LabelledClip]?
        /// The parts of one's own clips that judge a model which continues another, in turns.
        var folds: [(training: [LabelledClip], validation: [LabelledClip])] = []
        /// The generator's motions that one's own labels show.
        var shown: Set<String> = []

        /// Everything that is learned to be judged by the validation clips.
        var training: [LabelledClip] { own + made }
    }

    /// The parts into which one's own clips are dealt to judge a model which continues another.
    private static let foldCount = 3

    /// Reads and mixes all clips.
    ///
    /// - Throws: `TrainingError`, also when a person or recording is in both training and evaluation clips.
    func material(
        _ clips: String?, _ reader: ClipReader, _ parameters: TrainingParameters, _ start: ModelFile?
    ) async throws -> Material {
        var material = Material()
        if let clips { material.recorded = try await reader.read(clips).clips }
        material.own = material.recorded
        material.test = if let test { try await reader.read(test).clips } else { nil }
        let share = validation.flatMap(Double.init)
        if validation == "none" {
            material.validation = []
        } else if let validation, share == nil {
            material.validation = try await reader.read(validation).clips
        } else if !material.own.isEmpty {
            // Hold out only recorded clips: synthetic ones would flatter the result.
            let separated = Dataset.separated(material.own)
            if start != nil && share == nil {
                material.folds = Dataset.folds(separated, count: Self.foldCount, seed: parameters.seed)
                // Of a single recording nothing can be held out.
                if material.folds.isEmpty { material.validation = [] }
            } else {
                let parts = Dataset.split(
                    separated, validationShare: share ?? parameters.validationShare, seed: parameters.seed)
                (material.own, material.validation) = (parts.training, parts.validation)
            }
        }
        for fold in material.folds {
            try Dataset.refuseLeak(from: fold.training, to: fold.validation, called: "validation")
        }
        try Dataset.refuseLeak(from: material.own, to: material.validation ?? [], called: "validation")
        // Validation chooses the weights, so its clips count as seen.
        let seen = material.own + (material.validation ?? [])
        try Dataset.refuseLeak(from: seen, to: material.test ?? [], called: "test")
        (material.made, material.shown) = try made(parameters.seed, beside: seen, start)
        return material
    }

    /// The synthetic clips: those asked for, and those that are rehearsed; and the motions that are left out.
    private func made(
        _ seed: UInt64, beside own: [LabelledClip], _ start: ModelFile?
    ) throws -> (clips: [LabelledClip], shown: Set<String>) {
        let capture = try motionCapture.map { try MotionCapture(contentsOf: URL(filePath: $0)) }
        let present = Set(own.map(\.label))
        let all = Set(MotionKind.labels)
        let wanted: Set<String>
        if synthetic > 0 {
            wanted = all
        } else if rehearsal == 0 {
            wanted = []
        } else {
            // A model must also learn what its labels are not.
            wanted =
                start.map { Set($0.description.labels).intersection(all) }
                ?? ModelDescription.noExercise.subtracting(present)
        }
        let lost = (start?.description.labels ?? []).filter { !present.contains($0) && !wanted.contains($0) }
        if !lost.isEmpty {
            Terminal.print(
                "The new model will not know \(lost.joined(separator: ", ")): the clips show none, and none are "
                    + "rehearsed. Add clips of them to keep them.")
        }
        guard !wanted.isEmpty else { return ([], []) }
        let made = try Rehearsal(
            count: synthetic > 0 ? synthetic : rehearsal ?? Self.usualRehearsal, of: wanted, beside: own,
            from: synthetic > 0 ? nil : start.map { ActionClassifier($0) }, seed: seed, capture: capture)
        for note in made.notes(known: start?.description.countedLabels ?? []) { Terminal.print(note) }
        return (made.clips, Set(made.shown.values.joined()))
    }
}
