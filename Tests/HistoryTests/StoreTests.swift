import Actions
import Foundation
import GRDB
import History
import Records
import Testing

@Suite struct StoreTests {
    @Test func `a new history has its directory, its schema and durable commits`() throws {
        let fixture = try Fixture()
        let path = fixture.directory.appendingPathComponent("deep/er/spotter.db").path
        let store = try fixture.open(path: path)
        #expect(try store.ask("PRAGMA journal_mode") == "wal")
        #expect(try store.ask("PRAGMA user_version") == "21")
        let (synchronous, foreignKeys) = try store.pool.writeWithoutTransaction { db in
            (try Int.fetchOne(db, sql: "PRAGMA synchronous"), try Int.fetchOne(db, sql: "PRAGMA foreign_keys"))
        }
        #expect(synchronous == 2, "FULL: a commit that was told must survive a power cut")
        #expect(foreignKeys == 1)
        #expect(store.openingEvents.isEmpty)
    }

    @Test func `scenario 30: a second writer is refused until the first is gone`() throws {
        let fixture = try Fixture()
        var first: Store? = try fixture.open()
        let refusal = #expect(throws: HistoryError.self) { try fixture.open() }
        #expect(refusal == .locked(path: fixture.path, holder: getpid()))
        #expect(refusal?.exitCode == 75)
        try first?.close()
        first = nil
        _ = try fixture.open()
    }

    @Test func `a refused second writer leaves the first one its lock`() throws {
        let fixture = try Fixture()
        let first = try fixture.open()
        #expect(throws: HistoryError.self) { try fixture.open() }
        #expect(throws: HistoryError.self) { try fixture.open() }
        _ = try first.nextConnectionId()
    }

    @Test func `somebody who looks for the holder for a moment does not keep a node from starting`() throws {
        let fixture = try Fixture()
        try fixture.open().close()
        let descriptor = open(fixture.path + ".lock", O_RDONLY | O_CLOEXEC)
        #expect(flock(descriptor, LOCK_SH | LOCK_NB) == 0)
        Thread.detachNewThread {
            usleep(100_000)
            close(descriptor)
        }
        try fixture.open().close()
    }

