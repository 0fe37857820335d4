import Foundation
import TestSupport
import Testing

/// `spotter person`: everything that a node stores of one name, with the real program and a real broker.
@Suite struct PersonCommandTests {
    private let temporary: TemporaryFolder
    private let database: String
    private let configuration: String
    /// As it is typed, composed and decomposed, and in other letter cases.
    private static let name = "Ursula Kähler"
    private static let forms = [
        name, "Ursula Ka\u{308}hler", "URSULA KÄHLER", "ursula kähler", "ursula ka\u{308}hler", "ursula_k", "URSULA_K",
        "Steinadler",
    ]

    init() throws {
        temporary = try TemporaryFolder()
        database = temporary.file("spotter.db").path
        configuration = temporary.file("config.toml").path
        try write(broker: nil)
        try Data("[[step]]\naction = \"squat\"\nrepetitions = 100\n".utf8).write(to: temporary.file("legs.toml"))
        let made = try Program.run(
            "synthesize", "--motion", "squat", "--clips", "1", "--seconds", "240", "-o", temporary.url.path)
        try #require(made.status == 0, "\(made.messages)")
    }

    private func write(broker port: Int?, site: String = "berlin") throws {
        let text = """
            workouts.plans = "\(temporary.url.path)"
            mqtt.enabled = \(port != nil)
            mqtt.port = \(port ?? 1883)
            node.site = "\(site)"
            node.id = "sp-people"
            history.path = "\(database)"
            [[camera]]
            id = "rack-1"
            source = "\(temporary.url.path)/squat/squat_0.poses.jsonl"
            """
        try Data(text.utf8).write(to: URL(filePath: configuration))
    }

    private func spotter(_ arguments: String...) throws -> Program.Result {
        try Program.run(arguments + ["--config", configuration])
    }

    /// Runs the node while `body` starts and stops workouts.
    private func whileRunning(_ body: () throws -> Void) throws {
        let process = try Program.start(["run", "--config", configuration, "--realtime", "--quiet"])
        defer {
            process.terminate()
            process.wait()
        }
        #expect(try Program.wait { try spotter("workout", "status").status == 0 })
        let hasDatabase = Program.wait { (try? Program.sqlite(database, "SELECT count(*) FROM session")) != nil }
        #expect(hasDatabase)
        try body()
    }

    private func doWorkout(_ name: String, _ nickname: String? = nil) throws {
        let flags = nickname.map { ["--nickname", $0] } ?? []
        let start = ["workout", "start", "legs", "--name", name, "--config", configuration] + flags
        // With a database of an earlier run, `workout status` answers before the node listens.
        #expect(Program.wait { (try? Program.run(start))?.status == 0 })
        #expect(try spotter("workout", "stop").status == 0)
    }

