import CommandLineProgram
import Actions
import Agent
import ArgumentParser
import Capture
import Configuration
import Foundation

struct Classify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Says what happens in a recording: windows, segments, repetitions, frame counts.",
        discussion: """
            The recording is a video that ffmpeg can read, or a pose stream made by
            `spotter poses`.

            EXAMPLES
              spotter classify squats.mp4
              spotter classify class.mp4 --subjects everyone --json
              spotter classify squats.poses.jsonl --model my-gym.safetensors --json \\
                  | jq .frame_counts
            """)

    @Argument(help: "A video or pose stream.")
    var file: String

    @OptionGroup var options: RecognitionOptions

    @Option(help: ArgumentHelp("How the coach does it: a folder with LABEL.poses.jsonl.", valueName: "folder"))
    var references: String?

    @Flag(help: "Print one JSON object instead of tables.")
    var json = false

    func run() async throws {
        var configuration = try options.configuration()
        if let references { configuration.recognition.references = references }
        let (classification, failure) = try await Self.classification(of: file, configuration)
        if json { try JSON.print(classification) } else { Self.show(classification) }
        if let failure { throw failure }
    }

    /// Recognises what happens in a recording.
    ///
    /// - Returns: the result, and the error if the recording breaks off; the result then covers the part before.
    static func classification(
        of file: String, _ configuration: Configuration
    ) async throws -> (Classification, failure: CaptureError?) {
        try await Task(executorPreference: SerialTaskExecutor(label: "classify")) {
            try await classify(file, configuration)
        }.value
    }

    private static func classify(
        _ file: String, _ configuration: Configuration
    ) async throws -> (Classification, failure: CaptureError?) {
        let classifier = try configuration.classifier()
        let references = try configuration.references(for: classifier.description)
        let source = try PoseSource(
            opening: file, settings: configuration.sourceSettings(rateHz: classifier.description.framesPerSecond))
        source.format.tellAssumption(about: file)
        let (origin, rules) = (Date(timeIntervalSince1970: 0), try configuration.formRules())
        var chain = RecognitionChain(
            classifier: classifier, subjects: configuration.subjects, references: references, formRules: rules,
            camera: "file", rules: configuration.recognitionRules, origin: origin)
        let people = BackAndForth(source.people, filling: classifier.description)
        var progress = Progress("Classifying")
        let began = ContinuousClock.now
        var predictions: [Prediction] = []
        var events: [SessionEvent] = []
        var frames = 0
        var lastTime = 0.0
        var motion = MotionTrace()
        var failure: CaptureError?
        var jumps = 0
        var sets: [ExerciseSet] = []
        do {
            for try await frame in people {
                let result = try chain.receive(frame)
                if !people.wasRepeated {
                    frames += 1
                    lastTime = result.frame.time
                }
                for link in result.links {
                    link.apply(to: &predictions, &sets)
                    motion.apply(link)
                }
                predictions += result.predictions
                sets += result.sets
                events += result.events
                motion.add(result.frame)
                if let jump = result.jump {
                    jumps += 1
                    if jumps == 1 { Terminal.print(jump.message(about: Redaction.covered(in: file))) }
                }
                progress.show(source.format.durationSeconds.map { lastTime / $0 }, rate(of: frames, since: began))
            }
        } catch let error as CaptureError where frames > 0 {
            failure = error
        }
        progress.finish()
        if jumps > 1 { Terminal.print("Its time stamps jump \(jumps) times in all.") }
        if jumps > frames / 2 && frames > 2 { Terminal.print("Are they milliseconds? Pose streams count in seconds.") }
        let last = chain.end(.sourceEnded)
        (sets, events) = (sets + last.sets, events + last.events)
        let classification = Classification(
            file: Redaction.covered(in: file), format: source.format, classifier: classifier, frames: frames,
            lastTime: lastTime, isRepeated: people.wasRepeated, predictions: predictions, motion: motion,
            sets: people.wasRepeated ? [] : Classification.RecordedSet.all(of: events, since: origin),
            counted: people.wasRepeated ? [] : sets)
        return (classification, failure)
    }

    private static func show(_ answer: Classification) {
        Output.line("\(answer.file): \(answer.durationSeconds) s, \(answer.frames) frames, model \(answer.model)\n")
        if answer.isRepeated {
            Output.line("The recording is shorter than a window; it was played back and forth to fill one.\n")
        }
        if answer.segments.isEmpty {
            Output.line("No exercise was recognised.")
        } else {
            var table = Table(
                ["FROM", "TO", "PERSON", "ACTION", "REPS", "SCORE"], rightAligned: [0, 1, 2, 4])
            for segment in answer.segments {
                table.add([
                    String(format: "%.1f s", segment.start), String(format: "%.1f s", segment.end),
                    String(segment.track), segment.label,
                    segment.reps.map(String.init) ?? "-",
                    segment.form.map { form in
                        "\(form.score)" + (form.worst.isEmpty ? "" : ": " + form.worst.joined(separator: ", "))
                    } ?? (segment.isPoorView ? "none: the picture cuts the body" : "-"),
                ])
            }
            table.print()
        }
        guard !answer.frameCounts.isEmpty else { return }
        Output.line()
        var table = Table(["ACTION", "FRAMES", "REPS"], rightAligned: [1, 2])
        for (label, frames) in answer.frameCounts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            table.add([label, String(frames), answer.reps[label].map(String.init) ?? "-"])
        }
        table.print()
    }
}
