import Foundation
import TestSupport
import Testing

/// Files that the user named for results: whether they can be written is known before the work, and nothing is lost.
@Suite struct ResultFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `a training says at once that its model or its report cannot be written`() throws {
        let missing = folder.file("missing/own.safetensors").path
        // So many clips take minutes.
        let began = ContinuousClock.now
        let trained = try Program.run("train", "--synthetic", "8000", "-o", missing)
        #expect(trained.status == 74 && trained.messages.contains("there is no folder"), "\(trained.messages)")
        let own = folder.file("own.safetensors").path
        let reported = try Program.run("train", "--synthetic", "8000", "-o", own, "--report", folder.url.path)
        #expect(reported.status == 74 && reported.messages.contains("it is a folder"), "\(reported.messages)")
        let made = try Program.run("synthesize", "--clips", "4", "-o", "/proc/none")
        #expect(made.status == 74 && made.messages.contains("/proc/none"), "\(made.messages)")
        #expect(ContinuousClock.now - began < .seconds(60))
    }

    @Test(arguments: [
        (["--date", "2026-13-45"], "--date takes a day"), (["--name", ""], "--name takes"),
        (["--name", "../evil"], "--name takes"), (["--validation", "1.5"], "--validation takes a share"),
        (["--validation", "nan"], "--validation takes a share"),
        (["--from", "a", "--teacher", "b"], "--from or --teacher"),
    ])
    func `options of a training that cannot be are refused`(options: [String], reason: String) throws {
        let result = try Program.run(["train", "--synthetic", "100", "-o", folder.file("m").path] + options)
        #expect(result.status == 2 && result.messages.contains(reason), "\(result.messages)")
    }

    @Test func `what belongs to synthetic people is refused for recorded ones`() throws {
        let result = try Program.run("evaluate", "Models/exercises.safetensors", folder.url.path, "--yaw", "90")
        #expect(result.status == 2 && result.messages.contains("belong to --synthetic"), "\(result.messages)")
    }

    @Test func `a demonstration that is only to be shown writes nothing`() throws {
        let demo = folder.file("demo").path
        let dry = try Program.run("setup", "--demo", "--dry-run", "--folder", demo)
        #expect(dry.status == 0 && dry.output.contains("[[camera]]"), "\(dry.messages)")
        #expect(!FileManager.default.fileExists(atPath: demo))
        #expect(try Program.run("setup", "--demo", "--folder", demo).status == 0)
        let file = URL(filePath: demo).appending(path: "config.toml")
        let edited = try String(contentsOf: file, encoding: .utf8) + "\n# mine\n"
        try Data(edited.utf8).write(to: file)
        let again = try Program.run("setup", "--demo", "--folder", demo)
        #expect(again.status == 0 && again.messages.contains("config.toml.before"), "\(again.messages)")
        #expect(try String(contentsOfFile: file.path + ".before", encoding: .utf8) == edited)
        try backUp(demo)
        try export(demo)
    }

    private func backUp(_ demo: String) throws {
        let link = folder.file("link.db").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: demo + "/spotter.db")
        for copy in [demo + "/spotter.db", demo + "/./spotter.db", link] {
            let result = try Program.run("db", "backup", copy, "--force", "--database", demo + "/spotter.db")
            #expect(result.status == 74 && result.messages.contains("the history itself"), "\(result.messages)")
        }
        #expect(try Program.run("db", "check", "--database", demo + "/spotter.db").status == 0)
    }

    private func export(_ demo: String) throws {
        let (file, tables) = (folder.file("history.jsonl").path, folder.file("history").path)
        for arguments in [["-o", file], ["--format", "csv", "-o", tables]] {
            let result = try Program.run(["export", "--database", demo + "/spotter.db"] + arguments)
            #expect(result.status == 0, "\(result.messages)")
        }
        #expect(try mode(file) == 0o640 && mode(tables) == 0o750 && mode(tables + "/sets.csv") == 0o640)
        let nowhere = try Program.run(
            "export", "--database", demo + "/spotter.db", "-o", folder.file("no/x.jsonl").path)
        #expect(nowhere.status == 74 && nowhere.messages.contains("there is no folder"), "\(nowhere.messages)")
    }
}
