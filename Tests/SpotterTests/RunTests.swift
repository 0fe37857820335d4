import Foundation
import TestSupport
import Testing

/// `spotter run` on recorded poses, with a real broker and a real database.
@Suite struct RunTests {
    private let folder: TemporaryFolder
    private let stream: String
    private let database: String

    init() throws {
        folder = try TemporaryFolder()
        let file = folder.file("demo.poses.jsonl")
        try GroundTruth(clip: "demo").writePoseStream(to: file)
        stream = file.path
        database = folder.file("spotter.db").path
    }

    /// Starts a node that plays the clip eight times, for tests that observe it while it runs.
    private func startLong(_ more: String...) throws -> Child {
        let long = folder.file("long.poses.jsonl")
        try GroundTruth(clip: "demo").writePoseStream(to: long, times: 8)
        return try Program.start(["run", "--source", long.path, "--realtime", "--database", database] + more)
    }

    private func sqlite(_ query: String) throws -> [String] { try Program.sqlite(database, query) }

    /// Whether the node has stored an open session.
    private func hasOpenSession() throws -> Bool {
        guard FileManager.default.fileExists(atPath: database) else { return false }
        return try sqlite("SELECT count(*) FROM session WHERE end_reason IS NULL") == ["1"]
    }

    /// The number of predictions that the broker received.
    private func predictions(_ broker: Broker) throws -> Int {
        try broker.messages().filter { $0.topic == "cam/camera1/live" && $0.payload["k"] != nil }.count
    }

    private func json(_ arguments: String...) throws -> [[String: Any]] {
        let process = try Program.start(arguments + ["--database", database, "--json"])
        let data = process.output.wholeBytes()
        process.wait()
        return try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    }

