import Actions
import Agent
import ArgumentParser
import Foundation
import Synchronization
import Training

struct Train: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Trains a classifier from pose streams, synthetic motion, or both.",
        discussion: """
            The folder holds a folder per label with pose streams (`spotter poses`). Ctrl-C keeps the best model so far.

            EXAMPLES
              spotter train clips/ -o my-gym.safetensors
              spotter train clips/ --from Models/exercises.safetensors --epochs 12 -o my-gym.safetensors
              spotter train --synthetic 8000 --seed 1 -o exercises.safetensors
            """)

    @Argument(help: "A folder with a folder of pose streams per label, or an annotation file.")
    var folder: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("The model file to write.", valueName: "file"))
    var output: String

    @Option(help: ArgumentHelp("Add so many clips of the built-in motion generator, of every label.", valueName: "n"))
    var synthetic = 0

    @Option(help: ArgumentHelp("Start from this model's weights.", valueName: "file"))
    var from: String?

    @Option(help: "Passes over the clips (default: 30, with --from 13).")
    var epochs: Int?

    @Option(help: "The same seed gives the same model.")
    var seed: UInt64 = 1

    @Option(help: "The model's name.")
    var name = "exercises"

    @Option(help: "Who made it.")
    var author = ""

    @Option(help: "Under which licence it may be used.")
    var licence = ""

    @Option(help: "What it is for.")
    var about = ""

    @Option(help: ArgumentHelp("The date to write into the file (default: today).", valueName: "2026-11-21"))
    var date: String?

    @Option(help: ArgumentHelp("Also write a report with curves and figures, one HTML page.", valueName: "file"))
    var report: String?

    @Flag(help: "Refuse to train when a single clip cannot be used.")
    var strict = false

    @Flag(help: "Print the evaluation as JSON.")
    var json = false

    func validate() throws {
        if folder == nil && synthetic == 0 {
            throw ValidationError("Give a folder of clips, --synthetic, or both.")
        }
        guard synthetic >= 0, (1...10_000).contains(epochs ?? 1) else {
            throw ValidationError("--synthetic takes a number from 0, --epochs from 1.")
        }
    }

    func run() async throws {
        var clips: [LabelledClip] = []
        if let folder {
            let data = try Dataset.load(URL(filePath: folder), isStrict: strict) {
                try LabelledClip.read(poseStream: $0)
            }
            Rejections.tell(data.rejected)
            clips += data.clips
        }
        if synthetic > 0 {
            let mix = SyntheticDataset.balanced(total: synthetic)
            clips += SyntheticDataset.clips(perLabel: mix, seed: seed).map(\.clip)
        }
        var parameters = from == nil ? TrainingParameters() : TrainingParameters.furtherTraining
        if let epochs { parameters.epochs = epochs }
        parameters.seed = seed
        // Synthetic clips are easier than people: a temperature fitted on them makes the model too sure of itself.
        parameters.fitsTemperature = folder != nil
        let start = try from.map { try ModelFile(contentsOf: URL(filePath: $0)) }
        let model = try train(clips, parameters, startingFrom: start)
        try model.write(to: URL(filePath: output))
        if let report { try TrainingReport(model).html.write(toFile: report, atomically: true, encoding: .utf8) }
        if json { try JSON.print(model.evaluation) } else { print(model.evaluation?.text ?? "") }
        Terminal.say("\(output): \(model.trainingClips) clips learned, \(model.validationClips) held out")
    }

    private func train(
        _ clips: [LabelledClip], _ parameters: TrainingParameters, startingFrom start: ModelFile?
    ) throws -> TrainedModel {
        let flag = StopFlag()
        let interrupt = Interrupt { flag.set() }
        defer { interrupt.cancel() }
        var curve = Curve()
        var model = try Trainer(parameters).train(
            clips: clips, startingFrom: start, progress: { curve.show($0) }, isCancelled: { flag.isSet })
        Rejections.tell(model.rejected)
        model.description.name = name
        model.description.author = author
        model.description.licence = licence
        model.description.summary = about
        model.description.tool = "spotter \(Version.text)"
        model.description.created = date ?? Date().formatted(.iso8601.year().month().day())
        return model
    }
}

/// Set once, from a signal.
private final class StopFlag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}

/// The learning curve: a line at the end of every pass, and one that moves in between.
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
        Terminal.say(head + (held ?? ""))
    }

    private func percent(_ share: Float) -> String { String(format: "%.1f %%", share * 100) }
}
