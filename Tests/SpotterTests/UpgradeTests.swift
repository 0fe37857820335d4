import Foundation
import History
import Records
import TestSupport
import Testing

/// What earlier versions wrote, in the hands of this program. Tests/Fixtures/history says how the files were made.
@Suite struct UpgradeTests {
    private static let fixtures = Program.root.appending(path: "Tests/Fixtures/history")
    static let versions: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: fixtures.path)) ?? []
        return names.filter { $0.hasSuffix(".db") }.map { String($0.dropLast(3)) }.sorted()
    }()
    /// Those whose database has another schema than today's.
    static let older = versions.filter { version in
        // Immutable: SQLite would make a log beside the file otherwise.
        let file = "file:\(fixtures.appending(path: version + ".db").path)?immutable=1"
        let schema = try? Program.sqlite(file, "PRAGMA user_version")
        return schema != [String(Migrations.version)]
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A copy of what a version wrote.
    private func database(_ version: String) throws -> String {
        let copy = folder.file("spotter.db").path
        try FileManager.default.copyItem(atPath: Self.fixtures.appending(path: version + ".db").path, toPath: copy)
        return copy
    }

    private func run(_ database: String) throws -> Program.Result {
        let stream = folder.file("short.poses.jsonl")
        try GroundTruth(clip: "stand_45").writePoseStream(to: stream)
        // Another camera, so that what is asked of the first one stays as it was.
        let settings = folder.file("later.toml")
        try Data("[[camera]]\nid = \"later\"\n".utf8).write(to: settings)
        return try Program.run(
            "run", "--config", settings.path, "--source", stream.path, "--no-mqtt", "--quiet", "--database", database)
    }

    private func answer(_ question: String, _ database: String) throws -> JSONValue {
        let result = try Program.run(
            "history", question, "--json", "--camera", "camera1", "--database", database)
        return try JSONDecoder().decode(JSONValue.self, from: Data(result.output.utf8))
    }

    private static func known(_ version: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: fixtures.appending(path: version + ".json")))
    }

    @Test(arguments: versions)
    func `a history of an earlier version is taken with all that it holds`(version: String) throws {
        let database = try database(version)
        let records = "SELECT seq, type, id, body FROM record WHERE seq <= 6 ORDER BY seq"
        let before = try Program.sqlite(database, records)
        #expect(!before.isEmpty)
        let taken = try run(database)
        #expect(taken.status == 0, "\(taken.messages)")
        #expect(try Program.sqlite(database, records) == before, "records that wait stay as they are")
        #expect(try Program.run("db", "check", "--database", database).status == 0)
        let copies = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            .filter { $0.hasPrefix("spotter.db.before-v") }
        #expect(copies.count == (Self.older.contains(version) ? 1 : 0), "\(copies)")
        let known = try Self.known(version)
        for question in ["sessions", "actions", "days"] {
            let missing = try Self.difference(#require(known[question]), answer(question, database), at: question)
            #expect(missing.isEmpty, "\(version): \(missing)")
        }
    }

    @Test(arguments: versions)
    func `every key of an earlier version's configuration is still known`(version: String) throws {
        let file = Self.fixtures.appending(path: version + ".toml").path
        let result = try Program.run("config", "check", file)
        #expect(result.status == 0, "\(result.messages)")
        let shown = try Program.run("config", "show", "--config", file)
        #expect(shown.output.contains("berlin"))
    }

    @Test func `no name that an earlier version made public is gone`() throws {
        let settings = folder.file("page.toml")
        try Data("[web]\nenabled = true\nlisten = \"127.0.0.1:0\"\n[mqtt]\nenabled = false\n".utf8).write(to: settings)
        let stream = folder.file("page.poses.jsonl")
        try GroundTruth(clip: "stand_45").writePoseStream(to: stream)
        let page = try AttackedPage {
            try Program.start([
                "run", "--config", settings.path, "--source", stream.path, "--database", folder.file("page.db").path,
                "--realtime",
            ])
        }
        let newest = try #require(Self.versions.max { $0.compare($1, options: .numeric) == .orderedAscending })
        let now = try PublicNames.all(
            of: page, configuration: Self.fixtures.appending(path: newest + ".toml").path)
        for version in Self.versions {
            let file = Self.fixtures.appending(path: version + ".names.txt")
            guard let text = try? String(contentsOf: file, encoding: .utf8) else {
                try Data((now.sorted().joined(separator: "\n") + "\n").utf8).write(to: file)
                Issue.record("\(file.lastPathComponent) was not there and is written: read and commit it")
                continue
            }
            let before = Set(text.split(separator: "\n").map(String.init))
            try #require(before.count > 200 && now.count > 400)
            // Versions before 1.0 could take names away.
            let gone = [
                "mqtt info.build string", "mqtt info.restart_required boolean",
                "mqtt rec_session.body.sets[].coaching_hint integer",
            ]
            #expect(before.subtracting(now) == (version == "0.1.0" ? Set(gone) : []), "\(version)")
        }
    }

    @Test(arguments: older)
    func `after a kill of the newer program, the named command brings back all of the older history`(
        version: String
    ) throws {
        let database = try database(version)
        #expect(try run(database).status == 0)
        let copy = try #require(
            FileManager.default.contentsOfDirectory(atPath: folder.url.path).first { $0.contains(".before-v") })
        let path = folder.file(copy).path
        let kept = try Program.sqlite(path, "SELECT id FROM session ORDER BY id")
        // A newer program was killed: its log lies beside the database.
        let schema = try #require(Int(copy.split(separator: "v").last ?? "")) + 1
        try Program.tool(
            "sqlite3",
            [
                database, ".dbconfig no_ckpt_on_close on", "PRAGMA journal_mode = WAL",
                "CREATE TABLE newer(x); INSERT INTO newer SELECT hex(randomblob(9000)); PRAGMA user_version = \(schema)",
            ])
        #expect(FileManager.default.fileExists(atPath: database + "-wal"))
        let refused = try run(database)
        #expect(refused.status == 78, "\(refused.messages)")
        let named = try #require(refused.messages.firstMatch(of: #/`spotter ([^`]*)`/#), "\(refused.messages)")
        let back = try Program.run(named.1.split(separator: " ").map(String.init))
        #expect(back.status == 0, "\(back.messages)")
        let again = try run(database)
        #expect(again.status == 0 && !again.messages.contains("damaged"), "\(again.messages)")
        let sessions = try Program.sqlite(database, "SELECT id FROM session ORDER BY id")
        #expect(!kept.isEmpty && Set(sessions).isSuperset(of: kept))
    }

    /// What an earlier answer holds and a later one does not, or holds otherwise. A later one may hold more.
    private static func difference(_ before: JSONValue, _ now: JSONValue, at path: String) -> [String] {
        switch (before, now) {
        case (.object(let before), .object(let now)):
            return before.flatMap { key, value in
                // Renamed to `score` before 1.0. `rev` counts what was stored since.
                if key == "coaching_hint" || key == "rev" { return [String]() }
                return now[key].map { difference(value, $0, at: "\(path).\(key)") } ?? ["\(path).\(key) is gone"]
            }
        case (.list(let before), .list(let now)):
            return before.filter { value in !now.contains { difference(value, $0, at: path).isEmpty } }
                .map { "\(path): no \($0)" }
        default:
            return before == now ? [] : ["\(path) was \(before), is \(now)"]
        }
    }
}