    @Test func `broker, database and history agree`() throws {
        let broker = try Broker(in: folder.url)
        let result = try Program.run(
            "run", "--source", stream, "--database", database, "--mqtt-host", "127.0.0.1", "--mqtt-port",
            "\(broker.port)")
        #expect(result.status == 0, "\(result.messages)")
        #expect(try broker.wait { $0.contains { $0.topic == "status" && $0.payload["state"] as? String == "stopped" } })
        let messages = try broker.messages()
        let published = try #require(
            messages.last { $0.topic == "cam/camera1/counts" }?.payload["frames"] as? [String: Int])
        let stored = Dictionary(
            uniqueKeysWithValues: try sqlite("SELECT label, sum(frames) FROM day_action GROUP BY label").map { row in
                let parts = row.split(separator: "|")
                return (String(parts[0]), Int(parts[1]) ?? -1)
            })
        let told = Dictionary(
            uniqueKeysWithValues: try json("history", "actions").map {
                ($0["label"] as? String ?? "", $0["frames"] as? Int ?? -1)
            })
        #expect(published == stored && stored == told)
        for exercise in ["jumping_jack", "squat", "lunge", "burpee"] { #expect((stored[exercise] ?? 0) >= 60) }
        // Every prediction stands for one stride.
        #expect(stored.values.allSatisfy { $0 % 10 == 0 })
        let sessions = try json("history", "sessions")
        let records = messages.filter { $0.topic == "rec/session" && $0.payload["final"] as? Bool == true }
        #expect(sessions.count == records.count && !sessions.isEmpty)
        #expect(
            Set(sessions.compactMap { $0["id"] as? String }) == Set(records.compactMap { $0.payload["id"] as? String }))
    }

    @Test func `two recordings run at once after each other share no prediction`() throws {
        var first: (tracks: String, count: [String]) = ("", [])
        for motion in ["squat", "lunge"] {
            let poses = folder.file(motion).path
            let made = try Program.run("synthesize", "--motion", motion, "--clips", "1", "--seconds", "20", "-o", poses)
            #expect(made.status == 0, "\(made.messages)")
            let clip = "\(poses)/\(motion)/\(motion)_0.poses.jsonl"
            let run = try Program.run("run", "--source", clip, "--no-mqtt", "--database", database)
            #expect(run.status == 0, "\(run.messages)")
            guard first.tracks.isEmpty else { continue }
            first.tracks = try sqlite("SELECT DISTINCT track FROM prediction").joined(separator: ", ")
            first.count = try sqlite("SELECT count(*) FROM prediction")
        }
        let ofFirst = "SELECT count(*) FROM prediction WHERE track IN (\(first.tracks))"
        #expect(try sqlite(ofFirst) == first.count)
        let second = try sqlite("SELECT id FROM session WHERE track NOT IN (\(first.tracks))")
        #expect(try second.count == 1 && sqlite("SELECT count(*) FROM session") == ["2"])
        // Deleting the second one takes nothing of the first along.
        let deleted = try Program.run("session", "delete", second.first ?? "", "--yes", "--database", database)
        #expect(try deleted.status == 0 && sqlite(ofFirst) == first.count, "\(deleted.messages)")
    }

    @Test func `status comes first and last, and the retained topics in between`() throws {
        let broker = try Broker(in: folder.url)
        _ = try Program.run(
            "run", "--source", stream, "--database", database, "--mqtt-host", "127.0.0.1", "--mqtt-port",
            "\(broker.port)")
        #expect(try broker.wait { $0.last?.payload["state"] as? String == "stopped" })
        let messages = try broker.messages()
        let states = messages.filter { $0.topic == "status" }.compactMap { $0.payload["state"] as? String }
        #expect(states == ["starting", "online", "stopped"])
        let topics = Set(messages.map(\.topic))
        #expect(topics.isSuperset(of: ["info", "cam/camera1/status", "cam/camera1/state", "cam/camera1/live"]))
    }

    @Test func `scenario 1: without a broker everything is still stored`() throws {
        let result = try Program.run(
            "run", "--source", stream, "--database", database, "--mqtt-host", "127.0.0.1", "--mqtt-port", "1")
        #expect(result.status == 0)
        #expect(try json("history", "sessions").count == 1)
    }

    @Test func `SIGTERM ends a run cleanly within two seconds`() throws {
        let process = try startLong("--no-mqtt")
        #expect(try Program.wait { try hasOpenSession() })
        let asked = Date()
        process.terminate()
        process.wait()
        let seconds = Date().timeIntervalSince(asked)
        #expect(try seconds < 2 * Program.slowness())
        #expect(process.status == 0)
        #expect(try sqlite("SELECT end_reason FROM session") == ["stopped"])
    }

    @Test func `scenario 24: kill -9 loses at most five seconds, and the next start closes the session`() throws {
        let broker = try Broker(in: folder.url)
        let process = try startLong("--mqtt-host", "127.0.0.1", "--mqtt-port", "\(broker.port)")
        #expect(try Program.wait { try hasOpenSession() })
        // Wait as long as a batch may wait, so that a part of it is lost.
        let told = try predictions(broker)
        #expect(try broker.wait { _ in try predictions(broker) > told + 14 })
        let seen = try predictions(broker)
        process.kill()
        let before = try sqlite("SELECT sum(frames) FROM session_action").first.flatMap { Int($0) } ?? 0
        // Three predictions a second, of ten frames each; the commit itself also takes time.
        let lost = try seen - (sqlite("SELECT count(*) FROM prediction").first.flatMap { Int($0) } ?? 0)
        #expect(try Double(lost) <= 15 * Program.slowness() + 3 && before > 0, "\(lost) of \(seen)")
        #expect(try sqlite("SELECT count(*) FROM session WHERE end_reason IS NULL") == ["1"])
        let short = folder.file("short.poses.jsonl")
        try GroundTruth(clip: "stand_45").writePoseStream(to: short)
        let result = try Program.run("run", "--source", short.path, "--database", database, "--no-mqtt")
        #expect(result.status == 0)
        #expect(try sqlite("SELECT end_reason FROM session") == ["crash"])
        #expect(try sqlite("SELECT sum(frames) FROM session_action").first.flatMap { Int($0) } == before)
        #expect(try sqlite("PRAGMA integrity_check") == ["ok"])
    }

    @Test func `scenario 30: a second run on the same database is refused, readers are not`() throws {
        let process = try startLong("--no-mqtt")
        defer {
            process.terminate()
            process.wait()
        }
        #expect(try Program.wait { try hasOpenSession() })
        let second = try Program.run("run", "--source", stream, "--database", database, "--no-mqtt")
        #expect(second.status == 75, "\(second.messages)")
        #expect(try Program.run("history", "--database", database).status == 0)
    }

    @Test func `scenario 26: a database that is destroyed while it is written ends the run`() throws {
        let process = try startLong("--no-mqtt")
        #expect(try Program.wait { try hasOpenSession() })
        // Destroy the index of the log as well, or SQLite would continue with its copy in memory.
        for (suffix, count) in [("", 200_000), ("-wal", 200_000), ("-shm", 32_768)] {
            let file = try FileHandle(forWritingTo: URL(filePath: database + suffix))
            try file.write(contentsOf: Data(repeating: 0x5A, count: count))
            try file.close()
        }
        let text = process.messages.whole()
        #expect(process.wait() == 74, "\(text)")
        #expect(text.contains(database) && text.contains("spotter run"), "\(text)")
        // The next start sets the damaged file aside.
        let short = folder.file("short.poses.jsonl")
        try GroundTruth(clip: "stand_45").writePoseStream(to: short)
        #expect(try Program.run("run", "--source", short.path, "--database", database, "--no-mqtt").status == 0)
        #expect(try sqlite("PRAGMA integrity_check") == ["ok"])
    }
}
