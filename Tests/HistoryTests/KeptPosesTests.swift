import Actions
import Foundation
import GRDB
import History
import Records
import Testing

/// The poses of sessions on disk: how long they stay, and what they never hinder. To the history they are bytes.
@Suite struct KeptPosesTests {
    private let t0 = ContinuousClock.now
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    private func open(keepPosesDays: Int = 7, sessionDays: Int = 0, maximumBytes: Int64 = 512 << 20) throws -> Store {
        let settings = HistorySettings(
            timeZone: .gmt, sessionDays: sessionDays, keepPosesDays: keepPosesDays, maximumBytes: maximumBytes)
        return try Store(path: fixture.path, settings: settings, wall: Fixture.noon, clock: Fixture.clock)
    }

    /// Ten seconds of a session, beginning `second` seconds after noon.
    private func piece(_ session: String, at second: Int) -> KeptPoses {
        let start = Timestamp.milliseconds(Fixture.noon) + Int64(second) * 1000
        return KeptPoses(
            session: session, startMilliseconds: start, endMilliseconds: start + 9967,
            data: (0..<27_607).map { UInt8(truncatingIfNeeded: $0 &+ second) })
    }

    private func kept(_ store: Store, _ session: String = "a") throws -> [KeptPoses] {
        var all: [KeptPoses] = []
        guard let span = try store.query.keptSpan(ofSession: session) else { return [] }
        try store.query.keptPoses(ofSession: session, in: span) { all.append($0) }
        return all
    }

    private func count(_ store: Store) throws -> String? { try store.ask("SELECT count(*) FROM kept_pose") }

    /// A store with an ended session `a` and its poses.
    private func filled(_ pieces: Int = 3, sessionDays: Int = 0) throws -> Store {
        let store = try open(sessionDays: sessionDays)
        let writer = try fixture.writer(store)
        writer.enqueue(Fixture.session("a", reason: .idle), now: t0)
        for number in 0..<pieces { writer.keep(piece("a", at: number * 10), now: t0) }
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        return store
    }

    @Test func `kept poses are there after a restart, in their order and unchanged`() throws {
        do {
            let store = try open()
            let writer = try fixture.writer(store)
            writer.enqueue(Fixture.session("a"), now: t0)
            writer.keep(piece("a", at: 10), now: t0)
            writer.keep(piece("a", at: 0), now: t0)
            #expect(try writer.commitIfDue(now: t0 + .seconds(5), wall: Fixture.noon) != nil)
            writer.keep(piece("a", at: 20), now: t0 + .seconds(6))
            #expect(writer.hasPending, "poses alone are news")
            #expect(try writer.commitIfDue(now: t0 + .seconds(12), wall: Fixture.noon) != nil)
            try store.close()
        }
        let again = try open()
        let all = [piece("a", at: 0), piece("a", at: 10), piece("a", at: 20)]
        #expect(try kept(again) == all)
        let noon = Timestamp.milliseconds(Fixture.noon)
        #expect(try again.query.keptSpan(ofSession: "a") == noon...(noon + 29_967))
        #expect(try again.query.keptSpan(ofSession: "a", from: noon + 9968)?.lowerBound == noon + 10_000)
        #expect(try again.query.keptSpan(ofSession: "a", from: noon + 29_968) == nil)
        var some: [KeptPoses] = []
        try again.query.keptPoses(ofSession: "a", in: (noon + 9000)...(noon + 9500)) { some.append($0) }
        #expect(some == [all[0]])
    }

    @Test func `poses go with their session, and leave nothing behind in the file`() throws {
        let store = try open()
        let writer = try fixture.writer(store)
        let start = Timestamp.milliseconds(Fixture.noon)
        for (session, word) in [("a", "first person"), ("b", "other person")] {
            writer.enqueue(Fixture.session(session, reason: .idle), now: t0)
            writer.keep(
                KeptPoses(
                    session: session, startMilliseconds: start, endMilliseconds: start + 9967,
                    data: Array(String(repeating: word, count: 2000).utf8)),
                now: t0)
        }
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        #expect(try store.deleteSession("a", wall: Fixture.noon) == .deleted)
        #expect(try kept(store).isEmpty && kept(store, "b").count == 1)
        #expect(try store.query.check().problems.isEmpty)
        try store.close()
        let file = try Data(contentsOf: URL(filePath: fixture.path))
        #expect(file.range(of: Data("other person".utf8)) != nil)
        #expect(file.range(of: Data("first person".utf8)) == nil)
    }

