import Foundation
import TestSupport
import Testing

/// What `run` says when it ends, and what it refuses as root.
@Suite struct RunSummaryTests {
    private let folder: TemporaryFolder
    private let database: String
    private let stream: String

    init() throws {
        folder = try TemporaryFolder()
        database = folder.file("spotter.db").path
        let file = folder.file("demo.poses.jsonl")
        try GroundTruth(clip: "demo").writePoseStream(to: file)
        stream = file.path
    }

    private func run(_ more: String..., environment: [String: String] = [:]) throws -> Program.Result {
        try Program.run(
            ["run", "--source", stream, "--database", database, "--no-mqtt"] + more, environment: environment)
    }

    private func json(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }

    @Test func `the end of a run says who did what, and where it is stored`() throws {
        let result = try run()
        let lines = result.messages.split(separator: "\n").drop { !$0.hasPrefix("camera1: 9") }.map(String.init)
        #expect(result.status == 0 && lines.allSatisfy { $0.count <= 80 || $0.contains(database) }, "\(lines)")
        try #require(!lines.isEmpty, "\(result.messages)")
        #expect(lines[0].wholeMatch(of: /camera1: 9\d\d frames, 0 dropped/) != nil, "\(lines[0])")
        for words in ["jumping_jack 5", "squat 3", "lunge 3", "burpee 2", "REST", "1 session, stored in \(database)"] {
            #expect(result.messages.contains(words), "\(words) in \(result.messages)")
        }
        // The command that is named finds the session.
        let named = try #require(result.messages.firstMatch(of: /`spotter (history sessions[^`]*)`/)?.1)
        #expect(try Program.run(named.split(separator: " ").map(String.init)).output.contains("jumping_jack 5"))
        // The second run tells of its own session alone.
        let second = try json(run("--json").output)
        #expect((second["sessions"] as? [Any])?.count == 1)
        #expect(try run("--quiet").messages.isEmpty)
        #expect(try !run(environment: ["INVOCATION_ID": "service"]).messages.contains("stored in"))
    }

    @Test func `the log has a line for each session's start and end, and few others`() throws {
        let lines = try run().messages.split(separator: "\n").map(String.init).filter { $0.contains(" info ") }
        #expect(lines.count { $0.contains("person 1 begins with jumping_jack, session ") } == 1, "\(lines)")
        let sum = "jumping_jack 5, squat 3, lunge 3, burpee 2 in 4 sets, 3"
        #expect(lines.count { $0.contains("person 1 ends, session ") && $0.contains(sum) } == 1, "\(lines)")
        #expect(lines.count <= 6, "\(lines)")
    }

    @Test func `a run without anybody says so`() throws {
        let empty = folder.file("empty.poses.jsonl")
        let header = try String(contentsOf: URL(filePath: stream), encoding: .utf8).split(separator: "\n")[0]
        let frames = (0..<60).map { "{\"t\":\(Double($0) / 30),\"poses\":[]}" }
        try Data(([String(header)] + frames).joined(separator: "\n").utf8).write(to: empty)
        let result = try Program.run("run", "--source", empty.path, "--database", database, "--no-mqtt")
        #expect(result.status == 0 && result.messages.contains("Nobody was seen long enough"), "\(result.messages)")
    }

