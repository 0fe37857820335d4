import ArgumentParser
import CommandLineProgram
import Foundation
import Poses
import Records
import SyntheticMotion
import Training

struct Synthesize: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes clips of the built-in motion generator as pose streams, a folder per label.",
        discussion: """
            People, motions, cameras and the detector's errors are drawn from the seed; the
            same seed gives the same clips. Look at one with: spotter preview
            clip.poses.jsonl -o clip.mp4

            EXAMPLES
              spotter synthesize --clips 800 --seed 1 -o synthetic/
              spotter synthesize --motion pull_up --clips 20 -o synthetic/
              spotter synthesize --motion squat --yaw 45 --camera-seed 2 --joints \\
                  -o squats/
              spotter synthesize --list
            """)

    @Option(help: ArgumentHelp("How many clips, of all labels or of each --motion.", valueName: "n"))
    var clips = 100

    @Option(help: ArgumentHelp("Only this motion; may be given several times.", valueName: "name"))
    var motion: [String] = []

    @Option(help: "The same seed gives the same clips.")
    var seed: UInt64 = 1

    @Option(help: "How long each clip lasts, seconds.")
    var seconds = 6.0

    @Option(
        help: ArgumentHelp("The view: 0 is from the front, 90 from the left; random without it.", valueName: "degrees"))
    var yaw: Float?

    @Option(
        help: ArgumentHelp(
            "Draw camera and detector from this seed: the same motions from other places.", valueName: "n"))
    var cameraSeed: UInt64?

    @Option(help: ArgumentHelp("The detector's errors: 0 is none, 1 is typical.", valueName: "strength"))
    var noise: Float = 1

    @Flag(
        help: """
            Also write the joints in space, in metres, to CLIP.joints.json, and when each \
            repetition begins, with the side that works, to CLIP.repetitions.json.
            """)
    var joints = false

    @Option(name: .shortAndLong, help: ArgumentHelp("The folder to write to.", valueName: "folder"))
    var output: String?

    @Flag(help: "Print the motions and their labels.")
    var list = false

    func validate() throws {
        guard list || output != nil else { throw ValidationError("Give a folder with -o, or --list.") }
        guard noise >= 0 else { throw ValidationError("--noise takes a number from 0.") }
        guard clips > 0, (1...600).contains(seconds) else {
            throw ValidationError("--clips takes a number from 1, --seconds from 1 to 600.")
        }
        let known = SyntheticMotion.catalogue.map(\.name)
        if let stranger = motion.first(where: { !known.contains($0) }) {
            throw ValidationError("There is no motion '\(stranger)'; see: spotter synthesize --list")
        }
    }

    func run() throws {
        guard let output, !list else {
            var table = Table(["MOTION", "LABEL"])
            for kind in SyntheticMotion.catalogue { table.add([kind.name, kind.label]) }
            return table.print()
        }
        let made = made()
        for (index, made) in made.enumerated() {
            let folder = URL(filePath: output).appending(path: made.clip.label)
            do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
                throw FileProblem(path: folder.relativePath, reason: "\(error.fileReason); name another folder with -o")
            }
            let motion = made.clip.name.split(separator: "/").dropFirst().first ?? "clip"
            try made.clip.write(poseStream: folder.appending(path: "\(motion)_\(index).poses.jsonl"))
            guard joints else { continue }
            let truth = JSONEncoder()
            truth.outputFormatting = [.sortedKeys]
            try truth.encode(made.jointsInSpace).write(to: folder.appending(path: "\(motion)_\(index).joints.json"))
            let repetitions = zip(made.repetitions, made.sides).map { MadeRepetition(start: $0, side: $1) }
            try truth.encode(repetitions).write(to: folder.appending(path: "\(motion)_\(index).repetitions.json"))
        }
        Terminal.print("\(output): \(made.count.counted("clip"))")
    }

    /// A repetition in `CLIP.repetitions.json`.
    private struct MadeRepetition: Encodable {
        /// Seconds since the clip's begin.
        let start: Double
        /// The side that works: `left` or `right`; `nil` where both do.
        let side: BodySide?

        enum CodingKeys: String, CodingKey {
            case side
            case start = "start_s"
        }
    }

    private func made() -> [SyntheticClip] {
        var options = SyntheticOptions(noise: noise, yawDegrees: yaw, cameraSeed: cameraSeed)
        // Measured joints need a whole person who does the exercise all the time.
        if joints { (options.cutShare, options.slowShare, options.transitionShare) = (0, 0, 0) }
        return motion.isEmpty
            ? SyntheticDataset.clips(
                perLabel: SyntheticDataset.balanced(total: clips), seed: seed, seconds: seconds, options: options)
            : SyntheticDataset.clips(of: motion, each: clips, seed: seed, seconds: seconds, options: options)
    }
}
