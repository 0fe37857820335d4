import Actions
import Contract
import Foundation
import GRDB
import History
import Records
import Synchronization
import Testing

/// Recovery and restoring build the new file beside the old one: if the machine dies at any time, the next start finds
/// the old history or a complete new one.
@Suite struct ReplacementTests {
    private static let sessions = 900

    /// A history of a node called sp-before after an unclean shutdown.
    private func filled(_ fixture: Fixture, sessions: Int = sessions) throws -> String {
        let store = try fixture.open(node: "sp-before")
        let writer = try fixture.writer(store)
        for _ in 0..<3 { _ = try store.nextConnectionId() }
        for number in 0..<sessions {
            let start = Fixture.noon.addingTimeInterval(Double(number) * 60)
            writer.enqueue(Fixture.session(UUIDv7.string(at: start), start: start, reason: .idle), now: .now)
        }
        _ = try writer.flush(now: .now, wall: Fixture.noon)
        try store.checkpoint()
        try store.pool.close()
        return store.identity.epoch
    }

    /// Writes noise over the index of the predictions; everything else stays readable.
    private func damage(_ path: String) throws {
        let root = Int(try sqlite3(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'prediction'")) ?? 0
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(root - 1) * 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        try file.close()
    }

    /// Copies the folder as a power cut would leave it now.
    private func photograph(_ fixture: Fixture, _ name: String) throws -> String {
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent(
            "\(fixture.directory.lastPathComponent)-\(name)")
        try FileManager.default.copyItem(at: fixture.directory, to: copy)
        return copy.appendingPathComponent("spotter.db").path
    }

    private func settings(_ node: String? = nil) -> HistorySettings { HistorySettings(timeZone: .gmt, nodeId: node) }

    @Test func `a death at any step of a recovery leaves the old history or a whole new one`() throws {
        let fixture = try Fixture()
        let epoch = try filled(fixture)
        try damage(fixture.path)
        let photographs = Mutex<[(step: FileReplacement.Step, path: String)]>([])
        let store = try Store(path: fixture.path, settings: settings(), wall: Fixture.noon, clock: Fixture.clock) {
            step in
            let path = try self.photograph(fixture, "\(step)")
            photographs.withLock { $0.append((step, path)) }
        }
        try check(store, epoch: epoch)
        let taken = photographs.withLock { $0 }
        #expect(taken.map(\.step) == FileReplacement.Step.allCases)
        for (step, path) in taken {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            defer { try? FileManager.default.removeItem(at: folder) }
            let next = try Store(path: path, settings: settings(), wall: Fixture.noon + 60, clock: Fixture.clock)
            try check(next, epoch: epoch, "died at \(step)", isPlaced: step == .placed)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.filter { $0.contains(".recover") }.isEmpty, "\(step): \(names)")
        }
    }

    private func check(_ store: Store, epoch: String, _ comment: Comment? = nil, isPlaced: Bool = false) throws {
        #expect(store.identity.node == "sp-before" && store.identity.epoch != epoch, comment)
        #expect(try store.query.sessions().count == Self.sessions, comment)
        let gap = try #require(try store.records.records(after: 0, limit: 1).first)
        let body = try JSONDecoder().decode(GapBody.self, from: Data(gap.body.utf8))
        #expect(body.epoch == epoch && body.records == Self.sessions && body.reason == "corruption", comment)
        #expect(try store.nextConnectionId() == 4, comment)
        #expect(try store.ask("PRAGMA integrity_check") == "ok", comment)
        guard !isPlaced else { return }
        guard case .setAside(let aside, _, let saved)? = store.openingEvents.first else {
            Issue.record("\(store.openingEvents) \(comment ?? "")")
            return
        }
        #expect(FileManager.default.fileExists(atPath: aside) && saved == Self.sessions, comment)
    }

    @Test func `a recovery without disk space leaves the damaged history as it was`() throws {
        let fixture = try Fixture()
        _ = try filled(fixture)
        try damage(fixture.path)
        var small = settings()
        small.maximumBytes = 200_000
        #expect(throws: HistoryError.self) {
            try Store(path: fixture.path, settings: small, wall: Fixture.noon, clock: Fixture.clock)
        }
        let store = try Store(path: fixture.path, settings: settings(), wall: Fixture.noon, clock: Fixture.clock)
        #expect(try store.identity.node == "sp-before" && store.query.sessions().count == Self.sessions)
    }

