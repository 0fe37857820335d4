import Foundation
import TestSupport
import Testing

/// `spotter setup`, answered through a pipe and by options.
struct SetupTests {
    private let folder: TemporaryFolder
    private let stream: String
    private var file: String { folder.file("config.toml").path }
    private var written: String { folder.file("conf.d/setup.toml").path }

    init() throws {
        folder = try TemporaryFolder()
        let models = Program.root.appending(path: "Models").path
        let text = """
            [recognition]
            model = "\(models)/exercises.safetensors"
            pose_models = "\(models)"
            [history]
            path = "\(folder.file("spotter.db").path)"
            """
        try Data(text.utf8).write(to: folder.file("config.toml"))
        let poses = folder.file("squat.poses.jsonl")
        try GroundTruth(clip: "squat_front").writePoseStream(to: poses)
        stream = poses.path
    }

    private func setup(answers: [String] = [], _ arguments: String...) throws -> Program.Result {
        let input = answers.map { $0 + "\n" }.joined()
        return try Program.shell(
            "printf %s \"$ANSWERS\" | \"$SPOTTER\" setup --config \"$FILE\" --no-start --look 1 \"$@\"", in: folder.url,
            arguments: arguments,
            environment: ["ANSWERS": input, "SPOTTER": Program.executable.path, "FILE": file, "LANG": "C.UTF-8"])
    }

