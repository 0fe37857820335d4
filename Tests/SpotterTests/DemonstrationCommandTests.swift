import Foundation
import TestSupport
import Testing

/// `spotter setup --demo`, and what the other commands do with a made-up week.
struct DemonstrationCommandTests {
    private static let mark = "This history was made up"
    private let folder: TemporaryFolder
    private let made: Program.Result
    private var demo: String { folder.file("demo").path }
    private var file: String { "\(demo)/config.toml" }
    private var database: String { "\(demo)/spotter.db" }

    init() throws {
        folder = try TemporaryFolder()
        made = try Program.run("setup", "--demo", "--folder", folder.file("demo").path, "--seed", "5")
    }

    private func sqlite(_ query: String) throws -> [String] { try Program.sqlite(database, query) }

    private func json(_ arguments: String...) throws -> [[String: Any]] {
        let result = try Program.run(arguments + ["--config", file, "--json"])
        #expect(result.status == 0 && result.messages.contains(Self.mark), "\(arguments): \(result.messages)")
        return try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]] ?? []
    }

    @Test func `a week is made up with one command, again and again`() throws {
        #expect(made.status == 0 && made.messages.contains("made up 7 days"), "\(made.messages)")
        let again = try Program.run("setup", "--demo", "--folder", demo, "--seed", "6")
        let seed = try sqlite("SELECT v FROM meta WHERE k = 'made_up'")
        #expect(again.status == 0 && seed == ["6"], "\(again.messages)")
        #expect(try Program.run("config", "check", "--config", file).status == 0)
    }

    @Test func `every command that shows it says on stderr that it was made up`() throws {
        for command in [
            "history", "history days", "history hours", "history weekdays", "history workouts", "history records Anna",
            "history cameras", "history alarms", "history zones", "report --name Anna", "person show Ben",
            "db check", "workout board", "export",
        ] {
            let result = try Program.run(command.split(separator: " ").map(String.init) + ["--config", file])
            #expect(result.status == 0 && result.messages.contains(Self.mark), "\(command): \(result.messages)")
            #expect(!result.output.contains(Self.mark) && result.output.count > 20, "\(command)")
        }
        let status = try Program.run("status", "--config", file, "--json")
        #expect(status.messages.contains(Self.mark) && status.output.contains("\"made_up\" : true"), "\(status.output)")
        let export = try Program.run("export", "--config", file).output.split(separator: "\n").first ?? ""
        #expect(export.contains("\"made_up\":1"), "\(export)")
    }

    @Test func `what the commands tell is what is in the database`() throws {
        let days = try json("history", "days")
        let frames = days.flatMap { ($0["frames"] as? [String: Int] ?? [:]).values }.reduce(0, +)
        #expect(try [String(frames)] == sqlite("SELECT sum(frames) FROM day_action"))
        #expect(try [String(json("history", "sessions").count)] == sqlite("SELECT count(*) FROM session"))
        #expect(try [String(json("history", "workouts").count)] == sqlite("SELECT count(*) FROM workout"))
    }

    @Test func `a node stores nothing in it, and --demo shows nothing else`() throws {
        let count = try sqlite("SELECT count(*) FROM session")
        let stream = folder.file("squat.poses.jsonl")
        try GroundTruth(clip: "squat_front").writePoseStream(to: stream)
        let run = ["run", "--source", stream.path, "--no-mqtt", "--quiet"]
        let refused = try Program.run(run + ["--database", database])
        #expect(refused.status == 78 && refused.messages.contains("spotter run --demo"), "\(refused.messages)")
        let seen = folder.file("seen.db").path
        #expect(try Program.run(run + ["--database", seen]).status == 0)
        let other = try Program.run(run + ["--database", seen, "--demo"])
        #expect(other.status == 78 && other.messages.contains("was not made up"), "\(other.messages)")
        #expect(try sqlite("SELECT count(*) FROM session") == count)
    }

    @Test func `a node with --demo looks, stores nothing, and publishes nothing`() throws {
        let broker = try Broker(in: folder.url)
        let stream = folder.file("squat.poses.jsonl")
        try GroundTruth(clip: "squat_front").writePoseStream(to: stream)
        let tables = ["session", "record", "prediction", "day_action", "occupancy", "camera_absence"]
        let counts = { try tables.map { try sqlite("SELECT count(*) FROM \($0)") } }
        let before = try counts()
        let result = try Program.run(
            ["run", "--demo", "--config", file, "--source", stream.path],
            environment: [
                "SPOTTER_MQTT_ENABLED": "true", "SPOTTER_MQTT_HOST": "127.0.0.1", "SPOTTER_MQTT_PORT": "\(broker.port)",
                "SPOTTER_WEB_LISTEN": "127.0.0.1:0",
            ])
        #expect(result.status == 0 && result.messages.contains(Self.mark), "\(result.messages)")
        #expect(try counts() == before)
        let topics = try broker.messages().map(\.topic)
        #expect(topics.allSatisfy { $0.hasPrefix("probe") || $0.isEmpty }, "\(topics)")
    }

    @Test func `every page says that it was made up, and its numbers are those of the database`() throws {
        let node = try Program.start(
            ["run", "--demo", "--config", file], environment: ["SPOTTER_WEB_LISTEN": "127.0.0.1:0"])
        defer {
            node.terminate()
            node.wait()
        }
        var port: Int?
        _ = Program.wait {
            port = node.messages.text.firstMatch(of: /the page is at http:\/\/127\.0\.0\.1:(\d+)\//).flatMap {
                Int($0.1)
            }
            return port != nil || !node.isRunning
        }
        let address = try #require(port, "\(node.messages.text)")
        func get(_ path: String) throws -> String {
            let client = try TCPClient(port: address)
            client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return client.read()
        }
        for page in ["", "tv", "history", "session", "aim", "node", "train", "learn", "workouts", "login", "member"] {
            #expect(try get("/\(page)").contains("/assets/made-up.js"), "\(page)")
        }
        #expect(try get("/assets/made-up.js").contains("made_up"))
        #expect(try get("/api/v1/state").contains("\"made_up\":true"))
        let body = try get("/api/v1/history/days").split(separator: "\r\n\r\n", maxSplits: 1).last ?? ""
        let days = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [[String: Any]] ?? []
        let sessions = days.compactMap { $0["sessions"] as? Int }.reduce(0, +)
        #expect(try [String(sessions)] == sqlite("SELECT count(*) FROM session"))
    }

    @Test func `exports and copies do not mix with what was seen`() throws {
        let stream = folder.file("squat.poses.jsonl")
        try GroundTruth(clip: "squat_front").writePoseStream(to: stream)
        let seen = folder.file("seen.db").path
        #expect(try Program.run("run", "--source", stream.path, "--no-mqtt", "--quiet", "--database", seen).status == 0)
        let export = folder.file("made-up.jsonl").path
        #expect(try Program.run("export", "--config", file, "-o", export).status == 0)
        let imported = try Program.run("import", export, "--database", seen)
        #expect(imported.status == 74 && imported.messages.contains("made-up history"), "\(imported.messages)")
        let restored = try Program.run("db", "restore", database, "--database", seen, "--yes")
        #expect(restored.status == 78, "\(restored.messages)")
        #expect(try Program.sqlite(seen, "SELECT count(*) FROM session") == ["1"])
        let own = folder.file("own")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: seen, toPath: own.appending(path: "spotter.db").path)
        let replaced = try Program.run("setup", "--demo", "--folder", own.path)
        #expect(replaced.status == 78 && replaced.messages.contains("was not made up"), "\(replaced.messages)")
    }

    @Test(arguments: [["--folder", "x"], ["--seed", "2"], ["--demo", "--camera", "door=/dev/video0"]])
    func `options that cannot work are refused`(options: [String]) throws {
        let result = try Program.run(["setup"] + options, environment: ["HOME": folder.url.path])
        #expect(result.status == 2, "\(result.messages)")
    }
}