    private func clip(_ path: String) throws {
        let url = temporary.file("clips").appending(path: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("{}\n".utf8).write(to: url)
    }

    /// The files below the folder whose name or content has one of the forms.
    private func filesWithName() -> [String] {
        let base = temporary.url.path
        let all = FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []
        return all.filter { path in
            // The test's own: what the subscriber has heard, and what was handed over.
            if path.hasPrefix("messages") || path.hasPrefix("handed") { return false }
            let data = FileManager.default.contents(atPath: base + "/" + path) ?? Data()
            return Self.forms.contains { data.range(of: Data($0.utf8)) != nil || path.contains($0) }
        }
    }

    @Test func `a name is listed, shown, handed over and deleted, wherever the node has it`() throws {
        let broker = try Broker(in: temporary.url)
        try write(broker: broker.port)
        try whileRunning {
            try doWorkout(Self.name, "Steinadler")
            try doWorkout("ursula ka\u{308}hler")
            try doWorkout("ben")
        }
        // What earlier versions and other hands left.
        let former = "spotter/v1/berlin/sp-people/cam/rack-1/workouts"
        try Program.tool(
            "mosquitto_pub",
            ["-p", "\(broker.port)", "-r", "-t", former, "-m", #"{"v":1,"workouts":[{"name":"URSULA KÄHLER"}]}"#])
        // Of somebody who had a nickname it may be all that is there.
        try Program.tool(
            "mosquitto_pub",
            [
                "-p", "\(broker.port)", "-r", "-t", "spotter/v1/berlin/sp-people/cam/rack-2/workouts", "-m",
                #"{"v":1,"workouts":[{"nickname":"Steinadler"}]}"#,
            ])
        try write(broker: broker.port, site: "hamburg")
        #expect(try spotter("db", "backup", temporary.file("old.copy").path).status == 0)
        let again = try Program.run("db", "restore", temporary.file("old.copy").path, "--yes", "--database", database)
        #expect(again.status == 0, "\(again.messages)")
        try clip("squat/ursula_k/20261122T101500123.poses.jsonl")
        try clip("squat/ben/20261122T101500123.poses.jsonl")

        let list = try spotter("person", "list")
        #expect(list.status == 0 && list.output.contains("Steinadler") && list.output.contains("ursula_k"))
        let wrong = try spotter("person", "show", "ursula kaeler")
        #expect(wrong.status == 3 && wrong.messages.contains("did you mean 'ursula kähler'?"), "\(wrong.messages)")
        let shown = try spotter("person", "show", Self.name, "--json")
        let json = try JSONSerialization.jsonObject(with: Data(shown.output.utf8)) as? [String: Any]
        #expect(json?["workouts"] as? Int == 2 && json?["topics"] as? [String] == [former, former.replacing("rack-1", with: "rack-2")], "\(shown.output)")
        #expect((json?["copies"] as? [Any])?.count == 2, "\(shown.output)")

        let handed = temporary.file("handed").path
        #expect(try spotter("person", "export", Self.name, "-o", handed).status == 0)
        let rows = try String(contentsOfFile: handed + "/workouts.json", encoding: .utf8)
        #expect(rows.contains("Steinadler") && !rows.contains("ben"))
        #expect(try spotter("person", "export", Self.name, "-o", handed).status == 74, "it exists")

        let dry = try spotter("person", "forget", Self.name)
        #expect(dry.status == 2 && dry.messages.contains("--yes"), "\(dry.status) \(dry.messages)")
        #expect(!filesWithName().isEmpty)
        let forgotten = try spotter("person", "forget", "URSULA KÄHLER", "--yes")
        #expect(forgotten.status == 0, "\(forgotten.messages)")
        #expect(forgotten.output.contains(former) && forgotten.output.contains("before-restore"), "\(forgotten.output)")
        #expect(forgotten.output.contains("another name: ben, ursula_k"), "\(forgotten.output)")
        let clips = try spotter("person", "forget", "Ursula_K", "--yes", "--json")
        #expect(clips.status == 0 && clips.output.contains("20261122T101500123"), "\(clips.output)")

        #expect(filesWithName() == [])
        let retained = try Program.tool(
            "mosquitto_sub", ["-p", "\(broker.port)", "-t", "#", "-v", "--retained-only", "-W", "2"])
        for form in Self.forms { #expect(!retained.contains(form), "\(form)") }
        #expect(try spotter("person", "list").output.contains("ben"))
        #expect(try spotter("person", "forget", Self.name, "--yes").status == 3)
    }

    @Test func `a running node forgets a name while its workout goes on, and nothing of it was ever published`() throws
    {
        let broker = try Broker(in: temporary.url)
        try write(broker: broker.port)
        let plan = temporary.file("legs.toml")
        let text = "name = \"Knee\"\n[prescription]\n" + (try String(contentsOf: plan, encoding: .utf8))
        try Data(text.utf8).write(to: plan)
        try whileRunning { () throws in
            #expect(
                try spotter("workout", "start", "legs", "--name", Self.name, "--nickname", "Gimpel").status == 0)
            #expect(try broker.wait { $0.contains { $0.topic == "rec/workout" } })
            #expect(try spotter("person", "forget", "ursula kähler", "--yes").status == 0)
            #expect(try spotter("workout", "status").output.contains("Ursula") == false)
            #expect(try spotter("workout", "stop").status == 0)
        }
        #expect(filesWithName() == [])
        let heard = try String(contentsOf: temporary.file("messages"), encoding: .utf8)
        for word in Self.forms + ["Knee"] { #expect(!heard.contains(word), "\(word)") }
        #expect(heard.contains("Gimpel"))
    }

    @Test func `without a broker the rest is deleted, and a broker that was there once is asked for`() throws {
        try whileRunning { try doWorkout(Self.name) }
        #expect(try spotter("person", "forget", Self.name, "--yes").status == 0, "it never was at a broker")
        #expect(filesWithName() == [])
        let broker = try Broker(in: temporary.url)
        try write(broker: broker.port)
        try whileRunning {
            try doWorkout(Self.name)
            #expect(try broker.wait { $0.contains { $0.topic == "rec/workout" } })
        }
        // Nothing listens there.
        try write(broker: 1)
        let incomplete = try spotter("person", "forget", Self.name, "--yes")
        #expect(incomplete.status == 75 && incomplete.messages.contains("the broker"), "\(incomplete.messages)")
        #expect(filesWithName() == [])
    }
}
