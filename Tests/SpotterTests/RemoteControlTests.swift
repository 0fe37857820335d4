import Foundation
import TestSupport
import Testing

/// Control of a running node: commands over a real broker, and signals.
@Suite struct RemoteControlTests {
    private let temporary: TemporaryFolder
    private var folder: URL { temporary.url }
    private let stream: String
    private let configuration: String

    init() throws {
        temporary = try TemporaryFolder()
        let file = temporary.url.appending(path: "demo.poses.jsonl")
        try GroundTruth(clip: "demo").writePoseStream(to: file, times: 8)
        stream = file.path
        configuration = temporary.file("config.toml").path
    }

    private func write(_ more: String = "", broker: Broker) throws {
        // The broker does not authenticate clients, so risky commands must be listed.
        let commands = "[commands]\nallow = [\"default\", \"session_end\", \"camera_set\", \"restart\"]"
        let text = """
            [[camera]]
            source = "\(stream)"
            [history]
            path = "\(folder.path)/spotter.db"
            [mqtt]
            host = "127.0.0.1"
            port = \(broker.port)
            \(more)
            \(more.contains("[commands]") ? "" : commands)
            """
        try Data(text.utf8).write(to: URL(filePath: configuration))
    }

    private func command(_ name: String, _ payload: String, _ broker: Broker) throws {
        let node = try #require(try broker.messages().first { $0.topic == "info" }?.payload["node"] as? String)
        try Program.tool(
            "mosquitto_pub",
            ["-p", "\(broker.port)", "-q", "1", "-t", "spotter/v1/gym/\(node)/cmd/\(name)", "-m", payload])
    }

    private static func states(_ messages: [(topic: String, payload: [String: Any])]) -> [String] {
        messages.filter { $0.topic == "status" }.compactMap { $0.payload["state"] as? String }
    }

    @Test func `a restart command is answered first, keeps the process and loses nothing`() throws {
        let broker = try Broker(in: folder)
        try write(broker: broker)
        let process = try Program.start(["run", "--config", configuration, "--realtime", "--quiet"])
        #expect(try broker.wait { $0.contains { $0.topic == "status" && $0.payload["state"] as? String == "online" } })
        try command("restart", #"{"id":"r1"}"#, broker)
        #expect(
            try broker.wait { Self.states($0).filter { $0 == "online" }.count == 2 })
        #expect(try Self.states(broker.messages()) == ["starting", "online", "stopped", "starting", "online"])
        #expect(try broker.messages().contains { $0.topic == "res/restart" && $0.payload["status"] as? String == "ok" })
        #expect(process.isRunning)
        process.terminate()
        let text = process.messages.whole()
        #expect(process.wait() == 0, "\(text)")
    }

