import Actions
import Contract
import Foundation
import GRDB
import History
import Records
import Testing

@Suite struct RetentionTests {
    private let t0 = ContinuousClock.now

    private func record(_ count: Int, in store: Store, _ writer: HistoryWriter, at wall: Date = Fixture.noon) throws {
        for _ in 0..<count {
            writer.enqueue(Fixture.session(UUIDv7.string(at: wall), start: wall, reason: .idle), now: t0)
        }
        _ = try writer.flush(now: t0, wall: wall)
    }

    private func gap(_ record: History.Record) throws -> GapBody {
        try JSONDecoder().decode(GapBody.self, from: Data(record.body.utf8))
    }

    @Test func `old records are deleted; one growing gap record stands for the undelivered ones`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        try record(5, in: store, writer)
        try store.records.advance(to: 2, wall: Fixture.noon)
        let later = Fixture.noon.addingTimeInterval(100 * 86_400)
        let pruned = try store.prune(wall: later, clock: .synced)
        #expect(pruned.delivered == 2 && pruned.undelivered == 3)
        let left = try store.records.records(after: 0, limit: 10)
        #expect(left.map(\.type) == [.gap])
        let body = try gap(left[0])
        #expect(body.fromSeq == 3 && body.toSeq == 5 && body.reason == "retention" && body.records == 3)

