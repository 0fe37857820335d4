import Foundation
import TestSupport
import Testing

/// Repetitions through the whole program: from recorded poses to the history, the broker and the terminal.
@Suite struct CountingTests {
    private let temporary: TemporaryFolder
    private var folder: URL { temporary.url }
    private let truth = ["jumping_jack": 5, "squat": 3, "lunge": 3, "burpee": 2]

    init() throws { temporary = try TemporaryFolder() }

    private func stream(_ clip: String) throws -> String {
        let file = folder.appending(path: clip + ".poses.jsonl")
        try GroundTruth(clip: clip).writePoseStream(to: file)
        return file.path
    }

    @Test func `sets and repetitions are the same in the history, in records, counts and events`() throws {
        let broker = try Broker(in: folder)
        let database = folder.appending(path: "spotter.db").path
        let result = try Program.run(
            "run", "--source", try stream("demo"), "--database", database, "--mqtt-host", "127.0.0.1", "--mqtt-port",
            "\(broker.port)")
        #expect(result.status == 0, "\(result.messages)")
        #expect(try broker.wait { $0.contains { $0.topic == "status" && $0.payload["state"] as? String == "stopped" } })
        let messages = try broker.messages()
        #expect(messages.last { $0.topic == "cam/camera1/counts" }?.payload["reps"] as? [String: Int] == truth)

        let completed = messages.filter { $0.payload["event_type"] as? String == "set_completed" }.map(\.payload)
        let sets = completed.map { [$0["action"] as? String ?? "": $0["reps"] as? Int ?? -1] }
        #expect(sets == [["jumping_jack": 5], ["squat": 3], ["lunge": 3], ["burpee": 2]])
        #expect(completed.allSatisfy { ($0["seconds"] as? Double ?? 0) > 3 && $0["session"] is String })

        let record = try #require(
            messages.last { $0.topic == "rec/session" && $0.payload["final"] as? Bool == true }?.payload)
        let body = try #require(record["body"] as? [String: Any])
        let told = try #require(body["sets"] as? [[String: Any]])
        #expect(told.compactMap { $0["reps"] as? Int } == [5, 3, 3, 2])
        #expect(told.allSatisfy { (0...100).contains($0["score"] as? Int ?? -1) })
        #expect(told.first?["rest_s"] == nil && told.dropFirst().allSatisfy { $0["rest_s"] is Double })

