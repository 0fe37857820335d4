import Actions
import Foundation
import History
import TestSupport
import Testing

/// A small tmpfs, if mounting is permitted: as root, outside most containers.
private final class SmallDisk {
    static let isPossible: Bool = {
        guard getuid() == 0, let disk = try? SmallDisk(megabytes: 1) else { return false }
        return disk.isMounted
    }()

    let path: String
    private(set) var isMounted = false

    init(megabytes: Int) throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("spotter-disk-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        isMounted = try run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", path)
    }

    deinit {
        if isMounted { _ = try? run("umount", "-l", path) }
        rmdir(path)
    }

    func remount(_ option: String) throws { #expect(try run("mount", "-o", "remount,\(option)", path)) }

    @discardableResult
    private func run(_ arguments: String...) throws -> Bool {
        try Child("/usr/bin/env", arguments, output: .nothing, messages: .nothing).wait() == 0
    }
}

@Suite struct DiskTests {
    private let t0 = ContinuousClock.now

    private func problem(_ error: HistoryError?) -> StorageProblem? {
        if case .storage(let problem, _, _)? = error { problem } else { nil }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs to mount a tmpfs"))
    func `scenario 27: counting continues on a full disk, and everything is stored once there is room`()
        throws
    {
        let fixture = try Fixture()
        let disk = try SmallDisk(megabytes: 3)
        let store = try fixture.open(path: disk.path + "/spotter.db")
        let writer = try fixture.writer(store)
        let ballast = disk.path + "/ballast"
        let free = try #require(
            try FileManager.default.attributesOfFileSystem(forPath: disk.path)[.systemFreeSize] as? NSNumber)
        try Data(count: free.intValue).write(to: URL(fileURLWithPath: ballast))
        for number in 0..<3000 {
            writer.credit(
                Fixture.prediction("squat"), camera: "rack1", wall: Fixture.noon.addingTimeInterval(Double(number)),
                now: t0)
        }
        let refusal = #expect(throws: HistoryError.self) {
            try writer.commitIfDue(now: t0 + .seconds(5), wall: Fixture.noon)
        }
        #expect(problem(refusal) == .diskFull)
        try FileManager.default.removeItem(atPath: ballast)
        let commit = try writer.commitIfDue(now: t0 + .seconds(60), wall: Fixture.noon)
        #expect(commit?.predictions == 3000)
        #expect(try store.query.check().problems.isEmpty)
        #expect(try store.query.actions().first?.frames == 30_000)
        try store.close()
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs to mount a tmpfs"))
    func `scenario 28: counting continues on a disk that became read-only, and nothing is lost after repair`()
        throws
    {
        let fixture = try Fixture()
        let disk = try SmallDisk(megabytes: 8)
        let path = disk.path + "/spotter.db"
        // This simulates a dying card: the file system refuses writes and the process continues. tmpfs cannot be
        // remounted while a file is open, so one run closes the file and the next one opens it on the read-only disk.
        try fixture.open(path: path).close()
        try disk.remount("ro")
        let refusal = #expect(throws: HistoryError.self) { try fixture.open(path: path) }
        guard case .notWritable? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(refusal?.exitCode == 77 && refusal?.description.contains("Read-only") == true)
        #expect(try HistoryQuery(path: path).sessions().isEmpty, "readers still work")
        try disk.remount("rw")
        try fixture.open(path: path).close()
    }

    @Test func `scenario 28: the counts stay in memory while the file cannot be written`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        try store.simulateReadOnly(true)
        writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: Fixture.noon, now: t0)
        let refusal = #expect(throws: HistoryError.self) { try writer.flush(now: t0, wall: Fixture.noon) }
        #expect(problem(refusal) == .readOnly)
        try store.simulateReadOnly(false)
        #expect(try writer.flush(now: t0 + .seconds(60), wall: Fixture.noon)?.predictions == 1)
    }

    @Test func `scenario 31: no duration is negative when the clock jumps three weeks back and a day ahead`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        var frames = 0
        for (jump, id) in [(0.0, "a"), (-21 * 86_400, "b"), (86_400, "c"), (0, "d")] {
            let wall = Fixture.noon.addingTimeInterval(jump)
            for second in 0..<30 {
                writer.credit(
                    Fixture.prediction("squat"), camera: "rack1", wall: wall.addingTimeInterval(Double(second)), now: t0
                )
                frames += 10
            }
            // The wall clock went back while the session was open; the session's length comes from the frame times.
            writer.enqueue(Fixture.session(id, start: wall, end: wall.addingTimeInterval(-100), reason: .idle), now: t0)
            _ = try writer.flush(now: t0, wall: wall)
        }
        let days = try store.query.days()
        #expect(days.map(\.day) == ["2026-10-31", "2026-11-21", "2026-11-22"])
        #expect(days.reduce(0) { $0 + ($1.frames["squat"] ?? 0) } == frames)
        #expect(try store.query.sessions().allSatisfy { $0.end >= $0.start })
        let records = try store.records.records(after: 0, limit: 100)
        #expect(records.map(\.seq) == records.map(\.seq).sorted() && records.count >= 7)
    }
}
