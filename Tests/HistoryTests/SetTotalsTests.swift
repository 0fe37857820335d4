import Actions
import Foundation
import History
import Testing

/// Totals of sessions, sets, days and records agree at every moment.
@Suite struct SetTotalsTests {
    private let t0 = ContinuousClock.now

    private func session(
        _ sets: [(label: String, reps: Int)], start: Date = Fixture.noon, reason: Session.EndReason? = nil
    ) -> Session {
        let labels = ["squat", "lunge"]
        return Session(
            id: "s", camera: "rack1", track: 1, start: start, end: Fixture.noon + 60, endReason: reason,
            actions: labels.map { label in
                let own = sets.filter { $0.label == label }.map(\.reps)
                return ActionTotal(
                    label: label, frames: 300, seconds: 10, reps: own.isEmpty ? nil : own.reduce(0, +),
                    meanConfidence: 0.9)
            },
            sets: sets.enumerated().map { index, set in
                SessionSet(
                    number: index + 1, label: set.label, start: Fixture.noon + Double(index) * 10,
                    end: Fixture.noon + Double(index) * 10 + 8, reps: set.reps, zone: "mat")
            })
    }

    /// The repetitions by label of the sets, of the session, of the day and of the last record.
    private func totals(_ store: Store) throws -> [[String: Int]] {
        let stored = try #require(try store.query.session("s"))
        let ofSets = Dictionary((stored.sets ?? []).map { ($0.label, $0.reps) }, uniquingKeysWith: +)
        let ofActions = Dictionary(uniqueKeysWithValues: stored.actions.map { ($0.label, $0.reps ?? 0) })
        let day = try store.query.day("2026-11-21", camera: "rack1")
        return [ofSets, ofActions, day.reps].map { $0.filter { $0.value != 0 } }
    }

    @Test func `a set that grows, becomes short or gets another label moves all totals alike`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        let states: [[(String, Int)]] = [
            [("squat", 2)], [("squat", 5)], [("squat", 4)], [("squat", 4), ("squat", 3)], [("lunge", 4), ("squat", 3)],
            [("lunge", 4), ("lunge", 1)], [("squat", 6), ("lunge", 1)],
        ]
        for sets in states {
            writer.enqueue(session(sets), now: t0)
            _ = try writer.flush(now: t0, wall: Fixture.noon)
            let wanted = Dictionary(sets, uniquingKeysWith: +)
            let found = try totals(store)
            #expect(found.allSatisfy { $0 == wanted }, "\(sets): \(found)")
            let zone = try store.ask("SELECT sets || ' ' || reps FROM day_zone WHERE zone = 'mat'")
            #expect(zone == "\(sets.count) \(sets.reduce(0) { $0 + $1.1 })")
        }
        writer.enqueue(session(states[6], reason: .idle), now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        let record = try #require(try store.records.records(after: 0, limit: 100).last { $0.type == .session })
        #expect(record.final && record.body.contains(#""reps":6"#) && record.body.contains(#""reps":1"#))
    }

    @Test func `a session whose beginning moves back over midnight counts once, on the earlier day`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        // Midnight in Berlin.
        let midnight = Fixture.noon - 43_200
        for start in [midnight + 1, midnight - 3] {
            writer.enqueue(session([("squat", 2)], start: start), now: t0)
            _ = try writer.flush(now: t0, wall: Fixture.noon)
        }
        #expect(try store.query.session("s")?.start == "2026-11-20T22:59:57.000Z")
        #expect(try store.query.day("2026-11-20", camera: "rack1").sessions == 1)
        #expect(try store.query.day("2026-11-21", camera: "rack1").sessions == 0)
    }

    @Test func `the highest track of what overlaps a new run, also where its times are in the future`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        #expect(try store.highestTrack(of: "rack1", since: Fixture.noon) == nil)
        for (track, second) in [(9, -60.0), (3, 60), (2, 3600)] {
            writer.credit(
                Fixture.prediction("squat", track: track), camera: "rack1", wall: Fixture.noon + second, now: t0)
        }
        writer.credit(Fixture.prediction("squat", track: 50), camera: "rack2", wall: Fixture.noon + 60, now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        #expect(try store.highestTrack(of: "rack1", since: Fixture.noon) == 3)
        #expect(try store.highestTrack(of: "rack1", since: Fixture.noon + 100) == 2)
        #expect(try store.highestTrack(of: "rack1", since: Fixture.noon + 4000) == nil)
        // A session alone tells it, too, as long as it reaches into the new run.
        writer.enqueue(session([("squat", 2)], start: Fixture.noon + 5000), now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        #expect(try store.highestTrack(of: "rack1", since: Fixture.noon) == 3)
    }

    @Test func `deleting a session leaves what another one of the same time and track has`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        // Two recordings of a history from before tracks were told apart.
        writer.enqueue(Fixture.session("a", end: Fixture.noon + 60, reason: .idle), now: t0)
        writer.enqueue(
            Fixture.session("b", start: Fixture.noon + 20, end: Fixture.noon + 90, reason: .idle), now: t0)
        for second in stride(from: 5.0, through: 115, by: 10) {
            writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: Fixture.noon + second, now: t0)
        }
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        #expect(try store.deleteSession("b", wall: Fixture.noon) == .deleted)
        // Those of the first minute stay; b's own and those of its idle time are gone.
        #expect(try store.ask("SELECT count(*) || ' ' || max(end_ms) FROM prediction") == "6 \(1_795_258_855_000)")
        #expect(try store.deleteSession("a", wall: Fixture.noon) == .deleted)
        #expect(try store.ask("SELECT count(*) FROM prediction") == "0")
    }
}
