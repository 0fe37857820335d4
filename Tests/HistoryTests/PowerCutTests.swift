import Foundation
import GRDB
import History
import Testing

/// A power cut leaves the synced part of the write-ahead log, and any part of the rest.
@Suite struct PowerCutTests {
    private let t0 = ContinuousClock.now

    @Test func `scenario 25: a log cut at any byte of a commit opens intact, with whole batches, reusing no position`()
        throws
    {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        func write(_ number: Int) throws -> (bytes: Int, seq: Int64) {
            writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: Fixture.noon, now: t0)
            writer.enqueue(Fixture.session("s\(number)", reason: .idle), now: t0)
            _ = try writer.flush(now: t0, wall: Fixture.noon)
            let size = try FileManager.default.attributesOfItem(atPath: fixture.path + "-wal")[.size] as? Int
            return (try #require(size), try store.records.lastSeq())
        }
        let before = try write(1)
        let after = try write(2)
        #expect(after.bytes > before.bytes + 4096, "the second commit stands in the log")
        var dice = Dice(state: 25)
        var outcomes: Set<Int> = []
        for cut in (0..<16).map({ _ in Int.random(in: before.bytes...after.bytes, using: &dice) }) + [after.bytes] {
            for isGarbled in [false, true] {
                let copy = try fixture.copyOfRunningFiles()
                var log = try Data(contentsOf: URL(filePath: copy + "-wal")).prefix(cut)
                // Sectors that were being written may hold anything.
                if isGarbled { log += Data((cut..<after.bytes).map { _ in UInt8.random(in: 0...255, using: &dice) }) }
                try log.write(to: URL(filePath: copy + "-wal"))
                let next = try fixture.open(path: copy)
                #expect(try next.ask("PRAGMA integrity_check") == "ok")
                let sessions = try next.query.sessions().count
                #expect(try next.query.actions().first?.frames == 10 * sessions, "a batch is there whole or not at all")
                outcomes.insert(sessions)
                // Records sent before the cut are there, and their positions are not reused.
                #expect(sessions >= 1)
                #expect(try next.records.records(after: 0, limit: 9).contains { $0.id == "s1" })
                let later = try fixture.writer(next)
                later.enqueue(Fixture.session("new", reason: .idle), now: t0)
                _ = try later.flush(now: t0, wall: Fixture.noon)
                let new = try #require(try next.records.records(after: 0, limit: 9).first { $0.id == "new" })
                #expect(new.seq > before.seq && (sessions < 2 || new.seq > after.seq))
                try next.close()
            }
        }
        #expect(outcomes == [1, 2], "cuts within the commit and behind it were tried")
    }
}
