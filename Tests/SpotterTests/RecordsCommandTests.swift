import Foundation
import TestSupport
import Testing

/// Loads, exertions, records and members' codes, with the real program and a real database.
@Suite struct RecordsCommandTests {
    private let temporary: TemporaryFolder
    private let database: String

    /// Somebody does eight squats after a plan, under the name Anna.
    init() throws {
        temporary = try TemporaryFolder()
        database = temporary.file("spotter.db").path
        let made = try Program.run(
            "synthesize", "--motion", "squat", "--clips", "1", "--seconds", "30", "-o", temporary.url.path)
        try #require(made.status == 0, "\(made.messages)")
        try write("plan.toml", "name = \"Squats\"\n[[step]]\naction = \"squat\"\nrepetitions = 8\n")
        try write(
            "config.toml",
            """
            mqtt.enabled = false
            history.path = "\(database)"
            workouts.plans = "\(temporary.url.path)"
            [[camera]]
            id = "rack-1"
            source = "\(temporary.file("squat/squat_0.poses.jsonl").path)"
            """)
        let done = try spotter(
            "run", "--plan", temporary.file("plan.toml").path, "--name", "Anna", "--quiet")
        try #require(done.status == 0, "\(done.messages)")
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: temporary.file(name))
    }

    private func spotter(_ arguments: String...) throws -> Program.Result {
        try Program.run(arguments + ["--config", temporary.file("config.toml").path])
    }

    private func session() throws -> String {
        try #require(try Program.sqlite(database, "SELECT id FROM session").first)
    }

    @Test func `a load and an exertion make records, and leave with the name`() throws {
        let set = try spotter("session", "correct", try session(), "1", "--load", "80", "--rpe", "8", "--reps", "8")
        #expect(set.status == 0 && set.output.contains("with 80 kg, RPE 8"), "\(set.messages)")
        let listed = try spotter("history", "sets")
        #expect(listed.output.contains("RPE") && listed.output.contains("80"), "\(listed.output)")
        #expect(try spotter("history", "sets", "--csv").output.contains(",rpe,left_reps,right_reps\n"))
        let table = try spotter("history", "records", "ANNA")
        #expect(
            table.status == 0 && table.output.hasPrefix("Anna: 1 workout on 1 day, 640 kg moved\n"), "\(table.output)")
        // Eight and two left are ten: 80 × (1 + 10 / 30).
        #expect(table.output.contains("1 week in a row") && table.output.contains("106.7 ± 2.7 kg"), "\(table.output)")
        let json = try #require(
            try JSONSerialization.jsonObject(
                with: Data(try spotter("history", "records", "anna", "--json").output.utf8))
                as? [String: Any])
        #expect(json["volume_kg"] as? Double == 640 && (json["exercises"] as? [Any])?.count == 1)
        let wrong = try spotter("history", "records", "ana")
        #expect(wrong.status == 3 && wrong.messages.contains("did you mean 'Anna'?"), "\(wrong.messages)")
        let invalid = try spotter("session", "correct", try session(), "1", "--rpe", "8.2")
        #expect(invalid.status == 2 && invalid.messages.contains("in steps of a half"), "\(invalid.messages)")
        let folder = temporary.file("handed over").path
        #expect(try spotter("person", "export", "anna", "-o", folder).status == 0)
        let handed = try String(contentsOfFile: folder + "/workouts.json", encoding: .utf8)
        #expect(handed.contains("\"load_kg\"") && handed.contains("\"rpe\""), "\(handed)")
        #expect(try spotter("person", "forget", "anna", "--yes").status == 0)
        #expect(try spotter("history", "records", "anna").status == 3)
    }

    @Test func `a code is printed once, replaced, shown as stored, and taken back`() throws {
        let made = try spotter("person", "code", "anna", "--nickname", "Falcon")
        #expect(made.status == 0 && made.output.wholeMatch(of: /\d{6}\n/) != nil, "\(made.messages)")
        #expect(made.messages.contains("/member"))
        let stored = try Program.sqlite(database, "SELECT nickname || ' ' || code FROM member_code")
        #expect(stored.count == 1 && stored[0].hasPrefix("Falcon {"), "\(stored)")
        let list = try spotter("person", "list", "--json")
        #expect(list.output.contains("\"code\" : \"Falcon\""), "\(list.output)")
        #expect(!stored[0].contains(made.output.trimmingCharacters(in: .newlines)))
        let again = try spotter("person", "code", "Anna", "--json")
        #expect(again.output.contains("\"nickname\" : \"Anna\""), "\(again.output)")
        #expect(try Program.sqlite(database, "SELECT count(*) FROM member_code") == ["1"])
        let shown = try spotter("person", "show", "anna")
        #expect(shown.output.contains("1 member's code"), "\(shown.output)")
        #expect(try spotter("person", "code", "anna", "--remove").output.contains("is deleted"))
        #expect(try spotter("person", "code", "anna", "--remove").output.contains("has no code"))
        let unknown = try spotter("person", "code", "ben")
        #expect(unknown.messages.contains("No workout has the name ben yet"))
        let other = try spotter("person", "code", "anna", "--nickname", "BEN")
        #expect(other.status == 1 && other.messages.contains("choose another nickname"), "\(other.messages)")
        #expect(try spotter("person", "forget", "ben", "--yes").status == 0, "a name with a code alone is a trace")
        #expect(try Program.sqlite(database, "SELECT count(*) FROM member_code") == ["0"])
    }
}