        try record(4, in: store, writer, at: later)
        _ = try store.prune(wall: later.addingTimeInterval(100 * 86_400), clock: .synced)
        let again = try store.records.records(after: 0, limit: 10)
        #expect(again.map(\.type) == [.gap] && again[0].id == left[0].id && again[0].rev > left[0].rev)
        #expect(try gap(again[0]).fromSeq == 3 && gap(again[0]).records == 7)
    }

    @Test func `a record with a wrong date is deleted alone: the recent ones before it stay`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        try record(12, in: store, writer)
        // The thirteenth record: the kernel reported synced, but the time was in 2023.
        try record(1, in: store, writer, at: Fixture.noon.addingTimeInterval(-3 * 365 * 86_400))
        try store.pool.write { try $0.execute(sql: "UPDATE record SET clock = 'synced'") }
        try record(1, in: store, writer)
        let pruned = try store.prune(wall: Fixture.noon.addingTimeInterval(60), clock: .synced)
        #expect(pruned.undelivered == 1)
        let left = try store.records.records(after: 0, limit: 99)
        #expect(left.filter { $0.type != .gap }.map(\.seq) == Array(1...12) + [14])
        let gaps = try left.filter { $0.type == .gap }.map(gap)
        #expect(gaps.map(\.fromSeq) == [13] && gaps.map(\.toSeq) == [13] && gaps.map(\.records) == [1])
        #expect(try store.prune(wall: Fixture.noon.addingTimeInterval(90), clock: .synced).total == 0)
    }

    @Test func `records with an unsynced clock never expire`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let reading = ClockReading(state: .unsynced, uptimeMs: 5000, boot: "7c1e0f5a")
        let writer = try HistoryWriter(store: store, model: Fixture.model) { reading }
        let wrong = Fixture.noon.addingTimeInterval(-1000 * 86_400)
        try record(3, in: store, writer, at: wrong)
        writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: wrong, now: t0)
        _ = try writer.flush(now: t0, wall: wrong)
        #expect(try store.prune(wall: Fixture.noon, clock: .synced).total == 0)
        #expect(try store.ask("SELECT count(*) FROM rollup") == "1")
        #expect(try store.ask("SELECT count(*) FROM prediction") == "1")
    }

    @Test func `a record counts as delivered when the slowest receiver has it`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        try record(5, in: store, writer)
        try store.records.advance("hq", to: 5, wall: Fixture.noon)
        try store.records.advance("lab", to: 1, wall: Fixture.noon)
        let pruned = try store.prune(
            wall: Fixture.noon.addingTimeInterval(100 * 86_400), clock: .synced, consumers: ["hq", "lab"])
        #expect(pruned.delivered == 1 && pruned.undelivered == 4)
    }

    @Test func `a nearly full file loses predictions first, undelivered records last`() throws {
        let fixture = try Fixture()
        var settings = HistorySettings(timeZone: .gmt)
        settings.maximumBytes = 1 << 20
        let store = try Store(path: fixture.path, settings: settings, wall: Fixture.noon, clock: Fixture.clock)
        let writer = try fixture.writer(store)
        for number in 0..<15_000 {
            let wall = Fixture.noon.addingTimeInterval(Double(number))
            writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: wall, now: t0)
        }
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        // Pruning stops at nine tenths of the maximum size.
        while try Int(store.ask("PRAGMA page_count") ?? "") ?? 0 < 235 { try record(20, in: store, writer) }
        let before = try store.records.lastSeq()
        let pruned = try store.prune(wall: Fixture.noon, clock: .synced)
        #expect(pruned.predictions > 0 && pruned.undelivered == 0, "\(pruned)")
        #expect(try store.records.pending(after: 0).count == Int(before))

        var undelivered = 0
        var rounds = 0
        while undelivered == 0, rounds < 6 {
            rounds += 1
            while true {
                do { try record(50, in: store, writer) } catch { break }
            }
            undelivered = try store.prune(wall: Fixture.noon, clock: .synced).undelivered
        }
        #expect(
            try undelivered > 0 && store.query.summary().predictionsSince == nil, "only when no prediction was left")
        let gaps = try store.records.records(after: before, limit: 10_000).filter { $0.type == .gap }
        #expect(try gaps.last.map { try gap($0).fromSeq } == 1)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        #expect(!writer.hasPending, "what did not fit is written now")
    }

    @Test func `sessions are deleted after their retention time with all rows; totals and open sessions stay`() throws {
        let fixture = try Fixture()
        let settings = HistorySettings(timeZone: .gmt, sessionDays: 400)
        let store = try Store(path: fixture.path, settings: settings, wall: Fixture.noon, clock: Fixture.clock)
        let writer = try fixture.writer(store)
        writer.enqueue(Fixture.session("old", reason: .idle), now: t0)
        writer.enqueue(Fixture.session("open"), now: t0)
        writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: Fixture.noon, now: t0)
        let later = Fixture.noon.addingTimeInterval(399 * 86_400)
        writer.enqueue(Fixture.session("new", start: later, reason: .idle), now: t0)
        _ = try writer.flush(now: t0, wall: later)
        #expect(try store.prune(wall: later, clock: .synced).sessions == 0)
        #expect(try store.prune(wall: later.addingTimeInterval(2 * 86_400), clock: .unsynced).sessions == 0)
        #expect(try store.prune(wall: later.addingTimeInterval(2 * 86_400), clock: .synced).sessions == 1)
        #expect(try store.query.sessions().map(\.id) == ["new", "open"])
        #expect(try store.ask("SELECT count(*) FROM session_action WHERE session = 'old'") == "0")
        #expect(try store.query.actions().map(\.frames) == [10])
    }

    @Test func `deleting a session also deletes the predictions of its idle time, but no other person's`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        let end = Fixture.noon + 30
        func see(_ second: Double, track: Int = 1, camera: String = "rack1") {
            writer.credit(
                Fixture.prediction("none", track: track), camera: camera, wall: Fixture.noon + second, now: t0)
        }
        writer.enqueue(Fixture.session("a", end: end, reason: .idle), now: t0)
        writer.enqueue(Fixture.session("b", start: Fixture.noon + 50, reason: .idle), now: t0)
        for second in [-1, 5, 30, 31, 45, 49.9, 50, 55, 120] { see(second) }
        see(40, track: 2)
        see(40, camera: "rack2")
        _ = try writer.flush(now: t0, wall: Fixture.noon + 120)
        #expect(try store.deleteSession("a", wall: Fixture.noon) == .deleted)
        var left: [Double] = []
        try store.query.predictions {
            left.append(try #require(Timestamp.date(text: $0.time)).timeIntervalSince(Fixture.noon))
        }
        #expect(left.reversed() == [-1, 40, 40, 50, 55, 120])
    }

    @Test func `a replay of deleted records declares each gap once`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        try record(6, in: store, writer)
        try store.pool.write { try $0.execute(sql: "DELETE FROM record WHERE seq IN (2, 3, 5)") }
        #expect(try store.records.holes(in: 1...6) == [2...3, 5...5])
        let gaps = try store.records.declareHoles(in: 1...6, wall: Fixture.noon)
        #expect(try gaps.map { try gap($0).fromSeq } == [2, 5])
        #expect(try store.records.declareHoles(in: 1...6, wall: Fixture.noon) == gaps)
    }

    @Test func `scenario 40: a deleted session is gone from the file, and a tombstone follows its records`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        let id = UUIDv7.string(at: Fixture.noon)
        writer.enqueue(Fixture.session(id, camera: "secretplace"), now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        #expect(try store.deleteSession(id, wall: Fixture.noon) == .open)
        writer.enqueue(Fixture.session(id, reason: .idle, camera: "secretplace"), now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        try record(1, in: store, writer)
        #expect(try store.deleteSession(id, wall: Fixture.noon) == .deleted)
        #expect(try store.query.session(id) == nil)
        let records = try store.records.records(after: 0, limit: 10)
        #expect(records.map(\.seq) == [1, 2, 3, 4], "positions stay, so that nobody misses one")
        let own = records.filter { $0.id == id }
        #expect(own.map(\.rev) == [1, 2, 3] && own.last?.final == true)
        #expect(own.allSatisfy { $0.body == #"{"deleted":true}"# })
        #expect(try store.deleteSession(id, wall: Fixture.noon) == .unknown(MissingSession(id: id)))
        let never = MissingSession(id: "never")
        #expect(try store.deleteSession("never", wall: Fixture.noon) == .unknown(never))
        let file = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
        #expect(file.range(of: Data(#""camera":"secretplace""#.utf8)) == nil)
    }
}
