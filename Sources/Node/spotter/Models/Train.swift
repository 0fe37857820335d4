import CommandLineProgram
import Actions
import Agent
import ArgumentParser
import Foundation
import NeuralNet
import Poses
import Synchronization
import SyntheticMotion
import Training

struct Train: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Trains a classifier from videos, pose streams, synthetic motion, or all of them.",
        discussion: """
            The folder holds a folder per label; or name an annotation file (CSV or JSON
            with the columns file_name, label, start_time, end_time) that cuts longer
            recordings. A folder within a label's is a person, whose clips are kept
            together. Poses are found once and kept, so a second run starts at once. Ctrl-C
            keeps the best model so far, and so does SIGTERM.

            With --from a model gets new labels beside its own. Three clips of a label are
            the least, ten are good. Standing, walking and other exercises are rehearsed
            with built-in clips. The training ends with a verdict: READY or NOT READY, why,
            and what to record next. A model that is not ready is written as
            NAME-not-ready.safetensors, and the exit code is 1.

            --progress json prints one line of JSON per event on standard output: reading,
            stage (what begins now), progress, rejected, evaluation (held-out clips, by the
            new model and by the one of --from; once for each part that is held out), and
            at last done. Errors stay sentences on standard error.

            EXAMPLES
              spotter train clips/ -o my-gym.safetensors
              spotter train clips/ --from Models/exercises.safetensors \\
                  -o my-gym.safetensors --report my-gym.html
              spotter train montage/annotations.csv --test other-day/ --no-augment flip \\
                  -o my-gym.safetensors
              spotter train --synthetic 8000 --seed 1 -o exercises.safetensors
              spotter train --synthetic 8000 --seed 4 --teacher first.safetensors \\
                  --teacher second.safetensors -o exercises.safetensors
              spotter train clips/ -o my-gym.safetensors --progress json \\
                  | jq -c 'select(.event == "progress")'
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

    @Flag(help: "Write the model under the given name even if it is not ready, and exit with 0.")
    var force = false

    @Flag(help: "Print the evaluation and the verdict as JSON.")
    var json = false

    @Option(help: "How to tell the progress: as text for people, or as lines of JSON for programs.")
    var progress = ProgressForm.text

    private var news: TrainingNews { TrainingNews(form: progress) }

    func validate() throws {
        if json && progress == .json { throw ValidationError("Give --json or --progress json, not both.") }
        if data.from != nil && !training.teacher.isEmpty {
            throw ValidationError("Give --from or --teacher, not both: teachers know the same labels as the new model.")
        }
        if clips == nil && data.synthetic == 0 {
            throw ValidationError("Give a folder of clips, --synthetic, or both.")
        }
    }

    func run() async throws {
        for path in [output, report] { try OutputFile.check(path, sparing: [clips]) }
        let flag = StopFlag()
        let interrupt = Interrupt { flag.set() }
        defer { interrupt.cancel() }
        let start = try data.from.map { try ModelFile(contentsOf: URL(filePath: $0)) }
        var parameters = try training.parameters(startingFrom: start, hasOwnClips: clips != nil)
        let reader = ClipReader(
            options: options, isCancelled: { flag.isSet }, rejected: news.rejected,
            reading: { [news] in news.reading($0, of: $1) })
        let material = try await data.material(clips, reader, parameters, start)
        if start != nil, training.epochs == nil {
            parameters.epochs = parameters.furtherEpochs(clips: material.training.count)
        }
        var model = try learn(material, parameters, startingFrom: start, flag)
        about.describe(&model.description, output: output)
        let verdict = clips == nil ? nil : try self.verdict(on: model, material)
        let isRefused = verdict?.isReady == false && !force
        // The page keeps a model that is not ready under such a name, too.
        if verdict?.isReady == false, !force || progress == .json {
            model.description.name += ModelDescription.notReady
        }
        let output = isRefused ? Self.unready(output) : output
        try model.write(to: URL(filePath: output))
        let test = try material.test.map { try model.classifier().evaluate(on: $0) }
        try show(model, test, verdict, made: material.made.count, output)
        if let report {
            let page = TrainingReport(model, test: test?.clips, verdict: verdict).html
            try OutputFile.write(Data(page.utf8), to: report)
        }
        if isRefused { throw ExitCode(1) }
    }

    /// Trains on everything. A model that continues another is first judged: in turns, a short training without a third
    /// of the clips must recognise that third. Then the model learns all of them: a few clips are too few to spare any.
    private func learn(
        _ material: TrainingData.Material, _ parameters: TrainingParameters, startingFrom start: ModelFile?,
        _ flag: StopFlag
    ) throws -> TrainedModel {
        guard !material.folds.isEmpty else {
            var model = try train(material.training, material.validation, parameters, startingFrom: start, flag)
            try judge(&model, on: material.validation ?? [], beside: start)
            return model
        }
        var trial = parameters
        trial.epochs = max(parameters.epochs / material.folds.count, 2)
        var judged: [ClipEvaluation.ClipResult] = []
        for (index, fold) in material.folds.enumerated() {
            news.stage("Judging \(index + 1) of \(material.folds.count): learning without a part of your clips")
            var model = try train(fold.training + material.made, [], trial, startingFrom: start, flag)
            try judge(&model, on: fold.validation, beside: start)
            judged += model.judged
            if flag.isSet { return model }
        }
        news.stage("Learning all of your clips")
        var model = try train(material.training, [], parameters, startingFrom: start, flag)
        model.judged = judged
        model.validationClips = judged.count
        return model
    }

    private func train(
        _ clips: [LabelledClip], _ validation: [LabelledClip]?, _ parameters: TrainingParameters,
        startingFrom start: ModelFile?, _ flag: StopFlag
    ) throws -> TrainedModel {
        let model = try Trainer(parameters).train(
            clips: clips, validation: validation, startingFrom: start, teachers: training.teachers(),
            progress: news.progress, isCancelled: { flag.isSet })
        news.rejected(model.rejected)
        return model
    }

    /// Notes how the model judges clips that it has not learned, and tells a program how the one before it does.
    private func judge(_ model: inout TrainedModel, on held: [LabelledClip], beside start: ModelFile?) throws {
        guard !held.isEmpty else { return }
        let figures = try model.classifier().evaluate(on: held)
        model.judged = figures.clips.verdicts
        model.description.evaluation = model.description.evaluation ?? figures.windows
        guard progress == .json else { return }
        about.describe(&model.description, output: output)
        news.evaluated("new", model.description, figures.windows, figures.clips)
        if let start {
            let before = try ActionClassifier(start).evaluate(on: held)
            news.evaluated("start", start.description, before.windows, before.clips)
        }
    }

    private func verdict(on model: TrainedModel, _ material: TrainingData.Material) throws -> TrainingVerdict {
        let labels = Set(material.training.map(\.label))
        let strangers = SyntheticDataset.clips(
            perLabel: ["other": 300, "none": 100], seed: ~training.seed, excluding: material.shown)
        return TrainingVerdict(
            own: material.recorded, results: model.judged,
            hasOthers: !labels.isDisjoint(with: ModelDescription.noExercise),
            falseReports: TrainingVerdict.FalseReports(
                try model.classifier().evaluate(on: strangers.map(\.clip)).clips.verdicts,
                labels: Set(material.recorded.map(\.label))))
    }

    /// Where a model goes that is not ready, so that nobody takes it for the one that was asked for.
    static func unready(_ path: String) -> String {
        let url = URL(filePath: path)
        let name = url.deletingPathExtension().lastPathComponent + ModelDescription.notReady
        return url.deletingLastPathComponent().appending(path: name).appendingPathExtension(url.pathExtension).path
    }

    private func show(
        _ model: TrainedModel, _ test: (windows: Evaluation, clips: ClipEvaluation, rejected: [RejectedClip])?,
        _ verdict: TrainingVerdict?, made: Int, _ output: String
    ) throws {
        if json {
            struct Answer: Encodable {
                let output: String
                let verdict: TrainingVerdict?
                let validation: Evaluation?
                let test: ClipEvaluation?
            }
            try JSON.print(
                Answer(output: output, verdict: verdict, validation: model.evaluation, test: test?.clips))
        } else if progress == .text {
            if let evaluation = model.evaluation { Output.line("On clips held out:\n\n" + evaluation.text) }
            if let test { Output.line("\nOn the test clips:\n\n" + test.clips.text) }
            if let verdict { Output.line("\n" + verdict.text) }
        }
        if let test { news.rejected(test.rejected) }
        news.done(output, model, made: made, verdict)
    }
}

/// A flag that a signal handler sets once.
final class StopFlag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}
