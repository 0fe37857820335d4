import Actions
import Contract
import Foundation
import History
import Testing

@Suite struct SessionTests {
    private let t0 = ContinuousClock.now

    @Test func `a session is recorded when it begins, every five minutes, and when it ends`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        for minute in 0...12 {
            let end = Fixture.noon.addingTimeInterval(Double(minute) * 60)
            writer.enqueue(
                Fixture.session("s1", frames: 100 * minute, reps: minute, end: end, reason: minute == 12 ? .idle : nil),
                now: t0)
            _ = try writer.flush(now: t0, wall: end)
        }
        let records = try store.records.records(after: 0, limit: 100)
        #expect(records.map(\.rev) == [1, 2, 3, 4])
        #expect(records.map(\.seq) == [1, 2, 3, 4])
        #expect(records.map(\.final) == [false, false, false, true])
        let body = try JSONDecoder().decode(SessionBody.self, from: Data(try #require(records.last).body.utf8))
        #expect(
            body.end == "2026-11-21T11:12:00.000Z" && body.endReason == "idle" && body.actions.first?.frames == 1200)
        #expect(try store.query.session("s1")?.rev == 4)
    }

    @Test func `storing the same state twice changes nothing, and an ended session no longer changes`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        for _ in 0..<3 {
            writer.enqueue(Fixture.session("s1", reps: 5), now: t0)
            _ = try writer.flush(now: t0, wall: Fixture.noon)
        }
        writer.enqueue(Fixture.session("s1", frames: 600, reps: 9, reason: .left), now: t0)
        writer.enqueue(Fixture.session("s1", frames: 900, reps: 20), now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        writer.enqueue(Fixture.session("s1", frames: 900, reps: 20, reason: .idle), now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        let row = try #require(try store.query.session("s1"))
        #expect(row.endReason == "left" && row.frames == 600 && row.actions.first?.reps == 9)
        let day = try store.query.day("2026-11-21", camera: "rack1")
        #expect(day.sessions == 1 && day.reps == ["squat": 9])
    }

    @Test func `sets are kept with the rest between them`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        var session = Fixture.session("s1", reps: 5)
        func set(_ number: Int, at second: Double, reps: Int, form: Int? = nil) -> SessionSet {
            SessionSet(
                number: number, label: "squat", start: Fixture.noon + second, end: Fixture.noon + second + 10,
                reps: reps, form: form)
        }
        session.sets = [set(1, at: 2, reps: 3)]
        writer.enqueue(session, now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        session.sets = [set(1, at: 2, reps: 5, form: 80), set(2, at: 57.5, reps: 4)]
        session.actions[0].reps = 9
        session.endReason = .idle
        writer.enqueue(session, now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        let row = try #require(try store.query.session("s1"))
        let sets = try #require(row.sets)
        #expect(sets.map(\.reps) == [5, 4] && sets.map(\.form) == [80, nil])
        #expect(sets.map(\.restSeconds) == [nil, 45.5])
        #expect(sets[0].start == "2026-11-21T11:00:02.000Z")
        let record = try #require(try store.records.records(after: 0, limit: 10).last)
        #expect(try JSONDecoder().decode(SessionBody.self, from: Data(record.body.utf8)).sets == sets)
        #expect(try store.query.day("2026-11-21", camera: "rack1").reps == ["squat": 9])
    }

    @Test func `a value that is not a number does not block its batch`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        var session = Fixture.session("s1", reason: .idle)
        session.actions[0].meanConfidence = .nan
        session.actions[0].seconds = .infinity
        writer.enqueue(session, now: t0)
        writer.credit(Fixture.prediction("squat", confidence: .nan), camera: "rack1", wall: Fixture.noon, now: t0)
        #expect(try writer.flush(now: t0, wall: Fixture.noon)?.predictions == 1)
        #expect(try store.query.session("s1")?.actions.first?.meanConfidence == 0)
    }

    @Test func `repetitions add up over sessions of a day, also when a count is corrected`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        for (id, reps) in [("s1", 3), ("s2", 4), ("s1", 7), ("s2", 2), ("s1", 6)] {
            writer.enqueue(Fixture.session(id, reps: reps), now: t0)
            _ = try writer.flush(now: t0, wall: Fixture.noon)
        }
        #expect(try store.query.day("2026-11-21", camera: "rack1").reps == ["squat": 8])
    }

    @Test func `scenario 24: after a kill the last commit is there, and open sessions are closed as crashed`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        writer.enqueue(Fixture.session("open", frames: 300, end: Fixture.noon.addingTimeInterval(40)), now: t0)
        writer.enqueue(Fixture.session("done", reason: .idle), now: t0)
        writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: Fixture.noon, now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: Fixture.noon, now: t0)
        writer.enqueue(Fixture.session("open", frames: 400), now: t0)

        let next = try fixture.open(path: try fixture.copyOfRunningFiles())
        #expect(next.openingEvents == [.uncleanStart, .closedOrphans(1)])
        let row = try #require(try next.query.session("open"))
        #expect(row.endReason == "crash" && row.end == "2026-11-21T11:00:40.000Z" && row.frames == 300 && row.rev == 2)
        #expect(try next.query.session("done")?.endReason == "idle")
        #expect(try next.query.actions().first?.frames == 10)
        let record = try #require(try next.records.records(after: 0, limit: 10).last)
        #expect(record.id == "open" && record.rev == 2 && record.final && record.body.contains("\"crash\""))
        #expect(next.identity.epoch == store.identity.epoch, "synchronous FULL: no sequence number can be used twice")
    }

    @Test func `a copy taken at any moment between commits holds a whole number of batches`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        for number in 1...12 {
            writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: Fixture.noon, now: t0)
            writer.enqueue(Fixture.session("s1", frames: 10 * number, reps: number), now: t0)
            _ = try writer.flush(now: t0, wall: Fixture.noon)
            let copy = try fixture.open(path: try fixture.copyOfRunningFiles())
            #expect(try copy.query.actions().first?.frames == 10 * number)
            #expect(try copy.query.session("s1")?.frames == 10 * number)
            #expect(try copy.query.actions().first?.reps == number)
        }
    }

    @Test func `a sequence number is never used again, also after its record is gone`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        writer.enqueue(Fixture.session("s1", reason: .idle), now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        try store.records.advance(to: 1, wall: Fixture.noon)
        let later = Fixture.noon.addingTimeInterval(100 * 86_400)
        #expect(try store.prune(wall: later, clock: .synced).delivered == 1)
        writer.enqueue(Fixture.session("s2", reason: .idle), now: t0)
        _ = try writer.flush(now: t0, wall: later)
        #expect(try store.records.records(after: 0, limit: 10).map(\.seq) == [2])
        #expect(try store.records.lastSeq() == 2)
    }

    @Test func `a cursor only moves forward and belongs to its epoch`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        try store.records.advance(to: 5, wall: Fixture.noon)
        try store.records.advance(to: 3, wall: Fixture.noon)
        #expect(try store.records.cursor() == 5)
        #expect(try store.records.cursor(of: "hq") == 0)
        try store.pool.write { try $0.execute(sql: "UPDATE cursor SET epoch = 'another'") }
        #expect(try store.records.cursor() == 0)
    }
}
