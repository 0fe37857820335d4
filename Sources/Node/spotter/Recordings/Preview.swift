import CommandLineProgram
import Actions
import Agent
import ArgumentParser
import Capture
import Configuration
import Foundation
import Training

struct Preview: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draws over a recording what was recognised: wireframe, label, repetitions.",
        discussion: """
            EXAMPLES
              spotter preview squats.mp4 -o annotated.mp4
              spotter preview class.mp4 --subjects everyone -o annotated.mp4
              spotter preview squats.mp4 --skeleton-only -o skeleton.mp4
                  no picture of the person remains
              spotter preview gym.mp4 --people gym.people.csv -o labelled.mp4
                  with boxes and numbers of who was labelled there
            """)

    @Argument(help: "A video or pose stream.")
    var file: String

    @Option(name: .shortAndLong, help: ArgumentHelp("The video to write.", valueName: "file"))
    var output: String

    @Flag(help: "Draw on black instead of on the pictures.")
    var skeletonOnly = false

    @Option(help: ArgumentHelp("Draw no joint below this confidence, 0 to 1.", valueName: "p"))
    var minimumJointConfidence: Float = 0.5

    @Option(help: ArgumentHelp("Also draw the people of this file, *.people.csv.", valueName: "file"))
    var people: String?

    @OptionGroup var options: RecognitionOptions

    func run() async throws {
        try OutputFile.check(output, sparing: [file, people])
        let configuration = try options.configuration()
        var settings = PreviewRenderer.Settings()
        settings.skeletonOnly = skeletonOnly
        settings.minimumConfidence = minimumJointConfidence
        if let people { settings.marks = PreviewRenderer.Marks(try PeopleLabels(contentsOf: URL(filePath: people))) }
        let (file, output, drawing) = (file, output, settings)
        let work = Task(executorPreference: SerialTaskExecutor(label: "preview")) {
            try await Self.render(file, to: output, configuration, drawing)
        }
        try await work.value
        Terminal.print("\(output): done")
    }

    private static func render(
        _ file: String, to output: String, _ configuration: Configuration, _ drawing: PreviewRenderer.Settings
    ) async throws {
        let classifier = try configuration.classifier()
        let settings = configuration.sourceSettings(rateHz: classifier.description.framesPerSecond)
        let source = try PoseSource(opening: file, settings: settings)
        source.format.tellAssumption(about: file)
        var chain = RecognitionChain(
            classifier: classifier, subjects: configuration.subjects, camera: "file",
            rules: configuration.recognitionRules, origin: Date())
        var recognition = PreviewRenderer.Recognition()
        var motion = MotionTrace()
        var sets: [ExerciseSet] = []
        var progress = Progress("1 of 2: recognising")
        let began = ContinuousClock.now
        var failure: CaptureError?
        do {
            for try await frame in source.people {
                let result = try chain.receive(frame)
                for link in result.links {
                    link.apply(to: &recognition.predictions, &sets)
                    motion.apply(link)
                }
                recognition.add(result)
                motion.add(result.frame)
                sets += result.sets
                progress.show(
                    source.format.durationSeconds.map { result.frame.time / $0 },
                    rate(of: recognition.frames.count, since: began))
            }
        } catch let error as CaptureError where !recognition.frames.isEmpty {
            failure = error
        }
        var drawingProgress = Progress("2 of 2: drawing")
        let pictures: (any FrameSource)? =
            file.hasSuffix(".jsonl")
            ? nil : try VideoRecording(file, settings: VideoRecording.Settings(rateHz: settings.rateHz))
        let found = Classification(
            file: file, format: source.format, classifier: classifier, frames: recognition.frames.count,
            lastTime: recognition.frames.last?.time ?? 0, predictions: recognition.predictions, motion: motion,
            counted: sets + chain.end(.sourceEnded).sets)
        try PreviewRenderer(
            recognition, model: classifier.description, segments: found.segments, settings: drawing
        )
        .write(to: output, rateHz: source.format.rateHz, pictures: pictures) { drawingProgress.show($0) }
        progress.finish()
        if let failure { throw failure }
    }
}

extension PreviewRenderer.Marks {
    /// The people who were labelled by hand. A mark stays until the next labelled moment.
    fileprivate init(_ labels: PeopleLabels) {
        let rows = Dictionary(grouping: labels.rows, by: \.time)
        self.init(
            moments: labels.times.map { time in
                let marks = (rows[time] ?? []).map { row in
                    PreviewRenderer.Mark(number: row.person, centre: row.place, size: row.size)
                }
                return (time, marks)
            }, intervalSeconds: labels.intervalSeconds)
    }
}
