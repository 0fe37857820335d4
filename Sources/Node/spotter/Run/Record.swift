import Actions
import Agent
import ArgumentParser
import Capture
import CommandLineProgram
import Configuration
import Foundation
import Poses
import Records
import Training
import Workouts

struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Collects labelled clips for training from a camera: poses only, no picture is kept.",
        discussion: """
            After a countdown the prominent person is recorded; standing still before and
            after is cut off. The clips lie in clips/LABEL/PERSON/, as
            `spotter train clips/` reads them.

            With --reference a coach shows how an exercise is done, with two repetitions or
            more; the scores of others are compared with it. It becomes
            LABEL.poses.jsonl in the folder of `recognition.references`, or in references/,
            in place of an older one.

            EXAMPLES
              spotter record --label squat --person anna
              spotter record --label squat --person anna --seconds 20 --countdown 5 \\
                  --repeat 3
              spotter record --label squat --reference  a coach shows how it is done
              spotter record --list
              spotter record --delete clips/squat/anna/2026-11-21T101500.poses.jsonl
            """)

    @Option(help: "What the person will do, as the folder is to be called.")
    var label: String?

    @Option(help: "Who it is; clips of one person are kept together when a model is judged.")
    var person = "someone"

    @Option(help: "Seconds to get ready.")
    var countdown = 5

    @Option(help: "Seconds to record at most.")
    var seconds = 15.0

    @Option(name: .customLong("repeat"), help: "How many clips, one after another.")
    var times = 1

    @Flag(help: "Record how a coach does it, instead of a clip for training.")
    var reference = false

    @Option(help: ArgumentHelp("The folder of clips.", valueName: "folder"))
    var clips = "clips"

    @Option(help: ArgumentHelp("A camera or recording instead of the first camera's.", valueName: "source"))
    var source: String?

    @Flag(help: "List the clips there are, and do nothing else.")
    var list = false

    @Option(help: ArgumentHelp("Delete this clip, and do nothing else.", valueName: "file"))
    var delete: [String] = []

    @Flag(help: "Print the list as JSON.")
    var json = false

    @OptionGroup(title: "Poses") var poses: PoseOptions

    func validate() throws {
        guard list || !delete.isEmpty || label != nil else {
            throw ValidationError("Give a --label, or --list, or --delete FILE.")
        }
        guard (0...600).contains(countdown), (2...3600).contains(seconds), (1...1000).contains(times) else {
            throw ValidationError("--countdown takes 0 to 600, --seconds 2 to 3600, --repeat 1 to 1000.")
        }
        guard !reference || (label != nil && times == 1) else {
            throw ValidationError("--reference takes one recording of one --label.")
        }
        guard !person.isEmpty, !person.contains("/"), !person.hasPrefix(".") else {
            throw ValidationError("--person takes a name without '/'.")
        }
    }

    func run() async throws {
        if list { return try show() }
        guard delete.isEmpty else { return try remove() }
        guard let label else { return }
        try Dataset.check(label: label)
        let configuration = try poses.configuration()
        let camera = source ?? configuration.cameras.first?.source ?? "/dev/video0"
        if reference {
            // Read the model first: an unreadable model must not cost the person a second attempt.
            let model = try configuration.classifier().description
            let clip = try await record(label, from: camera, configuration, 1)
            return try ReferenceFile(label: label, model: model, configuration).save(clip)
        }
        for number in 1...times {
            try save(try await record(label, from: camera, configuration, number), as: label)
        }
    }

    /// Records one clip and cuts off its still ends.
    private func record(
        _ label: String, from camera: String, _ configuration: Configuration, _ number: Int
    ) async throws -> LabelledClip {
        // A person who gets ready must not learn afterwards that nothing can be stored.
        if !reference { try checkFolder(label) }
        let recording = CameraRecording(
            camera: camera, countdown: countdown, seconds: seconds, remark: times > 1 ? "\(number) of \(times): " : "")
        guard let clip = try await recording.clip(configuration) else {
            Terminal.print("Nobody was seen; check that the whole person is in the picture and try again.")
            throw ExitCode(ExitStatus.failed.rawValue)
        }
        let kept = label == "none" ? clip : StillnessTrim.trimmed(clip)
        guard let kept else {
            Terminal.print(
                "There was no motion to keep; nothing was saved. For a label without motion use --label none.")
            throw ExitCode(ExitStatus.failed.rawValue)
        }
        Terminal.print(
            "\(Self.text(kept.seconds)) of \(Self.text(clip.seconds)) kept, "
                + "seen in \(Int(100 * kept.posedShare)) % of the frames")
        return kept.with(label: label)
    }

    /// The folder of the clip: the one that the person has already, in whatever way the name was typed then.
    private func folder(_ label: String) -> URL {
        let known = NamedClips(folder: URL(filePath: clips)).people()
        let name = known.first { $0 == person } ?? known.first { PersonName.areSame($0, person) } ?? person
        return URL(filePath: clips).appending(path: label).appending(path: name)
    }

    /// Makes the folder of the clip.
    private func checkFolder(_ label: String) throws {
        let folder = folder(label)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch { throw FileProblem(path: folder.relativePath, reason: error.fileReason) }
        guard access(folder.path, W_OK) == 0 else {
            throw FileProblem(path: folder.relativePath, reason: String(cString: strerror(errno)))
        }
    }

    private func save(_ clip: LabelledClip, as label: String) throws {
        let file = folder(label).appending(path: Self.fileName())
        try clip.write(poseStream: file)
        Terminal.print("\(file.relativePath): written")
    }

    private static func fileName() -> String {
        let now = Date().formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
        return now.replacing(":", with: "").replacing("Z", with: "") + Dataset.fileSuffix
    }

    private static func text(_ seconds: Double) -> String { DurationText.of(seconds) }

    private func show() throws {
        let data = try Dataset.load(folder: URL(filePath: clips)) { try LabelledClip.read(poseStream: $0) }
        if json {
            struct Row: Encodable {
                let clip, label, group: String
                let seconds: Double
                let posedShare: Float

                enum CodingKeys: String, CodingKey {
                    case clip, label, group, seconds
                    case posedShare = "posed_share"
                }
            }
            return try JSON.print(
                data.clips.map {
                    Row(
                        clip: $0.name, label: $0.label, group: $0.group, seconds: $0.seconds, posedShare: $0.posedShare)
                })
        }
        var table = Table(["LABEL", "WHO", "SECONDS", "SEEN", "CLIP"], rightAligned: [2, 3])
        for clip in data.clips {
            table.add([
                clip.label, clip.group, String(format: "%.1f", clip.seconds), "\(Int(100 * clip.posedShare)) %",
                clip.name,
            ])
        }
        table.print()
        Rejections.print(data.rejected)
    }

    private func remove() throws {
        for file in delete {
            guard file.hasSuffix(Dataset.fileSuffix) else {
                throw ValidationError("\(file) is not a clip; only files called *\(Dataset.fileSuffix) are deleted.")
            }
            try FileManager.default.removeItem(atPath: file)
            Terminal.print("\(file): deleted")
        }
    }
}
