import Actions
import Contract
import Foundation
import GRDB
import History
import Records
import Testing

/// Two sessions of one person become one, in SQLite.
@Suite struct SessionMergeTests {
    private let t0 = ContinuousClock.now
    private let earlier = UUIDv7.string(at: Fixture.noon)
    private let later = UUIDv7.string(at: Fixture.noon + 40)
    private let fixture: Fixture
    private let store: Store
    private let writer: HistoryWriter

    init() throws {
        fixture = try Fixture()
        store = try fixture.open()
        writer = try fixture.writer(store)
    }

    private func set(_ number: Int, at second: Double, reps: Int, label: String = "squat") -> SessionSet {
        SessionSet(
            number: number, label: label, start: Fixture.noon + second, end: Fixture.noon + second + 10, reps: reps,
            zone: "rack-1")
    }

    /// The person's first session, which ends when they are lost after one set.
    private var first: Session {
        var session = Fixture.session(earlier, frames: 300, reps: 5, reason: .left)
        session.sets = [set(1, at: 2, reps: 5)]
        return session
    }

    /// The second one, on a track of its own, which is open.
    private var second: Session {
        var session = Fixture.session(later, frames: 200, reps: 3, start: Fixture.noon + 40)
        session.track = 2
        session.sets = [set(1, at: 40, reps: 3)]
        return session
    }

    /// Both in one.
    private func merged(reps: Int = 8, reason: Session.EndReason? = nil) -> Session {
        var session = Fixture.session(earlier, frames: 500, reps: reps, end: Fixture.noon + 70, reason: reason)
        session.sets = [set(1, at: 2, reps: 5), set(2, at: 40, reps: reps - 5)]
        return session
    }

    private func flush(_ events: SessionEvent...) throws {
        for event in events { writer.enqueue(event, now: t0) }
        _ = try writer.flush(now: t0, wall: Fixture.noon + 80)
    }

    private func merge() -> SessionEvent {
        .merged(merged(), absorbed: AbsorbedSession(id: later, setOffset: 1))
    }

    private func expectOneSession() throws {
        let row = try #require(try store.query.session(earlier))
        #expect(row.endReason == nil && row.frames == 500 && row.sets?.map(\.reps) == [5, 3])
        #expect(try store.query.session(later) == nil)
        let day = try store.query.day("2026-11-21", camera: "rack1")
        #expect(day.sessions == 1 && day.reps == ["squat": 8])
        #expect(try store.ask("SELECT group_concat(sets || ' ' || reps || ' ' || seconds) FROM day_zone") == "2 8 20.0")
        let tombstone = try #require(try store.records.records(after: 0, limit: 99).last { $0.id == later })
        #expect(tombstone.body == #"{"deleted":true,"merged_into":"\#(earlier)"}"# && tombstone.final)
        let own = try #require(try store.records.records(after: 0, limit: 99).last { $0.id == earlier })
        let body = try JSONDecoder().decode(SessionBody.self, from: Data(own.body.utf8))
        #expect(!own.final && body.endReason == nil && body.sets?.map(\.reps) == [5, 3])
    }

    @Test func `a session that ended goes on with the sets of the one that it absorbs`() throws {
        try flush(.started(first), .ended(first))
        try flush(.started(second))
        #expect(try store.query.day("2026-11-21", camera: "rack1").sessions == 2)
        try flush(merge())
        try expectOneSession()
        try flush(.ended(merged(reps: 9, reason: .idle)))
        #expect(try store.query.session(earlier)?.endReason == "idle")
        #expect(try store.query.day("2026-11-21", camera: "rack1").reps == ["squat": 9])
        let revisions = try store.records.records(after: 0, limit: 99).filter { $0.id == earlier }.map(\.rev)
        #expect(revisions == revisions.indices.map { $0 + 1 })
    }

    @Test func `it is the same where all of it is in one commit`() throws {
        try flush(.started(first), .ended(first), .started(second), merge())
        try expectOneSession()
    }

