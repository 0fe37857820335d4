import Foundation
import TestSupport
import Testing

/// Names that people type: in any letter case, and with the nearest one when they are mistyped.
@Suite struct KnownNameTests {
    private let folder: TemporaryFolder
    private let configuration: String
    private let stream: String

    init() throws {
        folder = try TemporaryFolder()
        configuration = folder.file("config.toml").path
        stream = folder.file("squat/squat_0.poses.jsonl").path
        let models = Program.root.appending(path: "Models").path
        let text = """
            mqtt.enabled = false
            history.path = "\(folder.file("spotter.db").path)"
            recognition.model = "\(models)/exercises.safetensors"
            [[camera]]
            id = "rack-1"
            source = "\(stream)"
            """
        try Data(text.utf8).write(to: folder.file("config.toml"))
        let made = try Program.run(
            "synthesize", "--motion", "squat", "--clips", "1", "--seconds", "20", "-o", folder.url.path)
        try #require(made.status == 0, "\(made.messages)")
    }

    private func spotter(_ arguments: String...) throws -> Program.Result {
        try Program.run(arguments + ["--config", configuration])
    }

    @Test func `letter case does not matter in names of actions, cameras and models`() throws {
        #expect(try spotter("run", "--quiet").status == 0)
        let asWritten = try spotter("history", "sessions", "--action", "squat", "--camera", "rack-1", "--json")
        let otherwise = try spotter("history", "sessions", "--action", "SQUAT", "--camera", "Rack-1", "--json")
        #expect(asWritten.output.contains("\"rack-1\"") && otherwise.output == asWritten.output, "\(otherwise)")
        let days = try spotter("history", "days", "--action", "Squat", "--csv")
        #expect(try days.output == spotter("history", "days", "--action", "squat", "--csv").output, "\(days)")
        let wrong = try spotter("history", "--action", "SQUTA")
        #expect(wrong.status == 3 && wrong.messages.contains("did you mean 'squat'?"), "\(wrong)")
        let count = try spotter("count", "--action", "Squat", stream)
        #expect(count.status == 0 && count.output.contains("squat"), "\(count)")
        #expect(try spotter("models", "use", "EXERCISES").status == 0)
        let model = try spotter("models", "use", "exercices")
        #expect(model.messages.contains("did you mean 'exercises'?"), "\(model)")
    }
}
