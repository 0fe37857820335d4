import Actions
import Agent
import ArgumentParser
import CommandLineProgram
import Configuration
import Foundation
import NeuralNet
import Poses
import Records
import Training

struct Teach: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Teaches a model one more exercise from a single clip, or a few.",
        discussion: """
            Each clip shows one person doing the exercise, once or more, the whole body in
            the picture. A recording, a pose stream, or nothing: then the camera is
            watched. The motion is lifted into space and filmed again, with other bodies,
            at other tempi, from other sides. Three clips of different people are better
            than one.

            The poses of all that was taught lie in taught/NAME/, no picture. Each time all
            of it is learned anew, by the model of recognition.model. To forget an
            exercise, delete its folder.

            The training ends with a verdict: READY or NOT READY, and why. A model that is
            not ready is written as NAME-not-ready.safetensors, and the exit code is 1.
            `spotter models use` takes a model into use.

            --progress json prints the events of `spotter train --progress json`. Instead
            of progress there is share: what it does, how much of all is done, and the
            seconds left.

            EXAMPLES
              spotter teach wall_ball                       before the camera, after 5 s
              spotter teach wall_ball anna.mp4
              spotter teach wall_ball anna.mp4 ben.mp4 cem.mp4 -o gym.safetensors
              spotter teach --kept clips -o gym.safetensors        all clips that lie there
            """)

    @Argument(
        help: "The exercise's name: lower-case letters, digits and underscores. Without it all that is kept is learned."
    )
    var label: String?

    @Argument(help: "Recordings or pose streams (default: the camera).")
    var clips: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The model file to write (default: NAME.safetensors, or taught.safetensors).", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("The model that learns it (default: recognition.model).", valueName: "file"))
    var from: String?

    @Option(help: ArgumentHelp("A camera instead of the first one.", valueName: "source"))
    var source: String?

    @Option(help: "Seconds to get ready, before the camera.")
    var countdown = 5

    @Option(help: "Seconds to record at most, before the camera.")
    var seconds = 8.0

    @Option(help: ArgumentHelp("The folder of all that was taught.", valueName: "folder"))
    var kept = "taught"

    @Option(help: "Passes over the clips (default: they follow from the number of clips).")
    var epochs: Int?

    @Option(
        help: ArgumentHelp(
            "Synthetic clips of all that the model knows, which are learned as well (default: 2400).", valueName: "n"))
    var rehearsal: Int?

    @Option(help: "The same seed gives the same model.")
    var seed: UInt64 = 1

    @Option(help: "The name in the model's description (default: the output's file name).")
    var name: String?

    @Flag(help: "Write the model under the given name even if it is not ready, and exit with 0.")
    var force = false

    @Flag(help: "Print the verdict as JSON.")
    var json = false

    @Option(help: "How to tell the progress: as text for people, or as lines of JSON for programs.")
    var progress = ProgressForm.text

    @OptionGroup(title: "Poses") var options: ClipOptions

    private var news: TrainingNews { TrainingNews(form: progress) }

    func validate() throws {
        if json && progress == .json { throw ValidationError("Give --json or --progress json, not both.") }
        if let name { try ModelOptions.check(name: name) }
        guard (0...600).contains(countdown), (2...600).contains(seconds) else {
            throw ValidationError("--countdown takes 0 to 600, --seconds 2 to 600.")
        }
        guard (1...10_000).contains(epochs ?? 1), (100...100_000).contains(rehearsal ?? 100) else {
            throw ValidationError("--epochs takes a number from 1, --rehearsal one from 100.")
        }
        guard clips.count <= 100 else { throw ValidationError("Give at most 100 clips; `spotter train` takes more.") }
    }

    func run() async throws {
        let target = output ?? (label ?? "taught") + ".safetensors"
        try OutputFile.check(target, sparing: clips)
        let (flag, begin) = (StopFlag(), Date())
        let interrupt = Interrupt { flag.set() }
        defer { interrupt.cancel() }
        let configuration = try options.poses.configuration()
        let start = try ModelFile(contentsOf: URL(filePath: from ?? configuration.recognition.model))
        if let label { try await keepClips(of: label, configuration, flag) }
        let taught = try Dataset.load(folder: URL(filePath: kept)) { try LabelledClip.read(poseStream: $0) }
        news.rejected(taught.rejected)
        var bar = Progress("Learning")
        var teaching = Teaching(
            to: start, seed: seed,
            progress: { [news] in if news.form == .text { bar.show($1) } else { news.share($0, $1, since: begin) } },
            isCancelled: { flag.isSet })
        teaching.epochs = epochs
        if let rehearsal { teaching.rehearsed = rehearsal }
        let result = try teaching.run(taught.clips)
        bar.finish()
        guard let (model, verdict) = result else { throw TrainingError.cancelled }
        let file = try model.write(
            to: target, isReady: verdict.isReady, name: name, isForced: force)
        if json {
            struct Answer: Encodable {
                let output: String
                let verdict: TrainingVerdict
            }
            try JSON.print(Answer(output: file, verdict: verdict))
        } else if progress == .json {
            news.done(file, model, made: model.trainingClips - taught.clips.count, verdict)
        } else {
            Output.line(verdict.text)
            Output.line(file)
        }
        if !verdict.isReady && !force { throw ExitCode(ExitStatus.failed.rawValue) }
    }

    /// Writes the poses of the named clips, or of what the camera shows, to the folder of the label.
    private func keepClips(of label: String, _ configuration: Configuration, _ flag: StopFlag) async throws {
        try Dataset.check(label: label)
        for clip in clips.isEmpty ? [try await recorded(configuration)] : try await read(flag) {
            try keep(clip, label)
        }
    }

    /// Writes the poses of a clip to the folder of its label, under a name that tells nothing of the person or of the
    /// recording. The same clip lies there once.
    private func keep(_ clip: LabelledClip, _ label: String) throws {
        let folder = URL(filePath: kept).appending(path: label)
        do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
            throw FileProblem(path: folder.relativePath, reason: error.fileReason)
        }
        let named = clip.with(name: label, label: label, group: "")
        let name = label + "-" + Dataset.digest(of: [named]).prefix(12)
        try named.with(name: name).write(poseStream: folder.appending(path: name + Dataset.fileSuffix))
    }

    private func recorded(_ configuration: Configuration) async throws -> LabelledClip {
        let camera = source ?? configuration.cameras.first?.source ?? "/dev/video0"
        let recording = CameraRecording(camera: camera, countdown: countdown, seconds: seconds)
        guard let clip = try await recording.clip(configuration) else {
            throw TrainingError.badClips([RejectedClip(name: camera, reason: "it shows nobody")])
        }
        let now = Date().formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false))
        return clip.with(name: "camera-" + now.filter(\.isNumber))
    }

    private func read(_ flag: StopFlag) async throws -> [LabelledClip] {
        let reader = ClipReader(options: options, isCancelled: { flag.isSet })
        var read: [LabelledClip] = []
        for path in clips {
            guard let clip = try await reader.recording(path) else {
                throw TrainingError.badClips([RejectedClip(name: path, reason: "it shows nobody")])
            }
            read.append(clip.with(name: path))
        }
        return read
    }
}
