import Agent
import ArgumentParser
import Capture
import CommandLineProgram
import Foundation
import Poses
import TOMLSettings

struct Poses: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Finds everyone's joints in a video and writes them as a pose stream.",
        discussion: """
            A pose stream holds no picture. `classify`, `train` and `run --source` read it.

            EXAMPLES
              spotter poses squats.mp4 -o squats.poses.jsonl
              spotter poses squats.mp4 | head -2
              spotter poses rack.mp4 --camera rack-1
            """)

    @Argument(help: "A video file or URL, or a camera (stop with Ctrl-C).")
    var file: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Where to write it (default: -, standard output).", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Resample to this many frames per second.", valueName: "hz"))
    var rate = 30.0

    @Option(help: ArgumentHelp("Use the masks and settings of this camera in the configuration.", valueName: "id"))
    var camera: String?

    @OptionGroup var options: PoseOptions

    func validate() throws {
        guard (1...240).contains(rate) else { throw ValidationError("--rate takes a number from 1 to 240.") }
    }

    func run() async throws {
        try OutputFile.check(output, sparing: [file])
        let configuration = try options.configuration()
        let (file, output, rateHz) = (file, output == "-" ? nil : output, rate)
        let id = try camera.map { try KnownName.resolve($0, kind: "camera", among: configuration.cameras.map(\.id)) }
        let own = configuration.cameras.first { $0.id == id }
        let work = Task(executorPreference: SerialTaskExecutor(label: "poses")) {
            try await Self.write(file, to: output, configuration.sourceSettings(rateHz: rateHz, camera: own))
        }
        try await work.value
    }

    private static func write(_ file: String, to output: String?, _ settings: PoseSource.Settings) async throws {
        let source = try PoseSource(opening: file, settings: settings)
        source.format.tellAssumption(about: file)
        let interrupt = Interrupt(source.stop)
        defer { interrupt.cancel() }
        let format = source.format
        let header = PoseStreamHeader(
            rateHz: format.rateHz, width: format.widthPixels, height: format.heightPixels,
            source: Redaction.name(of: file))
        let writer = try PoseStreamWriter(output.map { URL(filePath: $0) }, header: header)
        var progress = Progress("Finding poses")
        let began = ContinuousClock.now
        var frames = 0
        var failure: CaptureError?
        do {
            for try await frame in source.people {
                try writer.write(frame)
                frames += 1
                progress.show(format.durationSeconds.map { frame.time / $0 }, spotter.rate(of: frames, since: began))
            }
        } catch let error as CaptureError where frames > 0 {
            // Keep the frames before the error.
            failure = error
        } catch {
            writer.abandon()
            throw error
        }
        progress.finish()
        try writer.finish()
        if let output { Terminal.print("\(output): \(frames) frames") }
        if let failure { throw failure }
    }
}
