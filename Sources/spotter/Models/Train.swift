import CommandLineProgram
import Actions
import Agent
import ArgumentParser
import Foundation
import NeuralNet
import Poses
import Synchronization
import Training

struct Train: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Trains a classifier from videos, pose streams, synthetic motion, or all of them.",
        discussion: """
            The folder holds a folder per label; or name an annotation file (CSV or JSON with the columns file_name,
            label, start_time, end_time) that cuts longer recordings. A folder within a label's is a person, whose
            clips are kept together. Poses are found once and kept, so a second run starts at once. Ctrl-C keeps the
            best model so far, and so does SIGTERM.

            --progress json prints one line of JSON per event on standard output: reading, progress, rejected,
            evaluation (the held-out clips, by the new model and by the one of --from), and at last done. Errors stay
            sentences on standard error.

            EXAMPLES
              spotter train clips/ -o my-gym.safetensors
              spotter train clips/ --from Models/exercises.safetensors -o my-gym.safetensors --report my-gym.html
              spotter train montage/annotations.csv --test other-day/ --no-augment flip -o my-gym.safetensors
              spotter train --synthetic 8000 --seed 1 -o exercises.safetensors
              spotter train clips/ -o my-gym.safetensors --progress json | jq -c 'select(.event == "progress")'
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

    @Option(help: "How to tell the progress: as text for people, or as lines of JSON for programs.")
    var progress = ProgressForm.text

    private var news: TrainingNews { TrainingNews(form: progress) }

    func validate() throws {
        if json && progress == .json { throw ValidationError("Give --json or --progress json, not both.") }
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
        let reader = ClipReader(
            options: options, isCancelled: { flag.isSet }, rejected: news.rejected,
            reading: { [news] in news.reading($0, of: $1) })
        let material = try await data.material(clips, reader, parameters, start)
        var model = try train(material, parameters, startingFrom: start, flag)
        about.describe(&model.description)
        try model.write(to: URL(filePath: output))
        try compare(model, with: start, on: material.validation ?? [])
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
        let model = try Trainer(parameters).train(
            clips: material.training, validation: material.validation, startingFrom: start,
            progress: news.progress, isCancelled: { flag.isSet })
        news.rejected(model.rejected)
        return model
    }

    /// Tells a program how the new model and the one before it judge the same clips, which the new one has not learned
    /// from.
    private func compare(_ model: TrainedModel, with start: ModelFile?, on held: [LabelledClip]) throws {
        guard progress == .json, !held.isEmpty else { return }
        let before = start.map { ("start", ActionClassifier($0)) }
        for (which, classifier) in [("new", try model.classifier())] + [before].compactMap({ $0 }) {
            let figures = try classifier.evaluate(on: held)
            news.evaluated(which, classifier.description, figures.windows, figures.clips)
        }
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
        } else if progress == .text {
            if let evaluation = model.evaluation { Output.line("On clips held out:\n\n" + evaluation.text) }
            if let test { Output.line("\nOn the test clips:\n\n" + test.clips.text) }
        }
        if let test { news.rejected(test.rejected) }
        news.done(output, model)
    }
}

/// A flag that a signal handler sets once.
final class StopFlag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}