    private func shown(_ key: String) throws -> String {
        let list = try Program.run("config", "show", "--config", file, "--json").output
        let entries = try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[String: Any]]
        return entries?.first { $0["key"] as? String == key }?["value"] as? String ?? ""
    }

    @Test func `questions are asked until the answers work, and the file holds them`() throws {
        let broker = try Broker(in: folder.url, password: "pa\"ss word")
        let port = try #require(broker.securedPort)
        let result = try setup(
            answers: [
                "Not An Id", "berlin", "Front \"desk\"",
                "7", "rack1=/dev/nothing", "n", "rack1=\(stream)", "Rack by the door",
                "a b", "127.0.0.1:\(port)", "none", "none", "n",
                "127.0.0.1:\(port)", "none", "gym", "pa\"ss word",
                "everybody", "network", "y",
            ])
        #expect(result.status == 0, "\(result.messages)")
        let expected = [
            "The id ", "A camera 7 is not in the list", "bad: ", "Keep these cameras all the same",
            "1 in view", "A broker is written as a host", "Keep this broker all the same", "lets this node in",
            "Answer nobody, machine or network", "wrote \(written)", "spotter web password",
        ]
        for words in expected { #expect(result.messages.contains(words), "\(words): \(result.messages)") }
        #expect(result.messages.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) }, "no skeleton")
        #expect(!(result.messages + result.output).contains("pa\"ss"))
        #expect(try shown("node.site") == "\"berlin\"" && shown("node.name") == "\"Front \\\"desk\\\"\"")
        #expect(try shown("camera[0].id") == "\"rack1\"" && shown("mqtt.port") == "\(port)")
        #expect(try shown("camera[0].name") == "\"Rack by the door\"")
        #expect(try shown("web.listen") == "\"0.0.0.0:8080\"")
        let password = folder.file("mqtt-password").path
        #expect(try String(contentsOfFile: password, encoding: .utf8) == "pa\"ss word\n")
        let mode = try FileManager.default.attributesOfItem(atPath: password)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        // The node connects with what was written.
        #expect(
            try Program.run("run", "--config", file, "--quiet").status == 0
                && broker.messages().contains { $0.topic.hasSuffix("info") || $0.topic == "status" })
    }

    @Test func `options answer as well, and a second run keeps what it does not change`() throws {
        let first = try setup(
            "--yes", "--site", "bonn", "--camera", "a=\(stream)", "--camera", "b=/tmp/b.mp4",
            "--broker", "none", "--look", "0")
        #expect(first.status == 0, "\(first.messages)")
        let text = try String(contentsOfFile: written, encoding: .utf8)
        try text.replacing("id = \"b\"\n", with: "id = \"b\"\nrotate = 90\n")
            .write(toFile: written, atomically: true, encoding: .utf8)
        let second = try setup(
            "--yes", "--name", "Hall", "--look", "0", "--camera", "b=rtsp://u:secret@h/x", "--camera", "c=\(stream)")
        #expect(second.status == 0, "\(second.messages)")
        #expect(
            try shown("node.site") == "\"bonn\"" && shown("node.name") == "\"Hall\"" && shown("mqtt.enabled") == "false"
        )
        #expect(
            try shown("camera[0].rotate") == "90" && shown("camera[1].rotate") == "0"
                && shown("camera[1].id") == "\"c\"")
        #expect(!second.messages.contains("secret"))
        let mode = try FileManager.default.attributesOfItem(atPath: written)[.posixPermissions] as? Int
        #expect(mode == 0o640, "an address with a password is not for everybody")
    }

    @Test func `a camera or broker that does not answer is written all the same, and ends with 1`() throws {
        let result = try setup("--yes", "--camera", "rack-1=/dev/nothing", "--broker", "127.0.0.1:9")
        #expect(result.status == 1 && result.messages.components(separatedBy: "bad: ").count == 3, "\(result.messages)")
        #expect(try shown("mqtt.port") == "9" && shown("camera[0].name") == "\"Rack 1\"")
        let end = "No answer came from the camera rack-1 and from the broker 127.0.0.1:9."
        #expect(result.messages.contains(end) && result.messages.contains("names what did not answer"))
    }

    @Test func `a broker whose name does not exist is told in words that help`() throws {
        let result = try setup("--yes", "--broker", "hub.invalid", "--look", "0", "--dry-run")
        let isTold = result.messages.contains("no machine has the name hub.invalid)")
        #expect(result.status == 1 && isTold && result.messages.contains("Nothing was written."), "\(result.messages)")
    }

    @Test(arguments: [
        [], ["berlin"], ["berlin", "", "", "n"],
    ]) func `nothing is written before the last answer`(answers: [String]) throws {
        let result = try setup(answers: answers)
        #expect(result.status == 2 && result.messages.contains("nothing was changed"), "\(result.messages)")
        #expect(!FileManager.default.fileExists(atPath: written))
    }

    @Test func `a file that is read later and differs is named, and nothing is changed`() throws {
        try FileManager.default.createDirectory(atPath: folder.file("conf.d").path, withIntermediateDirectories: true)
        let later = folder.file("conf.d/zz.toml").path
        try "[mqtt]\nhost = \"other\"\n".write(toFile: later, atomically: true, encoding: .utf8)
        let result = try setup("--yes", "--broker", "127.0.0.1", "--look", "0")
        #expect(result.status == 78, "\(result.messages)")
        #expect(result.messages.contains("mqtt.host is also in \(later):2"), "\(result.messages)")
        #expect(!FileManager.default.fileExists(atPath: written))
    }

    @Test(arguments: [
        (["--site", "A b"], "--site"), (["--broker", "mqtt://x"], "--broker"), (["--camera", ""], "--camera"),
        (["--camera", "a=/x", "--camera", "a=/y"], "named twice"), (["--page", "all"], "page"),
        (["--look", "99"], "--look"),
    ]) func `options that cannot work are refused`(options: [String], words: String) throws {
        let result = try Program.run(["setup", "--yes", "--config", file] + options)
        #expect(result.status == 2 && result.messages.contains(words), "\(result.messages)")
        #expect(!result.messages.contains("<subcommand>") && !result.messages.contains("rack-1"), "\(result.messages)")
        #expect(!FileManager.default.fileExists(atPath: written))
    }

    @Test func `a trial run shows the file, without passwords`() throws {
        let result = try setup(
            "--yes", "--dry-run", "--camera", "rtsp://u:secret@127.0.0.1:9/x", "--look", "0", "--broker", "none")
        #expect(
            result.status == 0 && result.output.contains("source = \"rtsp://u:***@127.0.0.1:9/x\""), "\(result.output)")
        #expect(!FileManager.default.fileExists(atPath: written))
    }
}
