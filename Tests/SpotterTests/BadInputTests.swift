import Foundation
import TestSupport
import Testing

/// Every error ends in one clear sentence and the exit code of its kind.
@Suite struct BadInputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func check(_ result: Program.Result, status: Int32, says words: String...) {
        #expect(result.status == status, "\(result.messages)")
        let sentences = result.messages.split(separator: "\n").filter { $0.hasPrefix("spotter: ") }
        #expect(sentences.count == 1, "\(result.messages)")
        for word in words { #expect(result.messages.contains(word), "\(result.messages)") }
    }

    @Test func `a file that is not there`() throws {
        check(try Program.run("classify", "nowhere.mp4"), status: 3, says: "no such file: nowhere.mp4")
        check(try Program.run("classify", "nowhere.poses.jsonl"), status: 3, says: "nowhere.poses.jsonl")
    }

    @Test(.enabled(if: Program.hasPoseModels, "the pose networks are not fetched: make models"))
    func `a corrupt clip`() throws {
        let clip = folder.file("corrupt.mp4")
        try Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: clip)
        check(try Program.run("classify", clip.path), status: 74, says: "cannot decode", "corrupt.mp4")
    }

    @Test(arguments: [
        ["classify"], ["count", "--action", "squat"], ["preview", "-o", "/tmp/a.mp4"], ["poses", "-o", "-"],
        ["label"],
    ])
    func `a pipe instead of a recording`(command: [String]) throws {
        let pipe = folder.file("pipe.mp4").path
        try #require(mkfifo(pipe, 0o600) == 0)
        for name in [pipe, "/dev/stdin"] {
            let result = try Program.run(command + [name])
            #expect(result.status == 74 && result.messages.contains("save it to a file first"), "\(result.messages)")
        }
    }

    @Test func `a camera that is mistyped`() throws {
        let file = folder.file("cameras.toml")
        try Data("[[camera]]\nid = \"rack-1\"\nsource = \"/dev/video9\"\n".utf8).write(to: file)
        let result = try Program.run("cameras", "test", "rak-1", "--config", file.path)
        check(result, status: 3, says: "no camera has the name 'rak-1'", "did you mean 'rack-1'?")
    }

    @Test func `a classifier that is missing or damaged`() throws {
        let clip = Program.clips.appending(path: "stand_45.mp4").path
        check(try Program.run("classify", clip, "--model", "nix.safetensors"), status: 78, says: "nix.safetensors")
        let model = folder.file("bad.safetensors")
        try Data(repeating: 0xFF, count: 100).write(to: model)
        check(try Program.run("classify", clip, "--model", model.path), status: 78, says: "bad.safetensors")
    }

    @Test func `pose networks that are missing or damaged`() throws {
        let clip = Program.clips.appending(path: "stand_45.mp4").path
        check(
            try Program.run("classify", clip, "--pose-models", folder.url.path), status: 78,
            says: "pose_detection.tflite", "make models")
        check(
            try Program.run("label", clip, "--pose-models", folder.url.path), status: 78, says: "pose_detection.tflite",
            "make models")
        for name in ["pose_detection.tflite", "pose_landmark_full.tflite"] {
            try Data(repeating: 7, count: 5000).write(to: folder.file(name))
        }
        check(try Program.run("classify", clip, "--pose-models", folder.url.path), status: 78, says: "make models")
    }

    @Test func `a bad configuration`() throws {
        let file = folder.file("bad.toml")
        try Data("[mqtt]\nprot = 1883\n".utf8).write(to: file)
        check(
            try Program.run("run", "--config", file.path), status: 78, says: "bad.toml:2:1", "did you mean 'mqtt.port'")
        check(try Program.run("config", "check", file.path), status: 78, says: "bad.toml:2:1")
        check(try Program.run("run", "--config", "/nowhere.toml"), status: 78, says: "/nowhere.toml")
    }

    @Test(.enabled(if: Program.hasPoseModels, "the pose networks are not fetched: make models"))
    func `a camera that is not there`() throws {
        let database = folder.file("a.db").path
        check(
            try Program.run("run", "--source", "/dev/video-none", "--database", database, "--no-mqtt"), status: 69,
            says: "no camera at /dev/video-none")
    }

    @Test func `a database that cannot be written`() throws {
        check(
            try Program.run("run", "--source", "a.mp4", "--database", "/proc/spotter/a.db", "--no-mqtt"), status: 77,
            says: "/proc/spotter")
    }

    @Test func `a history that is not there`() throws {
        check(try Program.run("history", "--database", "/nowhere/a.db"), status: 3, says: "/nowhere/a.db")
    }

    @Test func `a file that is no history, and a folder in its place, say so`() throws {
        for name in ["empty.db", "folder.db"] {
            let path = folder.file(name)
            if name == "empty.db" {
                try Data().write(to: path)
            } else {
                try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            }
            let result = try Program.run("history", "--database", path.path)
            check(result, status: 74, says: name, name == "empty.db" ? "no history of Spotter" : "it is a folder")
            #expect(!result.messages.contains("memory") && !result.messages.contains("dmesg"), "\(result.messages)")
        }
        check(
            try Program.run(
                "db", "restore", folder.file("gone.db").path, "--database", folder.file("new.db").path, "--yes"),
            status: 3, says: "cannot be restored", "name another backup")
        try Data("no database".utf8).write(to: folder.file("damaged.db"))
        check(
            try Program.run(
                "db", "restore", folder.file("damaged.db").path, "--database", folder.file("new.db").path, "--yes"),
            status: 74, says: "cannot be restored", "name another backup")
    }

    @Test func `an export in a pipe is refused, and a failed import leaves no new history behind`() throws {
        let (pipe, new) = (folder.file("pipe").path, folder.file("new.db").path)
        #expect(mkfifo(pipe, 0o600) == 0)
        check(
            try Program.run("import", pipe, "--database", new), status: 74, says: "can be read only once",
            "write it to a file")
        let about = #"{"table":"about","format":"spotter.history","version":1,"node":"a","epoch":"b","seq":0,"#
        let rest = #""written":"2026-11-30T10:00:00.000Z","made_up":1,"rows":0}"#
        try Data((about + rest + "\n").utf8).write(to: folder.file("made-up.jsonl"))
        check(
            try Program.run("import", folder.file("made-up.jsonl").path, "--database", new), status: 74,
            says: "made-up history", "setup --demo")
        #expect(!FileManager.default.fileExists(atPath: new))
    }

    @Test(arguments: [
        ["classify"], ["setup", "--demo", "--site", "berlin"], ["classify", "a.mp4", "--subjects", "all"],
        ["run", "--mqtt-port", "0"], ["jump"],
        ["train", "-o", "a"], ["history", "--since", "soon"],
    ])
    func `wrong usage`(arguments: [String]) throws {
        let process = try Program.start(arguments)
        #expect(process.wait() == 2)
    }

    @Test(arguments: [
        [], ["run"], ["classify"], ["poses"], ["preview"], ["train"], ["history"], ["history", "sessions"],
        ["models", "show"], ["config", "check"], ["person"], ["person", "forget"],
    ])
    func `help has examples everywhere`(command: [String]) throws {
        let process = try Program.start(command + ["--help"])
        let text = process.output.whole()
        #expect(process.wait() == 0)
        #expect(text.contains("OVERVIEW") && (text.contains("EXAMPLES") || command == ["history", "sessions"]))
    }

    /// A command that breaks over two lines cannot be copied.
    @Test func `no help text breaks within a command or a sentence in 80 columns`() throws {
        var waiting = [[String]](arrayLiteral: [])
        var seen = 0
        while let command = waiting.popLast() {
            let lines = try Program.run(command + ["--help"]).output.split(
                separator: "\n", omittingEmptySubsequences: false)
            seen += 1
            for (line, next) in zip(lines, lines.dropFirst()) {
                #expect(line.count <= 80, "\(command): \(line)")
                #expect(line.count { $0 == "`" }.isMultiple(of: 2), "\(command): \(line)")
                // A short line in the middle of a paragraph was folded twice.
                let isBroken = !line.hasPrefix(" ") && (1...40).contains(line.count) && next.first?.isLetter == true
                #expect(!isBroken || line.hasSuffix(".") || line.hasSuffix(":"), "\(command): \(line)")
            }
            let commands = lines.drop { $0 != "SUBCOMMANDS:" }.dropFirst().prefix { !$0.isEmpty }
            for line in commands where line.prefix(3).last?.isLetter == true {
                line.split(separator: " ").first.map { waiting.append(command + [String($0)]) }
            }
        }
        #expect(seen > 60)
    }
}
