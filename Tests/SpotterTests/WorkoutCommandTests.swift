import Foundation
import TestSupport
import Testing

/// Workouts with the real program, a real broker and a real database.
@Suite struct WorkoutCommandTests {
    private let temporary: TemporaryFolder
    private let stream: String
    private let database: String
    private let plan: String

    init() throws {
        temporary = try TemporaryFolder()
        let folder = temporary.url
        let made = try Program.run(
            "synthesize", "--motion", "squat", "--clips", "1", "--seconds", "45", "-o", folder.path)
        try #require(made.status == 0, "\(made.messages)")
        stream = folder.appending(path: "squat/squat_0.poses.jsonl").path
        database = folder.appending(path: "spotter.db").path
        plan = folder.appending(path: "test.toml").path
    }

    private func write(_ steps: String) throws { try Data(steps.utf8).write(to: URL(filePath: plan)) }

    private func sqlite(_ query: String) throws -> [String] { try Program.sqlite(database, query) }

    private func events(_ broker: Broker) throws -> [[String: Any]] {
        try broker.messages().filter { $0.topic == "cam/camera1/event" && $0.payload["workout"] != nil }.map(\.payload)
    }

    @Test func `a plan over a recording: events, records, database and summary agree`() throws {
        try write(
            """
            name = "Test"
            [[step]]
            action = "squat"
            repetitions = 5
            rest_seconds = 6
            [[step]]
            action = "squat"
            repetitions = 3
            """)
        let broker = try Broker(in: temporary.url)
        let result = try Program.run(
            "run", "--plan", plan, "--source", stream, "--database", database, "--mqtt-host", "127.0.0.1",
            "--mqtt-port", "\(broker.port)")
        #expect(result.status == 0, "\(result.messages)")
        #expect(
            result.output.contains("2 of 2 steps") && result.output.contains("ended: completed"), "\(result.output)")
        #expect(try broker.wait { $0.contains { $0.topic == "rec/workout" && $0.payload["final"] as? Bool == true } })
        let stored = try sqlite("SELECT reps FROM workout_step ORDER BY number").compactMap { Int($0) }
        #expect(stored.count == 2 && stored[0] >= 5 && stored[1] >= 3, "\(stored)")
        #expect(try sqlite("SELECT end_reason FROM workout") == ["completed"])
        #expect(try broker.wait { _ in try events(broker).contains { $0["event_type"] as? String == "workout_ended" } })
        let ended = try #require(try events(broker).last { $0["event_type"] as? String == "workout_ended" })
        #expect(ended["reps"] as? Int == stored.reduce(0, +))
        let counts = try events(broker).filter { $0["event_type"] as? String == "repetition" }
        #expect(counts.compactMap { $0["reps"] as? Int } == [1, 2, 3, 4, 5, 1, 2, 3])
        #expect(counts.compactMap { $0["step"] as? Int } == [1, 1, 1, 1, 1, 2, 2, 2])
        let record = try #require(
            try broker.messages().last { $0.topic == "rec/workout" }?.payload["body"] as? [String: Any])
        let steps = try #require(record["steps"] as? [[String: Any]])
        #expect(steps.compactMap { $0["reps"] as? Int } == stored)
        let rest = try #require(steps[1]["rest_before_s"] as? Double)
        #expect((6...9).contains(rest), "\(rest)")
        let shown = try Program.run("workout", "show", "--database", database, "--json").output
        let json = try JSONSerialization.jsonObject(with: Data(shown.utf8)) as? [String: [String: Any]]
        #expect(json?["workout"]?["reps"] as? Int == stored.reduce(0, +))
        #expect(try Program.run("history", "workouts", "--database", database).output.contains("Test"))
    }

    @Test func `no-reps do not count: events, record, database and summary tell them apart`() throws {
        // Nobody bends the knees so far, so that every repetition that is judged is a no-rep.
        try write(
            """
            name = "Strict"
            challenge_seconds = 20
            [[step]]
            action = "squat"
            range_least = 170
            standard = "strict"
            """)
        let broker = try Broker(in: temporary.url)
        let result = try Program.run(
            "run", "--plan", plan, "--source", stream, "--database", database, "--mqtt-host", "127.0.0.1",
            "--mqtt-port", "\(broker.port)")
        #expect(result.status == 0, "\(result.messages)")
        #expect(try broker.wait { $0.contains { $0.topic == "rec/workout" && $0.payload["final"] as? Bool == true } })
        let record = try #require(
            try broker.messages().last { $0.topic == "rec/workout" }?.payload["body"] as? [String: Any])
        let step = try #require((record["steps"] as? [[String: Any]])?.first)
        let sums = try #require(step["measured"] as? [String: Any])
        let (misses, unjudged) = (sums["no_reps"] as? Int ?? 0, sums["unjudged_reps"] as? Int ?? 0)
        #expect(step["standard"] as? String == "strict" && misses >= 3, "\(step)")
        #expect(step["reps"] as? Int == unjudged, "only what could not be judged counts")
        let told = try events(broker).filter { $0["event_type"] as? String == "no_rep" }
        #expect(told.compactMap { $0["no_reps"] as? Int } == Array(1...misses))
        #expect(told.allSatisfy { ($0["text"] as? String)?.hasPrefix("No rep: knee bend ") == true })
        #expect(told.allSatisfy { $0["limit"] as? Double == 170 && $0["unit"] as? String == "degrees" })
        let shown = try Program.run("workout", "show", "--database", database).output
        #expect(shown.contains("step 1: \(misses) no-reps beside"), "\(shown)")
        let sets = try sqlite("SELECT count(*) FROM session_set WHERE reps >= \(misses)")
        #expect(sets == ["1"], "the set keeps what was seen")
    }

    @Test func `kill -9 in the middle of a step: the next start goes on with the right step and count`() throws {
        try write("[[step]]\naction = \"squat\"\nrepetitions = 200\n")
        let broker = try Broker(in: temporary.url)
        let arguments = [
            "run", "--source", stream, "--database", database, "--realtime", "--mqtt-host", "127.0.0.1", "--mqtt-port",
            "\(broker.port)", "--quiet",
        ]
        let process = try Program.start(arguments + ["--plan", plan])
        let told = { (broker: Broker) in
            try events(broker).filter { $0["event_type"] as? String == "repetition" }.compactMap { $0["reps"] as? Int }
        }
        #expect(try Program.wait { try told(broker).count >= 4 })
        // A repetition is on disk within a second.
        Thread.sleep(forTimeInterval: 1.2 * (try Program.slowness()))
        let before = try told(broker).max() ?? 0
        process.kill()
        let stored = try sqlite("SELECT reps FROM workout_step").compactMap { Int($0) }
        #expect(stored.count == 1 && stored[0] >= before - 1, "\(stored), told \(before)")
        let again = try Program.start(arguments)
        defer {
            again.terminate()
            again.wait()
        }
        let known = try told(broker).count
        #expect(try Program.wait { try told(broker).count >= known + 2 })
        let next = try told(broker).dropFirst(known).prefix(2)
        #expect(Array(next) == [stored[0] + 1, stored[0] + 2], "\(Array(next)) after \(stored)")
        #expect(try sqlite("SELECT count(*) FROM workout") == ["1"])
    }

    @Test func `workouts of a running node are started, skipped and stopped without a broker`() throws {
        let configuration = temporary.file("config.toml")
        let text = """
            workouts.plans = "\(temporary.url.path)"
            mqtt.enabled = false
            history.path = "\(database)"
            [[camera]]
            id = "rack-1"
            source = "\(stream)"
            """
        try Data(text.utf8).write(to: configuration)
        try write("[[step]]\naction = \"squat\"\nrepetitions = 100\n[[step]]\naction = \"lunge\"\nrepetitions = 5\n")
        func workout(_ arguments: String...) throws -> Program.Result {
            try Program.run(["workout"] + arguments + ["--config", configuration.path])
        }
        #expect(try workout("start", "test").status == 69, "no node runs")
        let process = try Program.start(["run", "--config", configuration.path, "--realtime", "--quiet"])
        defer {
            process.terminate()
            process.wait()
        }
        #expect(try Program.wait { try !sqlite("SELECT count(*) FROM session").isEmpty })
        let unknown = try workout("start", "tset")
        #expect(unknown.status == 3 && unknown.messages.contains("did you mean 'test'?"), "\(unknown.messages)")
        #expect(try workout("start", "test", "--camera", "rack-2").status == 3)
        #expect(try workout("stop").status == 3)
        let started = try workout("start", "test", "--name", "anna")
        #expect(started.status == 0 && started.output.contains("2 steps"), "\(started.messages)")
        #expect(try workout("status").output.contains("anna"))
        #expect(try workout("skip").output.contains("step 2 of 2"))
        #expect(try workout("stop").status == 0)
        #expect(try Program.wait { try sqlite("SELECT end_reason FROM workout") == ["stopped"] })
        let show = try workout("show")
        #expect(show.output.contains("skipped") && show.output.contains("anna: test"), "\(show.output)")
        let clips = URL(filePath: database).deletingLastPathComponent().appending(path: "clips/squat/Anna")
        try FileManager.default.createDirectory(at: clips, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: clips.appending(path: "1.poses.jsonl"))
        let deleted = try workout("delete-name", "anna")
        #expect(deleted.status == 0 && deleted.output.contains("squat/Anna/1.poses.jsonl"), "\(deleted.messages)")
        #expect(deleted.output.contains("Not reached:") && deleted.output.contains("backups in other places"))
        #expect(!FileManager.default.fileExists(atPath: clips.path))
        #expect(try sqlite("SELECT count(*) FROM workout WHERE name IS NOT NULL") == ["0"])
        #expect(try workout("delete-name", "anna").status == 3)
    }

    @Test func `an error in a plan is named with file, line and column, and ends the run before it begins`() throws {
        try write("name = \"x\"\n[[step]]\naction = \"squad\"\nrepetitions = 5\n")
        let run = try Program.run("run", "--plan", plan, "--source", stream, "--database", database, "--no-mqtt")
        #expect(run.status == 78 && run.messages.contains("test.toml:3:1") && run.messages.contains("'squat'"))
        let check = try Program.run("workout", "check", plan)
        #expect(check.status == 78 && check.messages.contains("test.toml:3:1"), "\(check.messages)")
        #expect(try Program.run("workout", "check", "/nowhere.toml").status == 78)
        // A typing mistake is no run that broke off.
        try write("name = \"x\"\n[[step]]\naction = \"squat\"\nrepetitions = 5\n")
        let database2 = temporary.file("typed.db").path
        for mistake in [["--plan", "lags"], ["--plan", plan, "--name", ""]] {
            let arguments = ["run", "--source", stream, "--database", database2, "--no-mqtt"]
            #expect([2, 3].contains(try Program.run(arguments + mistake).status), "\(mistake)")
            #expect(try !Program.run(arguments).messages.contains("did not end cleanly"), "\(mistake)")
        }
    }
}
