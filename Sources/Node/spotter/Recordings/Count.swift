import CommandLineProgram
import Actions
import Agent
import ArgumentParser
import Capture
import Configuration
import Foundation
import Poses
import TOMLSettings
import Training

struct Count: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Counts the repetitions of an action that a recording is known to show.",
        discussion: """
            The recording is a video that ffmpeg can read, or a pose stream made by
            `spotter poses`. All of it is taken for the action; what a person does is found
            by `spotter classify`.

            With --truth the counts are measured: a CSV file with the columns file, action
            and count, files named beside it. MAE is the mean of |error| / count, OBO the
            share of recordings counted to within one.

            EXAMPLES
              spotter count --action squat squats.mp4
              spotter count --truth repcount/counts.csv --json | jq .obo
            """)

    @Argument(help: "Videos or pose streams.")
    var files: [String] = []

    @OptionGroup var options: RecognitionOptions

    @Option(help: ArgumentHelp("What the recordings show.", valueName: "label"))
    var action: String?

    @Option(help: ArgumentHelp("Measure against these counts instead.", valueName: "csv"))
    var truth: String?

    @Option(help: ArgumentHelp("How the coach does it: a folder with LABEL.poses.jsonl.", valueName: "folder"))
    var references: String?

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    func validate() throws {
        guard (truth == nil) != files.isEmpty else {
            throw ValidationError("Name recordings, or a list of them with --truth.")
        }
        if truth == nil && action == nil { throw ValidationError("Say with --action what the recordings show.") }
    }

    func run() async throws {
        var given = try options.configuration()
        if let references { given.recognition.references = references }
        let configuration = given
        let model = try configuration.classifier().description
        // Another exercise may be counted as well; a mistyped one may not.
        var action = action
        if let typed = action, NearestName.of(typed, among: model.labels) != nil {
            action = try KnownName.resolve(typed, kind: "action", among: model.labels)
        }
        let wanted =
            try truth.map { try CountedRecording.list(URL(filePath: $0)) }
            ?? files.map { CountedRecording(file: $0, action: action ?? "", count: nil) }
        for name in Set(wanted.map(\.action)).subtracting(model.counting?.keys.map { $0 } ?? []).sorted() {
            Terminal.print(
                model.isHeld(name)
                    ? "\(name) is held: it is timed, and has no repetitions"
                    : "\(name): the model has learned no direction to count along; the strongest motion is counted")
        }
        let work = Task(executorPreference: SerialTaskExecutor(label: "count")) {
            var counted: [CountedRecording] = []
            var failures: [any Error] = []
            var progress = Progress("Counting")
            for (index, recording) in wanted.enumerated() {
                progress.show(Double(index) / Double(wanted.count), recording.file)
                var recording = recording
                do {
                    let (repetitions, failure) = try await Self.repetitions(recording, model, configuration)
                    recording.repetitions = repetitions
                    counted.append(recording)
                    if let failure { failures.append(failure) }
                } catch let error where error is CaptureError || error is PoseStreamError {
                    failures.append(error)
                }
            }
            progress.finish()
            return (counted, failures)
        }
        let (counted, failures) = try await work.value
        if !counted.isEmpty { try show(CountingReport(recordings: counted)) }
        // Each file with its reason; the last one is printed with the exit code.
        for failure in failures.dropLast() { Terminal.print("\(failure)") }
        if let last = failures.last { throw last }
    }

    /// The repetitions of all people who were followed.
    ///
    /// - Returns: with the error where the recording breaks off; the repetitions are then those before.
    private static func repetitions(
        _ recording: CountedRecording, _ model: ModelDescription, _ configuration: Configuration
    ) async throws -> (repetitions: [Repetition], failure: CaptureError?) {
        let source = try PoseSource(
            opening: recording.file, settings: configuration.sourceSettings(rateHz: model.framesPerSecond))
        source.format.tellAssumption(about: recording.file)
        var gatherer = WindowGatherer(
            WindowGatherer.Settings(
                window: 2, stride: 1, rateHz: model.framesPerSecond, subjects: configuration.subjects))
        var buffers = PoseBuffers(rate: model.framesPerSecond)
        var (frames, failure): (Int, CaptureError?) = (0, nil)
        do {
            for try await frame in source.people {
                gatherer.gather(frame).forEach { buffers.add($0) }
                frames += 1
            }
        } catch let error as CaptureError where frames > 0 {
            failure = error
        }
        if model.isHeld(recording.action) { return ([], failure) }
        let counter = RepetitionCounter(basis: model.counting?[recording.action])
        let reference: FormReference? =
            try configuration.recognition.references.isEmpty
            ? nil
            : FormReference.all(
                in: URL(filePath: configuration.recognition.references), labels: [recording.action],
                bases: model.counting ?? [:])[recording.action]
        let judge = FormScorer(
            label: recording.action, rules: try configuration.formRules(), reference: reference)
        let repetitions = buffers.stretches.flatMap { stretch in
            let features = counter.features(of: stretch)
            return SideSequence.decided(
                judge.judged(counter.repetitions(in: stretch, features), in: stretch, features))
        }
        return (repetitions, failure)
    }

    private func show(_ report: CountingReport) throws {
        if json { return try JSON.print(report) }
        var table = Table(["FILE", "ACTION", "REPS", "TRUTH"], rightAligned: [2, 3])
        for recording in report.recordings {
            table.add([
                URL(filePath: recording.file).lastPathComponent, recording.action,
                String(recording.repetitions.count), recording.count.map(String.init) ?? "-",
            ])
        }
        table.print()
        guard !report.measured.isEmpty else { return }
        Output.line()
        var figures = Table(["ACTION", "RECORDINGS", "MAE", "OBO"], rightAligned: [1, 2, 3])
        for row in report.measured {
            figures.add([
                row.action, String(row.recordings), String(format: "%.3f", row.mae), String(format: "%.3f", row.obo),
            ])
        }
        figures.print()
    }
}