        let history = try Program.run("history", "--database", database, "--json")
        let rows = try #require(
            try JSONSerialization.jsonObject(with: Data(history.output.utf8)) as? [[String: Any]])
        let reps = rows.compactMap { row in (row["reps"] as? Int).map { (row["label"] as? String ?? "", $0) } }
        #expect(Dictionary(uniqueKeysWithValues: reps) == truth)
    }

    @Test func `a recording of one action is counted without asking what it shows`() throws {
        let result = try Program.run("count", "--action", "squat", try stream("squat_45"), "--json")
        #expect(result.status == 0, "\(result.messages)")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let recording = try #require((report["recordings"] as? [[String: Any]])?.first)
        #expect(recording["reps"] as? Int == 4 && (recording["repetitions"] as? [Any])?.count == 4)
    }

    @Test func `counts are measured against what people counted`() throws {
        _ = try stream("squat_45")
        _ = try stream("lunge_45")
        let list = folder.appending(path: "counts.csv")
        try "file,action,count\nsquat_45.poses.jsonl,squat,4\nlunge_45.poses.jsonl,lunge,5\n"
            .write(to: list, atomically: true, encoding: .utf8)
        let result = try Program.run("count", "--truth", list.path, "--json")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(abs((report["mae"] as? Double ?? -1) - 0.1) < 1e-9 && report["obo"] as? Double == 1)

        try "file,action,count\n".write(to: list, atomically: true, encoding: .utf8)
        let empty = try Program.run("count", "--truth", list.path)
        #expect(empty.status == 1 && empty.messages.contains("names no recording"), "\(empty)")

        try "file,label\nx,y\n".write(to: list, atomically: true, encoding: .utf8)
        let refused = try Program.run("count", "--truth", list.path)
        #expect(refused.status == 1 && refused.messages.contains("must name file, action and count"))
    }

    @Test func `a recording shorter than a window is classified`() throws {
        let whole = URL(filePath: try stream("squat_45"))
        let lines = try String(contentsOf: whole, encoding: .utf8).split(separator: "\n")
        let short = folder.appending(path: "short.poses.jsonl")
        try lines.prefix(1 + 45).joined(separator: "\n").write(to: short, atomically: true, encoding: .utf8)
        let result = try Program.run("classify", short.path, "--json")
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(answer["is_repeated"] as? Bool == true && answer["frames"] as? Int == 45)
        let windows = try #require(answer["windows"] as? [[String: Any]])
        #expect(windows.count == 1 && windows[0]["end_s"] as? Double == answer["duration_s"] as? Double)
        #expect(windows.first?["label"] as? String == "squat")
        #expect(try Program.run("classify", short.path).output.contains("played back and forth"))
    }

    @Test func `a coach records a reference, and others are compared with it`() throws {
        let coach = try stream("squat_45")
        let references = folder.appending(path: "references").path
        let configuration = folder.appending(path: "config.toml")
        try "recognition.references = \"\(references)\"\n".write(to: configuration, atomically: true, encoding: .utf8)
        let recorded = try Program.run(
            "record", "--reference", "--label", "squat", "--source", coach, "--seconds", "60", "--config",
            configuration.path)
        #expect(recorded.status == 0 && recorded.messages.contains("4 repetitions"), "\(recorded.messages)")

        let result = try Program.run("classify", coach, "--config", configuration.path, "--json")
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let segment = try #require((answer["segments"] as? [[String: Any]])?.first)
        let hint = try #require(segment["form"] as? [String: Any])
        #expect((hint["parts"] as? [String: Int])?["like the coach"] ?? 0 >= 90)
        let each = try #require(segment["repetitions"] as? [[String: Any]])
        #expect(each.count == 4 && each.allSatisfy { $0["form"] is [String: Any] })

        // A recording with fewer than two repetitions is refused, and the old reference stays.
        let standing = try Program.run(
            "record", "--reference", "--label", "squat", "--source", coach, "--seconds", "3", "--config",
            configuration.path)
        #expect(standing.status == 78 && standing.messages.contains("two or more"), "\(standing.messages)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: references) == ["squat.poses.jsonl"])
    }

    @Test func `the coach's reference changes the hints of a running node`() throws {
        let references = folder.appending(path: "references")
        try FileManager.default.createDirectory(at: references, withIntermediateDirectories: true)
        // The coach's reference for squats shows lunges.
        let other = try stream("lunge_45")
        try FileManager.default.moveItem(atPath: other, toPath: references.appending(path: "squat.poses.jsonl").path)
        let squats = try stream("squat_45")
        func hint(_ name: String, references: String) throws -> Int {
            let configuration = folder.appending(path: name + ".toml"), database = folder.appending(path: name + ".db")
            try "recognition.references = \"\(references)\"\n".write(
                to: configuration, atomically: true, encoding: .utf8)
            let run = try Program.run(
                "run", "--source", squats, "--config", configuration.path, "--database", database.path, "--no-mqtt")
            #expect(run.status == 0, "\(run.messages)")
            let history = try Program.run("history", "sessions", "--database", database.path, "--json")
            let text = history.output
            let match = try #require(text.firstMatch(of: /"score" ?: ?(\d+)/), "\(text)")
            return try #require(Int(match.1))
        }
        let alone = try hint("alone", references: "")
        let beside = try hint("beside", references: references.path)
        #expect(beside < alone - 5, "\(beside) beside a coach who lunges, \(alone) alone")
        let missing = try Program.run(
            "classify", squats, "--references", folder.appending(path: "nowhere").path)
        #expect(missing.status == 78 && missing.messages.contains("spotter record --reference"))
    }
}
