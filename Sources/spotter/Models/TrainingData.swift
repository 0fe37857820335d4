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

    @Option(help: ArgumentHelp("Start from this model's weights.", valueName: "file"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "With --from: synthetic clips of each label that the new clips lack, so that the model does not forget it "
                + "(default: as many as the new labels have on average).", valueName: "n"))
    var rehearsal: Int?

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
    }

    struct Material {
        var training: [LabelledClip] = []
        /// `nil` lets the trainer hold some out.
        var validation: [LabelledClip]?
        var test: [LabelledClip]?
    }

    /// Reads and mixes all clips.
    ///
    /// - Throws: `TrainingError`, also when a person or recording is in both training and evaluation clips.
    func material(
        _ clips: String?, _ reader: ClipReader, _ parameters: TrainingParameters, _ start: ModelFile?
    ) async throws -> Material {
        var material = Material()
        if let clips { material.training = try await reader.read(clips).clips }
        material.test = if let test { try await reader.read(test).clips } else { nil }
        let share = validation.flatMap(Double.init)
        if validation == "none" {
            material.validation = []
        } else if let validation, share == nil {
            material.validation = try await reader.read(validation).clips
        } else if !material.training.isEmpty {
            // Hold out only recorded clips: synthetic ones would flatter the result.
            let parts = Dataset.split(
                material.training, validationShare: share ?? parameters.validationShare, seed: parameters.seed)
            (material.training, material.validation) = (parts.training, parts.validation)
        }
        try Dataset.refuseLeak(from: material.training, to: material.validation ?? [], called: "validation")
        // Validation chooses the weights, so its clips count as seen.
        let seen = material.training + (material.validation ?? [])
        try Dataset.refuseLeak(from: seen, to: material.test ?? [], called: "test")
        material.training += made(parameters.seed, beside: material.training, start)
        return material
    }

    /// The synthetic clips: those asked for, and those that keep a model from forgetting labels.
    private func made(_ seed: UInt64, beside own: [LabelledClip], _ start: ModelFile?) -> [LabelledClip] {
        var wanted = synthetic > 0 ? SyntheticDataset.balanced(total: synthetic) : [:]
        let present = Set(own.map(\.label))
        if let start, !own.isEmpty {
            let lacking = start.description.labels.filter { !present.contains($0) }
            for label in lacking where MotionKind.labels.contains(label) {
                wanted[label, default: 0] += rehearsal ?? max(own.count / max(present.count, 1), 10)
            }
            let lost = lacking.filter { !MotionKind.labels.contains($0) }
            if !lost.isEmpty {
                Terminal.print(
                    "The new model will not know \(lost.joined(separator: ", ")): the clips show none, and they cannot "
                        + "be synthesised. Add clips of them to keep them.")
            }
        }
        guard !wanted.isEmpty else { return [] }
        return SyntheticDataset.clips(perLabel: wanted, seed: seed).map(\.clip)
    }
}
