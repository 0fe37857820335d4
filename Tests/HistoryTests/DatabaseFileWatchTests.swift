import Actions
import Foundation
import GRDB
import History
import TestSupport
import Testing

/// Tests the detection of a database that is removed under the running node, and its rescue.
@Suite struct DatabaseFileWatchTests {
    private func running(_ fixture: Fixture, sessions: Int = 3) throws -> Store {
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        for number in 0..<sessions {
            writer.enqueue(Fixture.session("s\(number)", reason: .idle), now: .now)
            _ = try writer.flush(now: .now, wall: Fixture.noon)
        }
        return store
    }

    private func shell(_ command: String) throws {
        let shell = try Child("/bin/sh", ["-c", command])
        #expect(shell.wait() == 0, "\(command): \(shell.messages.whole())")
    }

    @Test func `use, queries, checkpoints and backups are not mistaken for damage`() throws {
        let fixture = try Fixture()
        let store = try running(fixture)
        #expect(store.fileCondition() == .sound)
        try store.checkpoint()
        _ = try sqlite3(fixture.path, "SELECT count(*) FROM session")
        try store.query.backup(to: fixture.path + ".copy")
        try store.prune(wall: Fixture.noon, clock: .synced)
        #expect(store.fileCondition() == .sound && store.failure(of: .sound) == nil)
        #expect(try store.rescue() == nil)
    }

    /// Mistakes an operator may make. They run in a shell, so that this process does not open the database itself.
    @Test(arguments: [
        ("rm DB", FileCondition.missing), ("rm DB DB-wal DB-shm DB.lock", .missing), ("mv DB DB.old", .missing),
        ("rm DB-wal", .logLost), ("rm DB-shm", .logLost), ("cp COPY DB.new; mv DB.new DB", .replaced),
        ("cat COPY > DB", .replaced), (": > DB", .damaged("it is empty")),
        ("truncate -s 50 DB", .damaged("it was cut off")),
        (
            "dd if=/dev/zero of=DB bs=4096 count=8 conv=notrunc 2>/dev/null",
            .damaged("its header is not that of a SQLite database")
        ),
        (
            "dd if=/dev/urandom of=DB bs=512 count=1 conv=notrunc 2>/dev/null",
            .damaged("its header is not that of a SQLite database")
        ),
        ("sqlite3 DB 'DROP TABLE prediction'", .damaged("its tables are gone")),
    ])
    func `a change to the file under a running node is detected`(command: String, condition: FileCondition) throws {
        let (fixture, other) = (try Fixture(), try Fixture())
        try running(other, sessions: 9).close()
        let store = try running(fixture)
        #expect(store.fileCondition() == .sound)
        try shell(command.replacing("DB", with: fixture.path).replacing("COPY", with: other.path))
        #expect(store.fileCondition() == condition)
        let failure = try #require(store.failure(of: condition))
        #expect(failure.exitCode == 74 && failure.description.contains(fixture.path))
    }

    @Test(arguments: ["rm DB", "rm DB DB-wal DB-shm DB.lock", "rm DB-wal DB-shm", "rm -r DIR"])
    func `a database deleted under a running node is rescued, and the next start loses nothing`(
        command: String
    ) throws {
        let fixture = try Fixture()
        let path = fixture.directory.appendingPathComponent("deep/spotter.db").path
        let settings = HistorySettings(timeZone: .gmt, nodeId: "sp-one")
        var store: Store? = try Store(path: path, settings: settings, wall: Fixture.noon, clock: Fixture.clock)
        let epoch = try #require(store?.identity.epoch)
        let writer = try fixture.writer(#require(store))
        writer.enqueue(Fixture.session("before", reason: .idle), now: .now)
        _ = try writer.flush(now: .now, wall: Fixture.noon)
        try shell(command.replacing("DB", with: path).replacing("DIR", with: fixture.directory.path + "/deep"))
        writer.enqueue(Fixture.session("after", reason: .idle), now: .now)
        _ = try writer.flush(now: .now, wall: Fixture.noon)
        #expect(try store?.rescue() == path)
        let copy = fixture.directory.appendingPathComponent("next.db").path
        // The process ends without closing anything.
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let next = try Store(path: copy, settings: settings, wall: Fixture.noon, clock: Fixture.clock)
        #expect(try Set(next.query.sessions().map(\.id)) == ["before", "after"] && next.identity.epoch == epoch)
        #expect(try next.records.lastSeq() == 2 && next.ask("PRAGMA integrity_check") == "ok")
        store = nil
    }

    @Test func `a database that was replaced by another file is rescued beside it`() throws {
        let (fixture, other) = (try Fixture(), try Fixture())
        try running(other, sessions: 9).close()
        let store = try running(fixture)
        try shell("cp '\(other.path)' '\(fixture.path).new'; mv '\(fixture.path).new' '\(fixture.path)'")
        let saved = try #require(try store.rescue())
        #expect(saved.hasPrefix(fixture.path + ".replaced-"))
        #expect(try HistoryQuery(path: saved).sessions().count == 3)
        #expect(try sqlite3(fixture.path, "SELECT count(*) FROM session") == "9")
    }

    @Test(arguments: [0o000, 0o022, 0o077] as [mode_t])
    func `only the owner may write and only the group may read, whatever the umask`(mask: mode_t) throws {
        let fixture = try Fixture()
        let path = fixture.directory.appendingPathComponent("folder/spotter.db").path
        func mode(_ suffix: String) -> mode_t {
            var status = stat()
            return stat(path + suffix, &status) == 0 ? status.st_mode & 0o777 : 0
        }
        let before = umask(mask)
        defer { umask(before) }
        let store = try fixture.open(path: path)
        for suffix in ["", "-wal", "-shm", ".lock"] { #expect(mode(suffix) == 0o640, "\(suffix)") }
        var folder = stat()
        #expect(stat(fixture.directory.path + "/folder", &folder) == 0 && folder.st_mode & 0o777 == 0o750)
        try store.close()
        // Permissions from an older version are corrected; stricter ones stay.
        chmod(path, 0o644)
        try fixture.open(path: path + "2").close()
        chmod(path + "2", 0o600)
        withExtendedLifetime(store) {}
        #expect(mode("") == 0o644)
    }
}