    @Test func `live sets do not overlap and equal those of classify`() throws {
        let session = try #require((json(run("--json").output)["sessions"] as? [[String: Any]])?.first)
        let sets = try #require(session["sets"] as? [[String: Any]])
        let classified = try json(Program.run("classify", stream, "--json").output)
        let segments = try #require(classified["segments"] as? [[String: Any]])
        let told = try #require(classified["sets"] as? [[String: Any]])
        #expect(told.count == sets.count)
        #expect(sets.count == segments.count && sets.count == 4)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        func time(_ set: [String: Any], _ key: String) throws -> Double {
            try style.parse(#require(set[key] as? String)).timeIntervalSince1970
        }
        let origin = try time(sets[0], "start") - Self.first(segments[0])
        let begin = try time(sets[0], "start") - #require(told[0]["start_s"] as? Double)
        for (set, told) in zip(sets, told) {
            let (start, end) = (try time(set, "start") - begin, try time(set, "end") - begin)
            let (from, to) = (told["start_s"] as? Double ?? -1, told["end_s"] as? Double ?? -1)
            #expect(abs(start - from) < 0.005 && abs(end - to) < 0.005, "\(set) \(told)")
            #expect(set["reps"] as? Int == told["reps"] as? Int && set["label"] as? String == told["label"] as? String)
            #expect(set["score"] as? Int == told["score"] as? Int)
        }
        var before = -Double.infinity
        for (set, segment) in zip(sets, segments) {
            let (start, end) = (try time(set, "start") - origin, try time(set, "end") - origin)
            #expect(start >= before - 0.001, "\(set)")
            before = end
            #expect(set["reps"] as? Int == segment["reps"] as? Int)
            #expect(set["label"] as? String == segment["label"] as? String)
            let (first, last) = (try Self.first(segment), try Self.last(segment))
            #expect(abs(start - first) < 0.5 && abs(end - last) < 0.5, "\(start) \(first), \(end) \(last)")
        }
    }

    @Test func `a backup of a running node holds its session open, and a restore ends it as restored`() throws {
        let node = try Program.start([
            "run", "--source", stream, "--database", database, "--no-mqtt", "--realtime", "--quiet",
        ])
        defer { if node.isRunning { node.terminate() } }
        let open = { (path: String) in
            try Program.sqlite(path, "SELECT count(*) FROM session WHERE end_reason IS NULL") == ["1"]
        }
        let isOpen = try Program.wait { try FileManager.default.fileExists(atPath: database) && open(database) }
        let copy = folder.file("copy.db").path
        let backup = try Program.run("db", "backup", copy, "--database", database)
        #expect(try isOpen && backup.status == 0 && open(copy) && node.isRunning, "\(backup)")
        #expect(try Program.run("db", "backup", copy, "--database", database).messages.contains("--force"))
        node.terminate()
        node.wait()
        let restored = folder.file("restored.db").path
        let restore = try Program.run("db", "restore", copy, "--yes", "--database", restored)
        #expect(try restore.status == 0 && open(restored), "\(restore)")
        let next = try Program.run("run", "--source", stream, "--database", restored, "--no-mqtt", "--quiet")
        #expect(next.status == 0)
        let reasons = try Program.sqlite(restored, "SELECT end_reason FROM session ORDER BY start_ms")
        #expect(reasons == ["restored", "source_ended"], "\(reasons)")
    }

    private static func first(_ segment: [String: Any]) throws -> Double {
        try #require((segment["repetitions"] as? [[String: Any]])?.first?["start_s"] as? Double)
    }

    private static func last(_ segment: [String: Any]) throws -> Double {
        try #require((segment["repetitions"] as? [[String: Any]])?.last?["end_s"] as? Double)
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `root writes nothing where the files of a service lie`() throws {
        let own = folder.file("service")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        let nobody = try #require(getpwnam("nobody")?.pointee)
        #expect(chown(own.path, nobody.pw_uid, nobody.pw_gid) == 0)
        let path = own.appending(path: "state/spotter.db").path
        for command in [
            ["run", "--source", stream, "--no-mqtt"], ["import", stream], ["session", "delete", "x", "--yes"],
        ] {
            let refused = try Program.run(command + ["--database", path])
            #expect(refused.status != 0 && !FileManager.default.fileExists(atPath: own.path + "/state"), "\(command)")
        }
        let refused = try Program.run("run", "--source", stream, "--no-mqtt", "--database", path)
        #expect(refused.status == 77 && refused.messages.contains("sudo -u nobody spotter"), "\(refused.messages)")
        // A file that root made before is named, with what mends it.
        let file = own.appending(path: "spotter.db").path
        #expect(try run("--quiet").status == 0)
        try FileManager.default.copyItem(atPath: database, toPath: file)
        let found = try Program.run("doctor", "--json", environment: ["SPOTTER_HISTORY_PATH": file])
        #expect(found.output.contains("sudo chown nobody: \(file)*"), "\(found.output)")
    }
}
