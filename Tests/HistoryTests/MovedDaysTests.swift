import Actions
import Contract
import Foundation
import History
import Records
import Testing

/// Days in another time zone than the node's own, compared with sums over the same sessions.
@Suite struct MovedDaysTests {
    private let t0 = ContinuousClock.now
    private let labels = ["squat", "lunge", "burpee"]

    /// Sessions of 40 days around the change of the clocks, in New York on 2026-11-01 and in Berlin on 2026-10-25.
    private func filled(_ fixture: Fixture, _ dice: inout Dice) throws -> (Store, [Session]) {
        let store = try fixture.open(zone: "Asia/Kathmandu")
        let writer = try fixture.writer(store)
        let sessions = (0..<160).map { number in
            Fixture.session(
                "s\(number)", frames: Int.random(in: 1...900, using: &dice), reps: Int.random(in: 0...20, using: &dice),
                start: Fixture.noon - Double(Int.random(in: 0...3_456_000, using: &dice)), reason: .idle,
                camera: "rack\(Int.random(in: 1...3, using: &dice))", label: labels.randomElement(using: &dice) ?? "")
        }
        for session in sessions { writer.enqueue(session, now: t0) }
        _ = try writer.flush(now: t0, wall: Fixture.noon + 60)
        return (store, sessions)
    }

    /// What the days should be: day, camera, sessions, label and frames, as one line for each.
    private func expected(_ sessions: [Session], _ zone: TimeZone) -> [String] {
        let calendar = Calendar.gregorian(in: zone)
        let groups = Dictionary(grouping: sessions) { "\(calendar.dayText(of: $0.start)) \($0.camera)" }
        return groups.map { key, sessions in
            let sums = labels.map { label in
                let actions = sessions.flatMap(\.actions).filter { $0.label == label }
                return "\(label) \(actions.reduce(0) { $0 + $1.frames }) \(actions.reduce(0) { $0 + ($1.reps ?? 0) })"
            }
            return "\(key) \(sessions.count) \(sums.joined(separator: " "))"
        }.sorted()
    }

    private func lines(_ rows: [DayRow]) -> [String] {
        rows.map { row in
            let sums = labels.map { "\($0) \(row.frames[$0] ?? 0) \(row.reps[$0] ?? 0)" }
            return "\(row.day) \(row.camera) \(row.sessions) \(sums.joined(separator: " "))"
        }
    }

    @Test(arguments: ["America/New_York", "Europe/Berlin", "Asia/Tokyo", "Australia/Lord_Howe"])
    func `days are the sums of the sessions that began on them, whatever the limit`(_ name: String) throws {
        var dice = Dice(state: 5)
        let (store, sessions) = try filled(Fixture(), &dice)
        let zone = try #require(TimeZone(identifier: name))
        let all = expected(sessions, zone)
        #expect(try lines(store.query.days(HistoryFilter(timeZone: zone))) == all)
        for limit in [1, 2, 7, 50, all.count, 1000] {
            let (rows, count) = try store.query.newestDays(HistoryFilter(limit: limit, timeZone: zone))
            #expect(lines(rows) == all.suffix(limit))
            #expect(count == RowCount(shown: min(limit, all.count), found: all.count))
        }
        let since = Fixture.noon - 1_234_567
        let some = expected(sessions.filter { $0.start >= since && $0.camera == "rack2" }, zone)
        let filter = HistoryFilter(since: since, camera: "rack2", limit: 3, timeZone: zone)
        #expect(try lines(store.query.newestDays(filter).rows) == some.suffix(3))
    }

    @Test func `a limit does not change the node's own days, either`() throws {
        var dice = Dice(state: 6)
        let (store, _) = try filled(Fixture(), &dice)
        let query = store.query
        let all = try query.days()
        for limit in [1, 5, all.count] {
            let (rows, count) = try query.newestDays(HistoryFilter(limit: limit))
            #expect(rows == all.suffix(limit) && count == RowCount(shown: limit, found: all.count))
        }
        // The day at the beginning of the span is a part of one, and counts as a day.
        let since = Fixture.noon - 2_000_000
        let whole = try query.days(HistoryFilter(since: since))
        for limit in [1, whole.count - 1, whole.count] {
            #expect(try query.newestDays(HistoryFilter(since: since, limit: limit)).rows == whole.suffix(limit))
        }
    }

    @Test func `of an action only the days are found that corrections left any of`() throws {
        var dice = Dice(state: 7)
        let (store, sessions) = try filled(Fixture(), &dice)
        let zone = try #require(TimeZone(identifier: "America/New_York"))
        var session = Fixture.session("c1", start: Fixture.noon + 86_400 * 3, reason: .idle, label: "squat")
        session.sets = [
            SessionSet(number: 1, label: "squat", start: session.start, end: session.end, reps: 5)
        ]
        let writer = try fixture(store, session)
        _ = try writer.flush(now: t0, wall: Fixture.noon + 86_400 * 4)
        let filter = HistoryFilter(action: "squat", limit: 1, timeZone: zone)
        let squatted = Set(
            sessions.filter { $0.actions[0].label == "squat" }.map {
                "\(Calendar.gregorian(in: zone).dayText(of: $0.start)) \($0.camera)"
            })
        #expect(try store.query.newestDays(filter).count == RowCount(shown: 1, found: squatted.count + 1))
        _ = try store.correctSet(1, of: "c1", to: .to(label: "burpee", reps: 3), wall: Fixture.noon + 86_400 * 4)
        let (rows, count) = try store.query.newestDays(filter)
        #expect(count == RowCount(shown: 1, found: squatted.count))
        #expect(rows.map { "\($0.day) \($0.camera)" } == [squatted.max()])
    }

    private func fixture(_ store: Store, _ session: Session) throws -> HistoryWriter {
        let writer = try HistoryWriter(store: store, model: Fixture.model) { Fixture.clock }
        writer.enqueue(session, now: t0)
        return writer
    }
}