    @Test func `scenario 34: SIGHUP applies a valid configuration and ignores a broken one`() throws {
        let broker = try Broker(in: folder)
        try write(broker: broker)
        let process = try Program.start(["run", "--config", configuration, "--realtime"])
        #expect(try broker.wait { $0.contains { $0.topic == "status" && $0.payload["state"] as? String == "online" } })
        try write("prot = 1", broker: broker)
        process.send(SIGHUP)
        try command("config_check", #"{"id":"c1"}"#, broker)
        #expect(try broker.wait { $0.contains { $0.topic == "res/config_check" } })
        let answer = try #require(try broker.messages().last { $0.topic == "res/config_check" })
        #expect((answer.payload["data"] as? [String: Any])?["ok"] as? Bool == false)
        #expect(try Self.states(broker.messages()) == ["starting", "online"])
        try write("live = false", broker: broker)
        process.send(SIGHUP)
        #expect(try broker.wait { Self.states($0).filter { $0 == "online" }.count == 2 })
        process.terminate()
        let text = process.messages.whole()
        process.wait()
        #expect(text.contains("config.toml:8") || text.contains("prot"), "\(text)")
    }

    @Test func `a preview is a skeleton on black, a JPEG a second, and ends by itself`() throws {
        let broker = try Broker(in: folder)
        try write("[commands]\nallow = [\"ping\", \"preview\"]", broker: broker)
        let process = try Program.start(["run", "--config", configuration, "--realtime"])
        #expect(try broker.wait { $0.contains { $0.topic == "cam/camera1/live" } })
        let info = try #require(try broker.messages().last { $0.topic == "info" })
        #expect((info.payload["privacy"] as? [String: Any])?["images"] as? String == "skeleton")
        let node = try #require(info.payload["node"] as? String)
        let pictures = folder.appending(path: "pictures")
        // The retained message arrives once the subscription is active.
        let preview = "spotter/v1/gym/\(node)/cam/camera1/preview"
        try Program.tool("mosquitto_pub", ["-p", "\(broker.port)", "-q", "1", "-r", "-t", "ready", "-m", "1"])
        let subscriber = try Child(
            "mosquitto_sub", ["-p", "\(broker.port)", "-t", "ready", "-t", preview, "-F", "%t %r %x"],
            output: .file(pictures))
        defer { subscriber.terminate() }
        func heard() -> [Substring] {
            ((try? String(contentsOf: pictures, encoding: .utf8)) ?? "").split(separator: "\n")
        }
        #expect(Program.wait { !heard().isEmpty })
        try command("preview", #"{"id":"p1","args":{"camera":"camera1","seconds":4}}"#, broker)
        #expect(
            try broker.wait { $0.contains { $0.topic == "res/preview" && $0.payload["status"] as? String == "ok" } })
        try command("preview", #"{"id":"p2","args":{"camera":"camera2","seconds":2}}"#, broker)
        #expect(
            try broker.wait {
                $0.contains { ($0.payload["error"] as? [String: Any])?["code"] as? String == "unknown_camera" }
            })
        // The preview ends by itself: nothing more comes for twice the requested time.
        #expect(Program.wait { heard().count > 2 })
        var (count, since) = (0, Date())
        #expect(
            Program.wait {
                if heard().count > count { (count, since) = (heard().count, Date()) }
                return Date().timeIntervalSince(since) > 8
            })
        process.terminate()
        process.wait()
        let seen = heard().filter { $0.hasPrefix(preview) }.map { $0.dropFirst(preview.count + 1) }
        #expect((2...5).contains(seen.count), "\(seen.count) pictures")
        // Each picture is a whole JPEG, not retained, and small: lines on black.
        #expect(seen.allSatisfy { $0.lowercased().hasPrefix("0 ffd8") && $0.lowercased().hasSuffix("ffd9") })
        #expect(seen.allSatisfy { $0.count < 120_000 })
    }

