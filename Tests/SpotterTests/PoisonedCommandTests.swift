import Foundation
import TestSupport
import Testing

/// Commands on histories and exports with impossible values.
@Suite struct PoisonedCommandTests {
    private let folder: TemporaryFolder
    private let database: String
    private let export: String

    init() throws {
        folder = try TemporaryFolder()
        database = folder.file("spotter.db").path
        export = folder.file("sound.jsonl").path
        let lines = """
            {"table":"about","format":"spotter.history","version":1,"node":"sp-one","epoch":"e","seq":1,"tz":"UTC","written":"2026-11-21T12:00:00.000Z"}
            {"table":"sessions","id":"s1","camera":"rack1","track":1,"start":"2026-11-21T11:00:00.000Z","end":"2026-11-21T11:00:30.000Z","end_reason":"idle","model":"m","fps":30,"rev":1}
            {"table":"session_actions","session":"s1","label":"squat","position":0,"frames":300,"seconds":10,"reps":5,"conf_mean":0.9}
            {"table":"sets","session":"s1","number":1,"label":"squat","start":"2026-11-21T11:00:01.000Z","end":"2026-11-21T11:00:12.000Z","reps":5,"score":80}
            {"table":"corrections","session":"s1","number":1,"label":"lunge","reps":4,"made":"2026-11-21T12:00:00.000Z"}
            {"table":"days","day":"2026-11-21","camera":"rack1","sessions":1,"rev":1}
            {"table":"day_actions","day":"2026-11-21","camera":"rack1","label":"squat","frames":300,"seconds":10,"reps":5}
            {"table":"predictions","end":"2026-11-21T11:00:10.000Z","camera":"rack1","track":1,"label":"squat","confidence":0.9,"frames":10}

            """
        try Data(lines.utf8).write(to: URL(filePath: export))
        let made = try Program.run("import", export, "--database", database)
        #expect(made.status == 0, "\(made.messages)")
    }

    @Test(arguments: [
        (
            "\"frames\":300,\"seconds\":10,\"reps\":5}", "\"frames\":9223372036854775807,\"seconds\":10,\"reps\":5}", 7,
            "frames"
        ),
        ("\"seconds\":10,\"reps\":5}", "\"seconds\":1e19,\"reps\":5}", 7, "seconds"),
        ("\"conf_mean\":0.9", "\"conf_mean\":1e308", 3, "conf_mean"),
        ("\"sessions\":1", "\"sessions\":9223372036854775807", 6, "sessions"),
        (
            "\"label\":\"squat\",\"confidence\"",
            "\"label\":\"\(String(repeating: "x", count: 100_000))\",\"confidence\"", 8, "label"
        ),
    ])
    func `an export with an impossible number or label is refused with its line number, before anything is written`(
        sound: String, wrong: String, line: Int, field: String
    ) throws {
        let text = try String(contentsOfFile: export, encoding: .utf8)
        let file = folder.file("wrong.jsonl").path
        try Data(text.replacing(sound, with: wrong).utf8).write(to: URL(filePath: file))
        let new = folder.file("new.db").path
        let refused = try Program.run("import", file, "--database", new)
        #expect(refused.status == 74, "\(refused.messages.prefix(300))")
        #expect(refused.messages.contains("line \(line): '\(field)'"), "\(refused.messages.prefix(300))")
        #expect(refused.messages.utf8.count < 400)
        #expect(!FileManager.default.fileExists(atPath: new), "not even a history was made")
    }

    @Test(arguments: ["9223372036854775807", "1e19", "1e308", "9e999", "'many'", "-9223372036854775808"])
    func `every command works, whatever values a history holds`(value: String) throws {
        let sets = [
            "day_action SET frames = V, seconds = V, reps = V", "day_camera SET sessions = V, rev = V",
            "session SET track = V, start_ms = V, end_ms = V, fps = V, rev = V",
            "session_action SET frames = V, seconds = V, reps = V, conf_mean = V",
            "session_set SET start_ms = V, end_ms = V, reps = V, form = V", "set_correction SET reps = V, made_ms = V",
            "prediction SET end_ms = V, track = V, confidence = V, frames = V",
        ]
        let sql = sets.map { "UPDATE \($0.replacing("V", with: value));" }.joined()
        try Program.tool("sqlite3", [database, sql])
        for arguments in [
            "history", "history --json", "history --chart", "history --csv", "history days", "history days --chart",
            "history days --json", "history sessions", "history sessions --json", "history sets", "history sets --json",
            "history predictions", "history predictions --json", "session show s1", "session show s1 --json", "export",
            "export --format json", "db check",
        ] {
            let words = arguments.split(separator: " ").map(String.init)
            let answer = try Program.run(words + ["--database", database])
            #expect(answer.status == 0, "\(arguments): \(answer.status) \(answer.messages)")
            guard arguments.hasSuffix("json") else { continue }
            _ = try JSONSerialization.jsonObject(with: Data(answer.output.utf8))
        }
    }

    @Test func `a very long label is shown at once`() throws {
        let label = String(repeating: "x", count: 100_000)
        try Program.tool("sqlite3", [database, "UPDATE day_action SET label = '\(label)'"])
        let began = ContinuousClock.now
        for arguments in [["history"], ["history", "--chart"], ["history", "days"]] {
            #expect(try Program.run(arguments + ["--database", database]).status == 0)
        }
        // Each once took over a minute; the limit is ten times the expected time, for a busy machine.
        #expect(ContinuousClock.now - began < .seconds(60))
    }
}
