import Foundation
import TestSupport
import Testing

/// The history of the bundled clip of all exercises, and the program's commands on it.
struct DemoHistory {
    let folder: TemporaryFolder
    let database: String

    init() throws {
        folder = try TemporaryFolder()
        database = folder.file("spotter.db").path
        let stream = folder.file("demo.poses.jsonl")
        try GroundTruth(clip: "demo").writePoseStream(to: stream)
        let run = try Program.run("run", "--source", stream.path, "--database", database, "--no-mqtt", "--quiet")
        #expect(run.status == 0, "\(run.messages)")
    }

    /// What a command prints that succeeds.
    func spotter(_ arguments: String...) throws -> String { try spotter(arguments) }

    func spotter(_ arguments: [String]) throws -> String {
        let result = try Program.run(arguments + ["--database", database])
        #expect(result.status == 0, "\(arguments): \(result.messages)")
        return result.output
    }
}