    @Test func `an empty file is not a history, and its log is kept`() throws {
        let fixture = try Fixture()
        _ = try filled(fixture, sessions: 1)
        try Data().write(to: URL(fileURLWithPath: fixture.path))
        try Data("log".utf8).write(to: URL(fileURLWithPath: fixture.path + "-wal"))
        let store = try fixture.open()
        guard case .setAside(let aside, _, 0)? = store.openingEvents.first else {
            Issue.record("\(store.openingEvents)")
            return
        }
        #expect(FileManager.default.contents(atPath: aside + "-wal") == Data("log".utf8))
    }

    @Test func `a death at any step of restoring leaves the history as it was or the copy in its place`() throws {
        let (fixture, other) = (try Fixture(), try Fixture())
        let epoch = try filled(fixture, sessions: 3)
        _ = try filled(other, sessions: 5)
        let photographs = Mutex<[(step: FileReplacement.Step, path: String)]>([])
        let before = try Store.restore(other.path, to: fixture.path, wall: Fixture.noon) { step in
            let path = try self.photograph(fixture, "\(step)")
            photographs.withLock { $0.append((step, path)) }
        }
        #expect(try HistoryQuery(path: #require(before)).sessions().count == 3)
        let taken = photographs.withLock { $0 }
        #expect(taken.map(\.step) == FileReplacement.Step.allCases)
        for (step, path) in taken + [(.placed, fixture.path)] {
            let next = try Store(path: path, settings: settings(), wall: Fixture.noon, clock: Fixture.clock)
            let isRestored = ![.halfBuilt, .built].contains(step)
            #expect(try next.query.sessions().count == (isRestored ? 5 : 3), "\(step)")
            #expect((next.identity.epoch != epoch) == isRestored)
            #expect(try next.nextConnectionId() == 4)
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!names.contains { $0.contains(".restor") }, "\(step): \(names)")
            if path != fixture.path { try FileManager.default.removeItem(at: folder) }
        }
    }

    @Test func `only an intact history is restored; otherwise the present one stays in place`() throws {
        let (fixture, other) = (try Fixture(), try Fixture())
        _ = try filled(fixture, sessions: 3)
        _ = try filled(other, sessions: 400)
        let file = { (name: String) in fixture.directory.appendingPathComponent(name).path }
        // A truncated copy, noise, another program's database, a newer version's, an empty file, a missing file.
        try Data(contentsOf: URL(fileURLWithPath: other.path)).prefix(40_960).write(to: URL(filePath: file("torn")))
        try Data(repeating: 0x5A, count: 8192).write(to: URL(filePath: file("noise")))
        try DatabaseQueue(path: file("other")).write { try $0.execute(sql: "CREATE TABLE shop(x)") }
        try FileManager.default.copyItem(atPath: other.path, toPath: file("newer"))
        try DatabaseQueue(path: file("newer")).write { try $0.execute(sql: "PRAGMA user_version = 99") }
        try Data().write(to: URL(filePath: file("empty")))
        for name in ["torn", "noise", "other", "newer", "empty", "none"] {
            let refusal = #expect(throws: HistoryError.self, "\(name)") {
                try Store.restore(file(name), to: fixture.path, wall: Fixture.noon)
            }
            #expect(refusal?.description.contains(name) == true, "\(name): \(refusal?.description ?? "")")
            let store = try fixture.open()
            #expect(try store.query.sessions().count == 3, "\(name)")
            try store.close()
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path)
        #expect(!names.contains { $0.contains("before-restore") || $0.contains("restor") }, "\(names)")
    }
}
