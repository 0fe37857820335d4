import Foundation
import TestSupport
import Testing

/// What leaves the node, with the real program, real receivers and a real database.
@Suite struct SharingCommandTests {
    private let temporary: TemporaryFolder
    private let receiver: HTTPReceiver
    private let stream: String

    init() throws {
        temporary = try TemporaryFolder()
        receiver = try HTTPReceiver()
        let made = try Program.run(
            "synthesize", "--motion", "squat", "--clips", "1", "--seconds", "30", "-o", temporary.url.path)
        try #require(made.status == 0, "\(made.messages)")
        stream = temporary.file("squat/squat_0.poses.jsonl").path
        try write("plan.toml", "name = \"Squats\"\n[[step]]\naction = \"squat\"\nrepetitions = 4\n")
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: temporary.file(name))
    }

    private func configure(_ more: String) throws {
        try write(
            "config.toml",
            """
            node.site = "berlin"
            mqtt.enabled = false
            history.path = "\(temporary.file("spotter.db").path)"
            workouts.plans = "\(temporary.url.path)"
            \(more)
            [[camera]]
            id = "rack-1"
            source = "\(stream)"
            """)
    }

    private func spotter(_ arguments: String...) throws -> Program.Result {
        try Program.run(arguments + ["--config", temporary.file("config.toml").path])
    }

    /// Does the plan over the recording, as fast as it can be read.
    private func doPlan(_ more: String...) throws {
        let result = try Program.run(
            [
                "run", "--plan", temporary.file("plan.toml").path, "--quiet", "--config",
                temporary.file("config.toml").path,
            ]
                + more)
        #expect(result.status == 0, "\(result.messages)")
    }

    private func workout() throws -> String {
        try #require(
            try Program.sqlite(temporary.file("spotter.db").path, "SELECT id FROM workout ORDER BY id DESC LIMIT 1")
                .first)
    }

    @Test func `a named workout becomes a file; what cannot be sent is refused with what to do`() throws {
        try configure("")
        try doPlan("--name", "Anna")
        let id = try workout()
        let file = temporary.file("anna.fit").path
        let sent = try spotter("workout", "send", String(id.prefix(13)), "--to", "fit", "--output", file)
        #expect(sent.status == 0 && sent.output == "written: \(file), 1 set\n", "\(sent.messages)")
        #expect(FileManager.default.contents(atPath: file)?[8..<12] == Data(".FIT".utf8))
        let csv = try spotter("workout", "send", id, "--to", "hevy", "--output", "-")
        #expect(
            csv.output.contains("\"Squats\"") && csv.output.contains("\"Squat\",,\"\",0,\"normal\",,"), "\(csv.output)")
        let json = try spotter("workout", "send", id, "--to", "strong", "--output", file, "--json")
        #expect(json.output.contains("\"sets\" : 1"), "\(json.output)")
        let unknown = try spotter("workout", "send", "ffff", "--to", "fit")
        #expect(unknown.status == 3 && unknown.messages.contains("spotter history workouts"))
        let format = try spotter("workout", "send", id, "--to", "fti")
        #expect(format.status == 2 && format.messages.contains("did you mean 'fit'?"), "\(format.messages)")
        #expect(try spotter("workout", "send", id, "--to", "fit", "--output", "/nowhere/x").status == 74)
        try doPlan()
        let nameless = try spotter("workout", "send", try workout(), "--to", "fit")
        #expect(nameless.status == 1 && nameless.messages.contains("has no name"), "\(nameless.messages)")
    }

    @Test func `a workout that ended waits for its recipient, and the next run delivers it`() throws {
        try configure("[[share]]\nname = \"club\"\nurl = \"\(receiver.url("/club"))\"\n")
        receiver.answer { _ in .status(503, "") }
        try doPlan("--name", "Anna")
        let listed = try spotter("share", "list")
        #expect(listed.output.contains("club") && listed.output.contains("webhook"), "\(listed.output)")
        let json = try spotter("share", "list", "--json").output
        #expect(json.contains("\"waiting\" : 1"), "\(json)")
        receiver.answer { _ in .status(204, "") }
        let database = temporary.file("spotter.db").path
        try Program.tool("sqlite3", [database, "UPDATE delivery SET due_ms = 0"])
        let before = receiver.requests.count
        let node = try Program.start(
            ["run", "--realtime", "--quiet", "--config", temporary.file("config.toml").path])
        #expect(Program.wait { receiver.requests.count > before })
        node.terminate()
        node.wait()
        #expect(receiver.requests.last?.body.contains("\"name\":\"Anna\"") == true)
        #expect(try Program.sqlite(database, "SELECT count(*) FROM delivery") == ["0"])
    }

    @Test func `with strict privacy no workout waits for anybody`() throws {
        try configure("recognition.privacy = \"strict\"\n[[share]]\nname = \"club\"\nurl = \"\(receiver.url())\"\n")
        try doPlan("--name", "Anna")
        #expect(try Program.sqlite(temporary.file("spotter.db").path, "SELECT count(*) FROM delivery") == ["0"])
        #expect(receiver.requests.isEmpty)
    }

    @Test func `tests say what came back from each recipient`() throws {
        try configure("")
        #expect(try spotter("alert", "test").status == 3)
        #expect(try spotter("alert", "list").output.contains("[[alert]]"))
        let program = temporary.file("sendmail").path
        try write("sendmail", "#!/bin/sh\ncat > \(temporary.file("mail").path)\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        try configure(
            """
            [[alert]]
            name = "staff"
            kind = "ntfy"
            url = "\(receiver.url("/gym"))"
            [[alert]]
            name = "office"
            kind = "mail"
            to = "office@example.org"
            sendmail = "\(program)"
            [[alert]]
            name = "gone"
            url = "http://127.0.0.1:9/"
            """)
        let all = try spotter("alert", "test")
        #expect(all.status == 1 && all.output.contains("staff (ntfy): taken: HTTP 200: thanks"), "\(all.output)")
        #expect(all.output.contains("office (mail): taken") && all.output.contains("gone (webhook): not taken"))
        #expect(receiver.requests.first?.body == "This is a test. Nothing is wrong.")
        #expect(try String(contentsOf: temporary.file("mail"), encoding: .utf8).contains("To: office@example.org"))
        let one = try spotter("alert", "test", "staff", "--json")
        #expect(one.status == 0 && one.output.contains("HTTP 200"))
        #expect(try spotter("alert", "test", "stuff").messages.contains("did you mean 'staff'?"))
    }

    @Test func `a receiver that is silent delays no alert to another, and was not told`() throws {
        let alert = { (name: String) in
            "[[alert]]\nname = \"\(name)\"\nurl = \"\(receiver.url("/" + name))\"\non = [\"camera_away\"]\n"
                + "after_minutes = 0.02\n"
        }
        try configure(alert("a-silent") + alert("b-staff"))
        let file = temporary.file("config.toml")
        let text = try String(contentsOf: file, encoding: .utf8).replacing(stream, with: "/dev/video99")
        try Data(text.utf8).write(to: file)
        receiver.answer { $0.path == "/a-silent" ? .silence : .status(200, "") }
        let node = try Program.start(["run", "--quiet", "--config", file.path])
        defer {
            node.terminate()
            node.wait()
        }
        func isAsked(_ path: String) -> Bool { receiver.requests.contains { $0.path == path } }
        let silentIsAsked = Program.wait { isAsked("/a-silent") }
        let began = ContinuousClock.now
        let staffIsAsked = Program.wait { isAsked("/b-staff") }
        #expect(silentIsAsked && staffIsAsked)
        // The silent one is waited for twenty seconds.
        #expect(ContinuousClock.now - began < .seconds(10))
        func told() throws -> [String] {
            let answer =
                try JSONSerialization.jsonObject(
                    with: Data(try spotter("alert", "list", "--json").output.utf8)) as? [String: Any]
            let problems = answer?["problems"] as? [[String: Any]] ?? []
            return problems.filter { $0["told"] as? Bool == true }.compactMap { $0["alert"] as? String }
        }
        #expect(try Program.wait { try told() == ["b-staff"] })
    }

    @Test func `a camera that is away is told once by a running node, also over a restart, and once when it is back`()
        throws
    {
        try configure(
            "[[alert]]\nname = \"staff\"\nurl = \"\(receiver.url())\"\non = [\"camera_away\"]\nafter_minutes = 0.02\n")
        let away = temporary.file("config.toml")
        let text = try String(contentsOf: away, encoding: .utf8).replacing(stream, with: "/dev/video99")
        try Data(text.utf8).write(to: away)
        func run(until holds: () throws -> Bool) throws {
            let node = try Program.start(["run", "--quiet", "--config", away.path])
            #expect(try Program.wait(until: holds))
            node.terminate()
            node.wait()
        }
        try run { receiver.requests.count == 1 }
        #expect(
            receiver.requests[0].body.contains("\"state\":\"began\"") && receiver.requests[0].body.contains("rack-1"))
        let listed = try spotter("alert", "list").output
        #expect(listed.contains("camera_away") && listed.contains("yes"), "\(listed)")
        let database = temporary.file("spotter.db").path
        let since = try Program.sqlite(database, "SELECT since_ms FROM standing_problem")
        // The second run sees the same problem, and says nothing.
        let heard = Date()
        try run { Date().timeIntervalSince(heard) > 6 }
        #expect(receiver.requests.count == 1)
        #expect(try Program.sqlite(database, "SELECT since_ms FROM standing_problem") == since)
    }
}
