import Actions
import Agent
import ArgumentParser
import CommandLineProgram
import Foundation
import History
import Poses
import Records
import Training

extension Learn {
    struct TrainCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "train", abstract: "Learns from the answers, and says whether the new model is better.",
            discussion: """
                The shipped model is trained further with all answers. Answers are held
                out in turns, by day and camera, and both models are judged by those. The
                new model is better when it wins by a paired test (90 %), loses at most
                1 % of generated clips, and no label loses more than 3 %. Otherwise it is
                written as NAME-not-ready.safetensors, and the exit code is 1. A node does
                this by night.

                EXAMPLES
                  spotter learn train -o learned.safetensors
                  spotter learn train -o learned.safetensors --shared others/
                  spotter learn train -o learned.safetensors --json
                """)
        @OptionGroup var options: Database.Options

        @Option(name: .shortAndLong, help: ArgumentHelp("The model file to write.", valueName: "file"))
        var output: String

        @Option(help: ArgumentHelp("The shipped model (default: recognition.model).", valueName: "file"))
        var from: String?

        @Option(
            help: ArgumentHelp("The model in use, where it learned from answers before.", valueName: "file"))
        var inUse: String?

        @Option(
            help: ArgumentHelp("A folder with the answers of other gyms; learned as well.", valueName: "folder"))
        var shared: String?

        @Option(help: ArgumentHelp("The new model's name (default: that of the file).", valueName: "name"))
        var name: String?

        @Option(help: "The same seed gives the same model.")
        var seed: UInt64 = 1

        @Flag(help: "Print the decision as JSON.")
        var json = false

        func validate() throws {
            if let name { try ModelOptions.check(name: name) }
        }

        func run() throws {
            try OutputFile.check(output, sparing: [options.path()])
            let flag = StopFlag()
            let interrupt = Interrupt { flag.set() }
            defer { interrupt.cancel() }
            let shippedPath = try from ?? options.configurationFile.read().recognition.model
            let shipped = try ModelFile(contentsOf: URL(filePath: shippedPath))
            let used = try inUse.map { try ModelFile(contentsOf: URL(filePath: $0)) }
            let query = try options.query()
            let answers = try AnswerClips(query, newerThan: inUse.flatMap(Self.made))
            let others = try shared.map { AnswerClips.shared(try clips(in: $0), without: try query.summary().node) }
            var bar = Progress("Learning")
            let round = AnswerRound(
                shipped: shipped, inUse: used ?? shipped, seed: seed,
                progress: { _, share in bar.show(share) }, isCancelled: { flag.isSet })
            let result = try round.run(
                answers.clips, outdated: answers.outdated, shared: others ?? [],
                newer: used == nil ? nil : answers.newer)
            bar.finish()
            guard let result else { throw TrainingError.cancelled }
            let decision = result.decision
            let file = try result.model.write(to: output, isReady: decision.isBetter, name: name)
            if json {
                struct Answer: Encodable {
                    let output: String
                    let decision: AnswerRound.Decision
                }
                try JSON.print(Answer(output: file, decision: decision))
            } else {
                Output.line(decision.text)
                Output.line(file)
            }
            if !decision.isBetter { throw ExitCode(ExitStatus.failed.rawValue) }
        }

        /// The clips that other gyms shared: none in a folder without any.
        private func clips(in folder: String) throws -> [LabelledClip] {
            do {
                let data = try Dataset.load(folder: URL(filePath: folder)) { try LabelledClip.read(poseStream: $0) }
                Rejections.print(data.rejected)
                return data.clips
            } catch {
                guard case TrainingError.noClips = error else { throw error }
                Terminal.print("\(folder) holds no clips: nobody shared any yet.")
                return []
            }
        }

        /// When a model file was made.
        private static func made(_ path: String) -> Date? {
            try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        }
    }
}

extension AnswerRound.Decision {
    /// The decision in words, a line each.
    var text: String {
        let pairs = { (name: String, pairs: AnswerRound.Pairs) in
            "\(name): \(pairs.after) of \(pairs.clips) right, before \(pairs.before) "
                + "(\(pairs.won) won, \(pairs.lost) lost)"
        }
        var lines = [isBetter ? "BETTER: the new model may be used." : "NOT BETTER: the model in use stays."]
        lines += reasons
        lines.append(pairs("Answers held out", answers) + String(format: ", by chance %.2f", answers.chance))
        lines.append(pairs("Generated clips", generated))
        if let newer { lines.append(pairs("Newer answers, beside the model in use", newer)) }
        for (label, count) in leftOut.sorted(by: { $0.key < $1.key }) {
            lines.append("\(label) has \(count.counted("answer")): three are the least for a new label.")
        }
        return lines.joined(separator: "\n")
    }
}