    @Test func `poses of a session that is gone are left out, and the batch is written`() throws {
        let store = try filled()
        let writer = try fixture.writer(store)
        #expect(try store.deleteSession("a", wall: Fixture.noon) == .deleted)
        writer.keep(piece("a", at: 30), now: t0)
        writer.keep(piece("never", at: 30), now: t0)
        writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: Fixture.noon, now: t0)
        #expect(try writer.flush(now: t0, wall: Fixture.noon)?.predictions == 1)
        #expect(try count(store) == "0" && !writer.hasPending)
        #expect(try store.query.check().problems.isEmpty)
    }

    @Test func `a commit that failed is tried again, and nothing is there twice`() throws {
        let store = try open()
        let writer = try fixture.writer(store)
        writer.enqueue(Fixture.session("a", reason: .idle), now: t0)
        writer.keep(piece("a", at: 0), now: t0)
        try store.simulateReadOnly(true)
        #expect(throws: HistoryError.self) { try writer.flush(now: t0, wall: Fixture.noon) }
        writer.keep(piece("a", at: 10), now: t0)
        try store.simulateReadOnly(false)
        let commit = try #require(try writer.flush(now: t0 + .seconds(60), wall: Fixture.noon))
        #expect(commit.droppedPoses == 0)
        #expect(try kept(store) == [piece("a", at: 0), piece("a", at: 10)])
        // The same piece again is no error, and changes nothing.
        writer.keep(piece("a", at: 10), now: t0)
        _ = try writer.flush(now: t0 + .seconds(70), wall: Fixture.noon)
        #expect(try count(store) == "2")
    }

    @Test func `while the disk takes nothing, eight megabytes wait and the rest is counted`() throws {
        let store = try open()
        let writer = try fixture.writer(store)
        writer.enqueue(Fixture.session("a", reason: .idle), now: t0)
        for number in 0..<400 { writer.keep(piece("a", at: number * 10), now: t0) }
        let fits = (8 << 20) / 27_607
        #expect(try writer.flush(now: t0, wall: Fixture.noon)?.droppedPoses == 400 - fits)
        #expect(writer.takeDroppedPoses() == 400 - fits && writer.takeDroppedPoses() == 0)
        #expect(try count(store) == "\(fits)")
    }

    // MARK: - Retention

    @Test func `poses go after their days, and their session stays`() throws {
        let store = try filled(120)
        let day = 86_400.0
        #expect(try store.prune(wall: Fixture.noon + 6.9 * day, clock: .synced).total == 0)
        #expect(try store.prune(wall: Fixture.noon + 8 * day, clock: .unsynced).total == 0)
        let pruned = try store.prune(wall: Fixture.noon + 8 * day, clock: .synced)
        #expect(pruned.poses == 120 && pruned.sessions == 0)
        #expect(try count(store) == "0" && store.query.session("a") != nil)
    }

    @Test func `poses come in slices of fifty, and go before sessions that are kept for less time`() throws {
        let store = try filled(120, sessionDays: 2)
        var pruning = Store.Pruning(wall: Fixture.noon + 3 * 86_400, clock: .synced)
        var slices: [Int] = []
        while !pruning.isFinished { slices.append(try store.pruneSlice(&pruning).poses) }
        #expect(slices.filter { $0 > 0 } == [50, 50, 20] && pruning.pruned.sessions == 1)
    }

    @Test func `a time that nobody trusts makes no poses old`() throws {
        let store = try filled()
        try store.pool.write { try $0.execute(sql: "UPDATE session SET clock = 1") }
        #expect(try store.prune(wall: Fixture.noon + 30 * 86_400, clock: .synced).poses == 0)
        #expect(try count(store) == "3")
    }

    @Test func `switched off, what was kept before goes at once`() throws {
        try filled().close()
        let store = try open(keepPosesDays: 0)
        #expect(try store.prune(wall: Fixture.noon + 60, clock: .unsynced).poses == 3)
        #expect(try count(store) == "0" && store.query.session("a") != nil)
    }

    @Test func `poses never fill the file, and are the first to go`() throws {
        let store = try open(maximumBytes: 1 << 20)
        let writer = try fixture.writer(store)
        writer.enqueue(Fixture.session("a", reason: .idle), now: t0)
        writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: Fixture.noon, now: t0)
        for number in 0..<60 { writer.keep(piece("a", at: number * 10), now: t0) }
        let commit = try #require(try writer.flush(now: t0, wall: Fixture.noon))
        #expect(commit.droppedPoses > 0 && commit.droppedPoses < 60 && commit.sessions.count == 1)
        let pruned = try store.prune(wall: Fixture.noon, clock: .synced)
        #expect(pruned.poses > 0 && pruned.total == pruned.poses, "\(pruned)")
        #expect(try store.query.summary().predictionsSince != nil)
        writer.keep(piece("a", at: 600), now: t0)
        #expect(try writer.flush(now: t0, wall: Fixture.noon)?.droppedPoses == 0, "there is room again")
    }

    // MARK: - Times and sets

    @Test(arguments: [10.0, -10, 3600, -86_400]) func `poses move with their session when the clock was set`(
        step: Double
    ) throws {
        let settings = HistorySettings(timeZone: .gmt, keepPosesDays: 7, nodeId: "sp-one")
        let wrong = ClockReading(state: .unsynced, uptimeMs: 100_000, boot: "7c1e0f5a")
        do {
            let store = try Store(path: fixture.path, settings: settings, wall: Fixture.noon, clock: wrong)
            let writer = try HistoryWriter(store: store, model: Fixture.model) { wrong }
            writer.enqueue(Fixture.session("a", reason: .stopped), now: t0)
            for number in 0..<4 { writer.keep(piece("a", at: number * 10), now: t0) }
            _ = try writer.flush(now: t0, wall: Fixture.noon)
            try store.close()
        }
        let right = ClockReading(state: .synced, uptimeMs: 160_000, boot: "7c1e0f5a")
        let store = try Store(path: fixture.path, settings: settings, wall: Fixture.noon + 60 + step, clock: right)
        #expect(try store.query.session("a")?.start == Timestamp.text(Fixture.noon + step))
        let expected = (0..<4).map { piece("a", at: $0 * 10 + Int(step)) }
        #expect(try kept(store).map(\.startMilliseconds) == expected.map(\.startMilliseconds))
        #expect(try kept(store).map(\.endMilliseconds) == expected.map(\.endMilliseconds))
    }

    @Test func `a set is listed where poses are kept`() throws {
        let store = try open()
        let writer = try fixture.writer(store)
        var session = Fixture.session("a", reason: .idle)
        session.sets = [
            SessionSet(number: 2, label: "squat", start: Fixture.noon + 2, end: Fixture.noon + 8, reps: 5),
            SessionSet(number: 3, label: "squat", start: Fixture.noon + 15, end: Fixture.noon + 25, reps: 5),
        ]
        writer.enqueue(session, now: t0)
        writer.keep(piece("a", at: 0), now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        #expect(try store.query.keptSets(ofSession: "a") == [2])
    }
}
