import Foundation
import TestSupport
import Testing

/// Faults of the contract's table that need the whole program. deploy/contract/SCENARIOS.md lists the tests of each.
@Suite struct ScenarioTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func check(_ configuration: Data) throws -> Program.Result {
        let file = folder.file("spotter.toml")
        try configuration.write(to: file)
        return try Program.run("config", "check", file.path)
    }

    @Test(arguments: [
        ("[mqtt]\nhots = \"x\"\n", "spotter.toml:2:1", "did you mean 'mqtt.host'?"),
        ("[mqtt]\nhost = \"a\"\nhost = \"b\"\n", "spotter.toml:3:", "host"),
        ("[recognition]\nsession_idle_seconds = \"30s\"\n", "spotter.toml:2:1", "expects a number"),
        ("[history]\nmaximum_megabytes = 1\n", "spotter.toml:2:1", "from 16"),
        ("[mqtt]\nhost = 'a\n", "spotter.toml:2:", "spotter config check"),
        ("\u{FEFF}[mqtt]\r\n\tprot = 1\r\n", "spotter.toml:2:2", "did you mean 'mqtt.port'?"),
    ])
    func `scenario 32: a configuration error is reported with line and column, and exit code 78`(
        text: String, place: String, advice: String
    ) throws {
        let result = try check(Data(text.utf8))
        #expect(result.status == 78 && result.messages.contains(place), "\(result.messages)")
        #expect(result.messages.contains(advice), "\(result.messages)")
    }

    @Test func `scenario 32: tabs, Windows line ends and a byte-order mark are no error; other encodings are`() throws {
        #expect(try check(Data("\u{FEFF}[mqtt]\r\n\tport = 1884\r\n".utf8)).status == 0)
        let latin = try check(Data("[node]\nname = \"R".utf8) + [0xE4] + Data("ck\"\n".utf8))
        #expect(latin.status == 78 && !latin.messages.isEmpty, "\(latin.messages)")
    }

    @Test(arguments: ["a+b", "#", "a/b", "Gym", "🏋", "-a", "", String(repeating: "x", count: 300)])
    func `scenario 33: names unusable in a topic are refused with the rule and an example`(name: String) throws {
        for key in ["[node]\nsite", "[[camera]]\nid", "[mqtt]\nprefix"] {
            let result = try check(Data("\(key) = \"\(name)\"\n".utf8))
            #expect(result.status == 78 && result.messages.contains("spotter.toml:2:"), "\(key): \(result.messages)")
            #expect(result.messages.contains("such as \""), "\(result.messages)")
        }
    }

    @Test func `scenario 35: a newer database is read but not written, and the message says how to go back`() throws {
        let database = folder.file("spotter.db").path
        let stream = folder.file("short.poses.jsonl")
        try GroundTruth(clip: "stand_45").writePoseStream(to: stream)
        let arguments = ["run", "--source", stream.path, "--no-mqtt", "--quiet", "--database", database]
        func run() throws -> Program.Result { try Program.run(arguments) }
        #expect(try run().status == 0)
        try Program.tool("sqlite3", [database, "PRAGMA user_version = 99"])
        try FileManager.default.copyItem(atPath: database, toPath: database + ".before-v99")
        let digest = try Program.tool("sha256sum", [database])
        let refused = try run()
        #expect(refused.status == 78, "\(refused.messages)")
        let back = "spotter db restore \(database).before-v99 --database \(database) --yes"
        #expect(refused.messages.contains(back), "\(refused.messages)")
        #expect(try Program.run("history", "sessions", "--database", database).status == 0)
        #expect(try Program.run("export", "--database", database).status == 0)
        #expect(try Program.tool("sha256sum", [database]) == digest)
    }

    @Test func `scenario 36: hundreds of thousands of rows are streamed in bounded memory`() throws {
        let database = folder.file("spotter.db").path
        let stream = folder.file("short.poses.jsonl")
        try GroundTruth(clip: "stand_45").writePoseStream(to: stream)
        #expect(
            try Program.run("run", "--source", stream.path, "--no-mqtt", "--quiet", "--database", database).status == 0)
        try Program.tool(
            "sqlite3",
            [
                database,
                """
                INSERT OR IGNORE INTO name(text) VALUES('camera1'), ('squat');
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
                INSERT INTO prediction(end_ms, camera, track, label, confidence, frames)
                SELECT 1700000000000 + i * 333, (SELECT id FROM name WHERE text = 'camera1'), 9,
                  (SELECT id FROM name WHERE text = 'squat'), 900, 10 FROM n;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 365)
                INSERT OR IGNORE INTO day_action(day, camera, label, frames, seconds)
                SELECT date('now', '-' || i || ' days'), 'camera1', 'squat', 900, 30 FROM n;
                """,
            ])
        /// Peak resident memory in kilobytes.
        func memory(_ arguments: String...) throws -> Int {
            let measure = """
                import resource, subprocess, sys
                subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
                print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
                """
            let text = try Program.tool(
                "python3", ["-c", measure, Program.executable.path] + arguments + ["--database", database])
            return try #require(Int(text), "\(text)")
        }
        let one = try memory("history", "predictions", "--limit", "1", "--csv")
        #expect(try memory("history", "predictions", "--csv") - one < 12_000)
        #expect(try memory("export") - one < 12_000)
        let began = Date()
        #expect(try Program.run("history", "--last", "1y", "--database", database).output.contains("squat"))
        let seconds = Date().timeIntervalSince(began)
        #expect(try seconds < 2 * Program.slowness(), "\(seconds) s")
    }
}