    @Test func `a model chosen by command overrides the configuration and survives a restart`() throws {
        let models = folder.appending(path: "models")
        try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
        let shipped = Program.root.appending(path: "Models/exercises.safetensors")
        let (own, other) = (models.appending(path: "own.safetensors"), models.appending(path: "other.safetensors"))
        try FileManager.default.copyItem(at: shipped, to: own)
        // The same weights under another name of the same length.
        var bytes = try Data(contentsOf: shipped)
        let name = try #require(bytes.range(of: Data(#"\"name\":\"exercises\""#.utf8)))
        bytes.replaceSubrange(name, with: Data(#"\"name\":\"exercisez\""#.utf8))
        try bytes.write(to: other)
        let broker = try Broker(in: folder)
        let more = "[recognition]\nmodel = \"\(own.path)\"\n[commands]\nallow = [\"model_set\"]"
        try write(more, broker: broker)
        let process = try Program.start(["run", "--config", configuration, "--realtime"])
        #expect(try broker.wait { $0.contains { $0.topic == "status" && $0.payload["state"] as? String == "online" } })
        try command("model_set", #"{"id":"m1","args":{"id":"../own"}}"#, broker)
        #expect(
            try broker.wait {
                $0.contains { ($0.payload["error"] as? [String: Any])?["code"] as? String == "unknown_model" }
            })
        try command("model_set", #"{"id":"m2","args":{"id":"exercisez"}}"#, broker)
        #expect(try broker.wait { Self.states($0).filter { $0 == "online" }.count == 2 })
        let model = try #require(try broker.messages().last { $0.topic == "info" }?.payload["model"] as? [String: Any])
        #expect(model["id"] as? String == "exercisez" && model["overridden"] as? Bool == true)
        // Without the chosen model the node continues with the configured one.
        try FileManager.default.removeItem(at: other)
        process.terminate()
        let text = process.messages.whole()
        process.wait()
        #expect(text.contains("exercisez"), "\(text)")
        let short = folder.appending(path: "short.poses.jsonl")
        try GroundTruth(clip: "stand_45").writePoseStream(to: short)
        let again = try Program.run("run", "--config", configuration, "--source", short.path)
        #expect(again.status == 0 && again.messages.contains("is gone"), "\(again.messages)")
    }

    @Test func `the log level is raised for a while, and warnings are published over MQTT where configured`() throws {
        let broker = try Broker(in: folder)
        try write("log = true\n[commands]\nallow = [\"log_level\"]\n[log]\nlevel = \"error\"", broker: broker)
        let process = try Program.start(["run", "--config", configuration, "--realtime"])
        #expect(try broker.wait { $0.contains { $0.topic == "status" && $0.payload["state"] as? String == "online" } })
        // A retained command causes a warning.
        let node = try #require(try broker.messages().first { $0.topic == "info" }?.payload["node"] as? String)
        func warn(_ command: String) throws {
            let topic = "spotter/v1/gym/\(node)/cmd/\(command)"
            try Program.tool("mosquitto_pub", ["-p", "\(broker.port)", "-q", "1", "-r", "-t", topic, "-m", "{}"])
        }
        func isTold(_ command: String) -> ([(topic: String, payload: [String: Any])]) -> Bool {
            { $0.contains { $0.topic == "log" && "\($0.payload)".contains("cmd/\(command)") } }
        }
        try warn("ping")
        try command("log_level", #"{"id":"l1","args":{"level":"info","for_s":60}}"#, broker)
        #expect(try broker.wait { $0.contains { $0.topic == "res/log_level" } })
        try warn("health")
        #expect(try broker.wait(until: isTold("health")))
        #expect(!isTold("ping")(try broker.messages()), "below the level nothing is told")
        process.terminate()
        let text = process.messages.whole()
        process.wait()
        #expect(text.contains(" warning ") && !text.contains("cmd/ping"), "\(text)")
        #expect(!text.contains("connected to"), "\(text)")
    }

    @Test func `a database is checked, copied under a running node, and restored as a new epoch`() throws {
        let database = folder.appending(path: "spotter.db").path
        let copy = folder.appending(path: "copy.db").path
        let arguments = ["run", "--source", stream, "--database", database, "--no-mqtt", "--quiet"]
        let process = try Program.start(arguments + ["--realtime"])
        #expect(
            try Program.wait {
                guard FileManager.default.fileExists(atPath: database) else { return false }
                return try Program.sqlite(database, "SELECT count(*) FROM session") == ["1"]
            })
        #expect(try Program.run("db", "backup", copy, "--database", database).status == 0)
        let again = try Program.run("db", "backup", copy, "--database", database)
        #expect(again.status == 74 && again.messages.contains("--force replaces it"), "\(again.messages)")
        #expect(try Program.run("db", "restore", copy, "--database", database, "--yes").status == 75)
        process.terminate()
        process.wait()
        #expect(try Program.run("db", "check", "--database", database).output.contains("ok"))
        let epoch = try Program.tool("sqlite3", [database, "SELECT v FROM meta WHERE k = 'epoch'"])
        #expect(try Program.run("db", "restore", copy, "--database", database).status == 2, "only a look")
        #expect(try Program.tool("sqlite3", [database, "SELECT v FROM meta WHERE k = 'epoch'"]) == epoch)
        #expect(try Program.run("db", "restore", copy, "--database", database, "--yes").status == 0)
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(before.contains { $0.hasPrefix("spotter.db.before-restore-") })
        let short = folder.appending(path: "short.poses.jsonl")
        try GroundTruth(clip: "stand_45").writePoseStream(to: short)
        #expect(try Program.run("run", "--source", short.path, "--database", database, "--no-mqtt").status == 0)
        let new = try Program.tool("sqlite3", [database, "SELECT v FROM meta WHERE k = 'epoch'"])
        #expect(!new.isEmpty && new != epoch)
        // With one byte of the copy changed, the check reports it and nothing is restored.
        let file = try FileHandle(forUpdating: URL(filePath: copy))
        try file.seek(toOffset: 4096 * 3)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        try file.close()
        #expect(try Program.run("db", "check", "--database", copy).status == 74)
        #expect(try Program.run("db", "restore", copy, "--database", database, "--yes").status == 74)
    }
}
