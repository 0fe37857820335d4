import Actions
import Foundation
import GRDB
import History
import Records
import Testing

/// Deletion in slices, between which other writes happen.
@Suite struct PruningTests {
    private let t0 = ContinuousClock.now

    /// Adds `count` predictions, one a second.
    private func fill(_ store: Store, _ count: Int) throws {
        try store.pool.write { db in
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO name(text) VALUES('rack1'), ('squat');
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                    INSERT INTO prediction(end_ms, camera, track, label, confidence, frames)
                    SELECT \(Timestamp.milliseconds(Fixture.noon)) + i * 1000, 1, 1, 2, 900, 10 FROM n
                    """)
        }
    }

    @Test func `a pass comes in slices of a thousand rows, and others write between them`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        try fill(store, 5500)
        let later = Fixture.noon + 30 * 86_400
        var pruning = Store.Pruning(wall: later, clock: .synced)
        var slices: [Int] = []
        while !pruning.isFinished {
            let commits = store.commits
            slices.append(try store.pruneSlice(&pruning).total)
            #expect(store.commits - commits <= 1, "a slice is one transaction")
            writer.credit(Fixture.prediction("lunge"), camera: "rack1", wall: later, now: t0)
            #expect(try writer.flush(now: t0, wall: later)?.predictions == 1)
        }
        #expect(slices.filter { $0 > 0 } == [1000, 1000, 1000, 1000, 1000, 500])
        #expect(pruning.pruned.predictions == 5500 && pruning.pruned.total == 5500)
        #expect(try store.pruneSlice(&pruning).total == 0, "a pass that is over stays over")
    }

    @Test func `rows that cannot be dated are skipped, once`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        try fill(store, 4000)
        try store.pool.write { db in
            try db.execute(sql: "UPDATE prediction SET clock = 1 WHERE end_ms / 1000 % 4 > 0")
        }
        var pruning = Store.Pruning(wall: Fixture.noon + 30 * 86_400, clock: .synced)
        var slices = 0
        while !pruning.isFinished {
            #expect(try store.pruneSlice(&pruning).total <= 250)
            slices += 1
        }
        #expect(pruning.pruned.predictions == 1000 && slices < 18)
    }

    @Test func `each gap between remaining records is declared exactly once`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        for number in 1...40 {
            let start = Fixture.noon + Double(number)
            writer.enqueue(Fixture.session(UUIDv7.string(at: start), start: start, reason: .idle), now: t0)
            _ = try writer.flush(now: t0, wall: start)
        }
        let old: [Int64] = [3, 4, 5, 17, 30, 31]
        try store.pool.write { db in
            try db.execute(sql: "UPDATE record SET ts_ms = 1 WHERE seq IN (3, 4, 5, 17, 30, 31)")
        }
        let wall = Fixture.noon + 3600
        #expect(try store.prune(wall: wall, clock: .synced).undelivered == old.count)
        #expect(try store.records.holes(in: 1...40) == [3...5, 17...17, 30...31])
        let gaps = try store.records.declareHoles(in: 1...40, wall: wall, clock: .synced)
        #expect(gaps.count == 3 && gaps.map(\.rev) == [1, 1, 1], "the log said it already")
        // Losing a neighbour extends the gap.
        try store.pool.write { try $0.execute(sql: "UPDATE record SET ts_ms = 1 WHERE seq = 6") }
        #expect(try store.prune(wall: wall, clock: .synced).undelivered == 1)
        let grown = try #require(try store.records.records(after: 0, limit: 99).last)
        #expect(grown.rev == 2 && grown.id == gaps[0].id && grown.body.contains(#""records":4"#))
    }
}
