import Agent
import ArgumentParser
import CommandLineProgram
import Foundation
import History
import Poses
import Records
import Training

extension Learn {
    struct ExportCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Writes the answered skeletons as training clips, for other gyms.",
            discussion: """
                Each answer becomes LABEL/NODE/question-NO.poses.jsonl: joints, and nothing
                else. No day, no camera, no session. Another gym names the folder as
                learning.shared. Answers such as 'skipped' and 'cut_off' are left out. The
                files that this node wrote before are written anew, so what was answered
                otherwise or deleted since then leaves the folder.

                `spotter export` writes all questions and answers, for `spotter import`.

                EXAMPLES
                  spotter learn export answers/
                  spotter learn export answers/ --json
                """)
        @OptionGroup var options: Database.Options

        @Argument(help: ArgumentHelp("The folder.", valueName: "folder"))
        var folder: String

        @Flag(help: "Print JSON instead of a line.")
        var json = false

        func run() throws {
            let query = try options.query()
            let node = try query.summary().node
            let clips = try AnswerClips(query).clips
            try removeOld(of: node)
            for clip in clips {
                let place = URL(filePath: folder).appending(path: "\(clip.label)/\(node)")
                do { try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true) } catch {
                    throw FileProblem(path: place.path, reason: "cannot be made: \(error.fileReason)")
                }
                try clip.write(poseStream: place.appending(path: clip.name + Dataset.fileSuffix))
            }
            try tell(clips)
        }

        /// Deletes what the node wrote before, and folders that are empty then: they would be labels without clips.
        private func removeOld(of node: String) throws {
            let manager = FileManager.default
            for label in (try? manager.contentsOfDirectory(atPath: folder)) ?? [] {
                let place = URL(filePath: folder).appending(path: "\(label)/\(node)")
                for file in (try? manager.contentsOfDirectory(atPath: place.path)) ?? []
                where file.hasPrefix("question-") && file.hasSuffix(Dataset.fileSuffix) {
                    do { try manager.removeItem(at: place.appending(path: file)) } catch {
                        throw FileProblem(
                            path: place.appending(path: file).path, reason: "cannot be replaced: \(error.fileReason)")
                    }
                }
                // Only empty folders can be removed so.
                rmdir(place.path)
                rmdir(place.deletingLastPathComponent().path)
            }
        }

        private func tell(_ clips: [LabelledClip]) throws {
            struct Answer: Encodable {
                let folder: String
                let clips: Int
                let labels: [String: Int]
            }
            let labels = Dictionary(clips.map { ($0.label, 1) }, uniquingKeysWith: +)
            if json { return try JSON.print(Answer(folder: folder, clips: clips.count, labels: labels)) }
            guard !clips.isEmpty else {
                return Output.line("No answer has joints: nothing is written. `spotter learn` asks.")
            }
            Output.line("written to \(folder): \(clips.count.counted("clip")) of \(labels.count.counted("label"))")
        }
    }
}