    @Test func `predictions, joints, questions and their numbers follow`() throws {
        try flush(.started(first), .ended(first))
        func see(_ second: Double, track: Int) {
            writer.credit(
                Fixture.prediction("squat", track: track), camera: "rack1", wall: Fixture.noon + second, now: t0)
        }
        func keep(_ second: Double) {
            let start = Timestamp.milliseconds(Fixture.noon + second)
            writer.keep(
                KeptPoses(session: later, startMilliseconds: start, endMilliseconds: start + 900, data: [1]), now: t0)
        }
        func ask(_ number: Int) {
            writer.ask(
                Question(
                    kind: .set, reason: .random, weight: 1, week: "2026-11-16", camera: "rack1",
                    startMilliseconds: 0, endMilliseconds: 9000, session: later, number: number, shown: "squat",
                    reps: 3,
                    likely: ["squat"], model: "m@1", poses: [1]), quota: 9, now: t0)
        }
        // Another person had the number of the track before.
        for (second, track) in [(1.0, 2), (3, 1), (41, 2)] { see(second, track: track) }
        writer.enqueue(.started(second), now: t0)
        keep(40)
        ask(1)
        _ = try writer.flush(now: t0, wall: Fixture.noon + 60)
        see(44, track: 2)
        keep(50)
        ask(2)
        writer.link(PersonLink(from: 2, to: 1, since: 0), camera: "rack1", since: Fixture.noon + 39, now: t0)
        try flush(merge())
        #expect(
            try store.ask(
                "SELECT group_concat(((end_ms - \(Timestamp.milliseconds(Fixture.noon))) / 1000) || ':' || track) FROM prediction"
            ) == "1:2,3:1,41:1,44:1")
        #expect(try store.ask("SELECT group_concat(session, '') FROM kept_pose") == earlier + earlier)
        #expect(try store.ask("SELECT group_concat(session || number, ' ') FROM question") == "\(earlier)2 \(earlier)3")
        // Whoever deletes the session deletes all of it.
        try flush(.ended(merged(reason: .idle)))
        #expect(try store.deleteSession(earlier, wall: Fixture.noon) == .deleted)
        #expect(try store.ask("SELECT count(*) FROM kept_pose") == "0")
        #expect(try store.ask("SELECT group_concat(track) FROM prediction") == "2")
        let records = try store.records.records(after: 0, limit: 99).filter { $0.type == .session }
        #expect(records.allSatisfy { !$0.body.contains("squat") })
    }

    @Test func `corrections of the session that had ended stay, and the day tells the same`() throws {
        try flush(.started(first), .ended(first))
        try store.correctSet(1, of: earlier, to: .to(label: "lunge", reps: 4), wall: Fixture.noon)
        try flush(.started(second), merge())
        func check(_ squats: Int) throws {
            let row = try #require(try store.query.session(earlier))
            #expect(row.sets?.map(\.label) == ["lunge", "squat"] && row.sets?.map(\.reps) == [4, squats])
            #expect(try store.query.day("2026-11-21", camera: "rack1").reps == ["lunge": 4, "squat": squats])
            let record = try #require(try store.records.records(after: 0, limit: 99).last { $0.id == earlier })
            let body = try JSONDecoder().decode(SessionBody.self, from: Data(record.body.utf8))
            #expect(body.sets?.map(\.label) == ["lunge", "squat"])
        }
        try check(3)
        try flush(.ended(merged(reps: 10, reason: .idle)))
        try check(5)
    }

    @Test func `whoever asks for the session that was absorbed is told where it went`() throws {
        try flush(.started(first), .ended(first))
        try flush(.started(second), merge())
        let missing = MissingSession(id: later, mergedInto: earlier)
        #expect(missing.description.contains("'\(earlier)'"))
        #expect(try store.query.missingSession(later) == missing)
        #expect(
            try store.query.missingSession(TypedId.short(later)).mergedInto == earlier,
            "the short form, as lists print it")
        #expect(try store.deleteSession(later, wall: Fixture.noon + 90) == .unknown(missing))
        #expect(throws: CorrectionError.unknownSession(missing)) {
            try store.correctSet(1, of: later, to: .to(label: "squat", reps: 4), wall: Fixture.noon + 90)
        }
        #expect(try store.query.missingSession("never") == MissingSession(id: "never"))
        let ended = Fixture.session(earlier, frames: 500, reps: 8, reason: .left)
        try flush(.ended(ended))
        #expect(try store.deleteSession(earlier, wall: Fixture.noon + 90) == .deleted)
        #expect(try store.query.missingSession(later) == MissingSession(id: later), "it is deleted as well")
    }

    @Test func `a deleted session does not come back, and what was stored of the other one ends`() throws {
        try flush(.started(first), .ended(first))
        #expect(try store.deleteSession(earlier, wall: Fixture.noon) == .deleted)
        try flush(.started(second))
        try flush(merge())
        try flush(.updated(merged(reps: 9)), .ended(merged(reps: 9, reason: .idle)))
        #expect(try store.query.session(earlier) == nil)
        #expect(try store.query.session(later)?.endReason == "left")
    }

    @Test func `a crash between the end of a set and the link leaves two whole sessions`() throws {
        try flush(.started(first), .ended(first))
        try flush(.started(second), .setEnded(second.sets[0], in: second))
        writer.enqueue(merge(), now: t0)
        let restarted = try fixture.open(path: fixture.copyOfRunningFiles())
        #expect(try restarted.query.session(earlier)?.endReason == "left")
        #expect(try restarted.query.session(later)?.endReason == "crash")
        #expect(try restarted.query.day("2026-11-21", camera: "rack1").reps == ["squat": 8])
        #expect(try restarted.query.day("2026-11-21", camera: "rack1").sessions == 2)
    }
}