    @Test func `the holder is known while the rest of an older and longer number is not yet cut off`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        try "\(getpid())\n45\n".write(toFile: fixture.path + ".lock", atomically: false, encoding: .utf8)
        #expect(Store.holder(of: fixture.path) == getpid())
        try store.close()
    }

    @Test func `scenario 35: a newer schema is refused with advice, and stays readable`() throws {
        let fixture = try Fixture()
        try fixture.open().close()
        let queue = try DatabaseQueue(path: fixture.path)
        try queue.write { try $0.execute(sql: "PRAGMA user_version = 22") }
        try queue.close()
        let refusal = #expect(throws: HistoryError.self) { try fixture.open() }
        #expect(refusal == .newerSchema(path: fixture.path, found: 22, known: 21, snapshot: nil))
        #expect(refusal?.exitCode == 78)
        #expect(try HistoryQuery(path: fixture.path).sessions().isEmpty)
    }

    @Test func `an older file is copied before it is brought up to date`() throws {
        let fixture = try Fixture()
        let old = try DatabaseQueue(path: fixture.path)
        try old.write { try $0.execute(sql: "CREATE TABLE early(x); INSERT INTO early VALUES('kept')") }
        try old.close()
        let store = try fixture.open()
        #expect(try store.ask("SELECT x FROM early") == "kept")
        #expect(try sqlite3(fixture.path + ".before-v21", "SELECT x FROM early") == "kept")
    }

    @Test func `a path that cannot be written is named, with exit code 77`() throws {
        let fixture = try Fixture()
        let file = fixture.directory.appendingPathComponent("file")
        try Data("x".utf8).write(to: file)
        let places = [
            file.appendingPathComponent("spotter.db").path, fixture.directory.path, "/proc/spotter/spotter.db",
        ]
        for path in places {
            let refusal = #expect(throws: HistoryError.self) { try fixture.open(path: path) }
            guard case .notWritable(let named, let reason) = refusal else {
                Issue.record("\(path): \(String(describing: refusal))")
                continue
            }
            #expect(named == path && !reason.isEmpty)
            #expect(refusal?.exitCode == 77)
        }
    }

    @Test func `scenario 29: network file systems are recognised from the mount table`() throws {
        let mounts = """
            /dev/sda1 / ext4 rw 0 0
            nas:/gym /mnt/nas nfs4 rw 0 0
            //pc/share /mnt/my\\040share cifs rw 0 0
            tmpfs /mnt/nas/local tmpfs rw 0 0
            """
        #expect(Store.networkFilesystem(at: "/mnt/nas/db", mounts: mounts) == "nfs4")
        #expect(Store.networkFilesystem(at: "/mnt/my share", mounts: mounts) == "cifs")
        #expect(Store.networkFilesystem(at: "/mnt/nas/local", mounts: mounts) == nil)
        #expect(Store.networkFilesystem(at: "/mnt/nasty", mounts: mounts) == nil)
    }

    @Test func `scenario 26: a file that is no database is set aside and a new epoch begins`() throws {
        let fixture = try Fixture()
        try Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: URL(fileURLWithPath: fixture.path))
        let store = try fixture.open()
        guard case .setAside(let aside, _, let saved) = try #require(store.openingEvents.first) else {
            Issue.record("nothing was set aside: \(store.openingEvents)")
            return
        }
        #expect(aside == fixture.path + ".corrupt-20261121T110000")
        #expect(FileManager.default.contents(atPath: aside)?.count == 20_000 && saved == 0)
        let gap = try #require(try store.records.records(after: 0, limit: 10).first)
        #expect(gap.type == .gap && gap.body.contains("corruption"))
    }

    @Test func `the readable sessions, the node id and its counter are recovered from a damaged history`() throws {
        let fixture = try Fixture()
        let (epoch, sessions) = try damagedHistory(fixture)
        let store = try fixture.open(node: nil)
        guard case .setAside(_, _, let saved) = try #require(store.openingEvents.first) else {
            Issue.record("the damage was not noticed: \(store.openingEvents)")
            return
        }
        #expect(saved > 0 && saved <= sessions)
        #expect(store.identity.node == "sp-before" && store.identity.epoch != epoch)
        #expect(try store.nextConnectionId() == 4)
        #expect(try store.ask("PRAGMA integrity_check") == "ok")
    }

    @Test func `damage is noticed in a small file even after a clean shutdown`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let root = try #require(try store.ask("SELECT rootpage FROM sqlite_schema WHERE name = 'session'"))
        try store.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: fixture.path))
        try file.seek(toOffset: UInt64((Int(root) ?? 1) - 1) * 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        try file.close()
        let copy = fixture.directory.appendingPathComponent("again.db").path
        try FileManager.default.copyItem(atPath: fixture.path, toPath: copy)
        guard case .setAside = try fixture.open(path: copy).openingEvents.first else {
            Issue.record("the damage was not noticed")
            return
        }
    }

    /// Writes 400 sessions, then noise over a part of the file, after an unclean shutdown.
    private func damagedHistory(_ fixture: Fixture) throws -> (epoch: String, sessions: Int) {
        let store = try fixture.open(node: "sp-before")
        let writer = try fixture.writer(store)
        for _ in 0..<3 { _ = try store.nextConnectionId() }
        for number in 0..<400 {
            let start = Fixture.noon.addingTimeInterval(Double(number) * 60)
            writer.enqueue(Fixture.session(UUIDv7.string(at: start), start: start, reason: .idle), now: .now)
        }
        _ = try writer.flush(now: .now, wall: Fixture.noon)
        try store.checkpoint()
        let epoch = store.identity.epoch
        try store.pool.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: fixture.path))
        let size = try file.seekToEnd()
        try file.seek(toOffset: size * 3 / 4 / 4096 * 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 3 * 4096))
        try file.close()
        return (epoch, 400)
    }

    @Test func `an unclean shutdown is reported at the next start, a clean one is not`() throws {
        let fixture = try Fixture()
        let running = try fixture.open()
        let copy = try fixture.copyOfRunningFiles()
        // A local, so that a failure shows what happened instead.
        let events = try fixture.open(path: copy).openingEvents
        #expect(events == [.uncleanStart])
        try running.close()
        #expect(try fixture.copyOfRunningFiles() != copy)
        let again = try fixture.copyOfRunningFiles()
        #expect(try fixture.open(path: again).openingEvents.isEmpty)
    }

    @Test func `a node keeps its id and epoch, and its connection numbers only grow`() throws {
        let fixture = try Fixture()
        var store: Store? = try fixture.open()
        let identity = try #require(store?.identity)
        #expect(try store?.nextConnectionId() == 1)
        #expect(try store?.nextConnectionId() == 2)
        try store?.close()
        store = nil
        store = try fixture.open()
        #expect(store?.identity == identity)
        #expect(try store?.nextConnectionId() == 3)
        #expect(identity.node.wholeMatch(of: /sp-[0-9a-z]{10}/) != nil)
        #expect(
            identity.epoch.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    }

    @Test func `the node id comes from the machine id, or is random without one`() throws {
        let fixture = try Fixture()
        let file = fixture.directory.appendingPathComponent("machine-id")
        try Data("3d1219c7c4c5404aaa1f6d2a48adfda4\n".utf8).write(to: file)
        let id = NodeIdentity.defaultNode(machineIdFile: file.path)
        #expect(id == NodeIdentity.defaultNode(machineIdFile: file.path))
        let nowhere = fixture.directory.appendingPathComponent("none").path
        #expect(NodeIdentity.defaultNode(machineIdFile: nowhere) != NodeIdentity.defaultNode(machineIdFile: nowhere))
    }

    @Test func `every error message ends with advice`() {
        let errors: [HistoryError] = [
            .locked(path: "/d", holder: 7), .notWritable(path: "/d", reason: "r"),
            .newerSchema(path: "/d", found: 2, known: 2, snapshot: "/d.before-v3"),
            .networkFilesystem(path: "/d", kind: "nfs"), .missing(path: "/d"), .notReadable(path: "/d", reason: "r"),
            .unreadable(path: "/d", reason: "r"),
            .storage(.diskFull, path: "/d", reason: "r"),
        ]
        for error in errors {
            #expect(error.description.contains("/d"))
            #expect(error.description.contains(":") && !error.description.hasSuffix("."))
        }
        #expect(errors.map(\.exitCode) == [75, 77, 78, 78, 3, 77, 74, 74])
    }
}
