import Actions
import Agent
import ArgumentParser
import Foundation
import NeuralNet
import Synchronization
import Training

struct Train: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Trains a classifier from videos, pose streams, synthetic motion, or all of them.",
        discussion: """
            The folder holds a folder per label; or name an annotation file (CSV or JSON with the columns file_name,
            label, start_time, end_time) that cuts longer recordings. A folder within a label's is a person, whose
            clips are kept together. Poses are found once and kept, so a second run starts at once. Ctrl-C keeps the
            best model so far.

            EXAMPLES
              spotter train clips/ -o my-gym.safetensors
              spotter train clips/ --from Models/exercises.safetensors -o my-gym.safetensors --report my-gym.html
              spotter train montage/annotations.csv --test other-day/ --no-augment flip -o my-gym.safetensors
              spotter train --synthetic 8000 --seed 1 -o exercises.safetensors
            """)

    @Argument(help: "A folder with a folder of clips per label, or an annotation file.")
    var clips: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("The model file to write.", valueName: "file"))
    var output: String

    @OptionGroup(title: "Data") var data: TrainingData
    @OptionGroup(title: "Training") var training: TrainingOptions
    @OptionGroup(title: "The model's description") var about: ModelOptions
    @OptionGroup(title: "Poses") var options: ClipOptions

    @Option(help: ArgumentHelp("Also write a report with curves and figures, one HTML page.", valueName: "file"))
    var report: String?

    @Flag(help: "Print the evaluation as JSON.")
    var json = false

    func validate() throws {
        if clips == nil && data.synthetic == 0 {
            throw ValidationError("Give a folder of clips, --synthetic, or both.")
        }
    }

    func run() async throws {
        let flag = StopFlag()
        let interrupt = Interrupt { flag.set() }
        defer { interrupt.cancel() }
        let start = try data.from.map { try ModelFile(contentsOf: URL(filePath: $0)) }
        let parameters = try training.parameters(startingFrom: start, hasOwnClips: clips != nil)
        let reader = ClipReader(options: options) { flag.isSet }
        let material = try await data.material(clips, reader, parameters, start)
        var model = try train(material, parameters, startingFrom: start, flag)
        about.describe(&model.description)
        try model.write(to: URL(filePath: output))
        let test = try material.test.map { try model.classifier().evaluate(on: $0) }
        if let report {
            try TrainingReport(model, test: test?.clips).html
                .write(toFile: report, atomically: true, encoding: .utf8)
        }
        try show(model, test)
    }

    private func train(
        _ material: TrainingData.Material, _ parameters: TrainingParameters, startingFrom start: ModelFile?,
        _ flag: StopFlag
    ) throws -> TrainedModel {
        var curve = Curve()
        let model = try Trainer(parameters).train(
            clips: material.training, validation: material.validation, startingFrom: start,
            progress: { curve.show($0) }, isCancelled: { flag.isSet })
        Rejections.print(model.rejected)
        return model
    }

    private func show(
        _ model: TrainedModel, _ test: (windows: Evaluation, clips: ClipEvaluation, rejected: [RejectedClip])?
    ) throws {
        if json {
            struct Answer: Encodable {
                let validation: Evaluation?
                let test: ClipEvaluation?
            }
            try JSON.print(Answer(validation: model.evaluation, test: test?.clips))
        } else {
            if let evaluation = model.evaluation { Output.line("On clips held out:\n\n" + evaluation.text) }
            if let test { Output.line("\nOn the test clips:\n\n" + test.clips.text) }
        }
        if let test { Rejections.print(test.rejected) }
        Terminal.print("\(output): \(model.trainingClips) clips learned, \(model.validationClips) held out")
    }
}

/// A flag that a signal handler sets once.
final class StopFlag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}

/// Prints the learning curve: a line after every epoch, and a live line in between.
private struct Curve {
    mutating func show(_ progress: TrainingProgress) {
        let head =
            "epoch \(progress.epoch)/\(progress.epochs)  loss \(String(format: "%.3f", progress.loss))"
            + "  training \(percent(progress.trainingAccuracy))"
        guard progress.isEndOfEpoch else {
            return Terminal.showLine("\(head)  \(Int(progress.secondsLeft)) s left")
        }
        let held = progress.validation.map {
            "  held out \(percent($0.accuracy)), recall \(percent($0.macroRecall))" + ($0.isBest ? " *" : "")
        }
        Terminal.clearLine()
        Terminal.print(head + (held ?? ""))
    }

    private func percent(_ share: Float) -> String { String(format: "%.1f %%", share * 100) }
}
