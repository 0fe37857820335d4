import Foundation
import Records
import TestSupport
import Testing

/// What `spotter train --progress json` tells programs, such as the node's page.
@Suite struct TrainingProgressTests {
    private let temporary: TemporaryFolder
    private var clips: String { temporary.file("clips").path }
    private var model: String { temporary.file("own.safetensors").path }

    init() throws {
        temporary = try TemporaryFolder()
        let made = try Program.run(
            "synthesize", "--motion", "squat", "--motion", "walk", "--clips", "6", "-o", clips)
        #expect(made.status == 0, "\(made.messages)")
    }

    private func events(in output: String) throws -> [JSONValue] {
        try output.split(separator: "\n").map { try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) }
    }

    @Test func `every line is an event, from reading to done`() throws {
        try Data("{}\n".utf8).write(to: temporary.file("clips/squat/broken.poses.jsonl"))
        let result = try Program.run(
            "train", clips, "-o", model, "--epochs", "2", "--name", "own", "--progress", "json", "--force")
        #expect(result.status == 0, "\(result.messages)")
        let events = try events(in: result.output)
        func all(_ name: String) -> [JSONValue] { events.filter { $0["event"]?.text == name } }
        #expect(all("reading").last?["done"]?.integer == 13 && all("reading").last?["clips"]?.integer == 13)
        #expect(all("rejected").map { $0["clip"]?.text } == ["squat/broken.poses.jsonl"])
        let ends = all("progress").filter { $0["end_of_epoch"]?.bool == true }
        #expect(ends.map { $0["epoch"]?.integer } == [1, 2] && ends.allSatisfy { $0["epochs"]?.integer == 2 })
        #expect(ends.allSatisfy { $0["loss"] != nil && $0["validation"]?["recall"] != nil })
        #expect(ends.allSatisfy { $0["seconds_left"] != nil })
        let judged = try #require(all("evaluation").first)
        #expect(judged["of"]?.text == "new" && judged["model"]?.text == "own" && judged["windows"]?["confusion"] != nil)
        #expect(events.last?["event"]?.text == "done" && events.last?["output"]?.text == model)
        #expect(events.last?["stopped"]?.bool == false && result.messages.isEmpty, "\(result.messages)")
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends the training, and the best model so far is kept`(signal: Int32) throws {
        let process = try Program.start([
            "train", clips, "-o", model, "--epochs", "5000", "--patience", "5000", "--progress", "json", "--force",
        ])
        #expect(
            Program.wait(1200) { process.output.text.contains("\"end_of_epoch\":true") || !process.isRunning })
        process.send(signal)
        let (text, complaint) = (process.output.whole(), process.messages.whole())
        #expect(process.wait() == 0, "\(complaint)")
        #expect(try events(in: text).last?["stopped"]?.bool == true)
        #expect(try Program.run("models", "verify", model).status == 0)
    }

    @Test func `the model that a training starts from is judged on the same clips`() throws {
        let result = try Program.run(
            "train", clips, "-o", model, "--from", "Models/exercises.safetensors", "--rehearsal", "1", "--epochs", "1",
            "--progress", "json", "--force")
        #expect(result.status == 0, "\(result.messages)")
        let all = try events(in: result.output)
        let judged = all.filter { $0["event"]?.text == "evaluation" }
        // Three parts of the clips judge, in turns.
        #expect(judged.map { $0["of"]?.text } == ["new", "start", "new", "start", "new", "start"])
        #expect(all.last?["verdict"]?["labels"] != nil)
        #expect(judged.last?["model"]?.text == "exercises")
    }

    @Test func `a model that is not ready gets another name, and the exit code says so`() throws {
        let made = try Program.run(
            "synthesize", "--motion", "pull_up", "--clips", "2", "-o", temporary.file("clips").path)
        #expect(made.status == 0, "\(made.messages)")
        try FileManager.default.moveItem(at: temporary.file("clips/pull_up"), to: temporary.file("clips/chin_up"))
        let result = try Program.run("train", clips, "-o", model, "--epochs", "1", "--rehearsal", "20")
        #expect(result.status == 1, "\(result.messages)")
        #expect(result.output.contains("NOT READY") && result.output.contains("chin_up has only 2 clips."))
        #expect(result.output.contains("Record chin_up until there are 5 clips or more"))
        #expect(!FileManager.default.fileExists(atPath: model))
        #expect(try Program.run("models", "verify", temporary.file("own-not-ready.safetensors").path).status == 0)
    }

    @Test func `two forms of output are refused`() throws {
        #expect(try Program.run("train", clips, "-o", model, "--json", "--progress", "json").status == 2)
    }
}
