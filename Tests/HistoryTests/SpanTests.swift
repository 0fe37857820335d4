import Actions
import Contract
import Foundation
import GRDB
import History
import Records
import Testing

/// One meaning of a span of time: whatever is asked, the answers are sums over the same events.
@Suite struct SpanTests {
    private let t0 = ContinuousClock.now
    private let labels = ["squat", "lunge", "none"]
    private let cameras = ["rack1", "rack2"]

    /// What happened, as an independent list.
    private struct Event {
        let at: Date
        let camera: String
        let label: String
        var frames = 0
        var reps = 0
        var zone: String?
        var seconds = 0.0
    }

    @Test func `a span of more years than there are is the whole history, and a day's action is that one alone`() throws
    {
        let fixture = try Fixture()
        var dice = Dice(state: 7)
        let (store, _) = try filled(fixture, &dice, zone: "UTC")
        let (all, query) = (HistoryFilter(timeZone: TimeZone(identifier: "UTC")), store.query)
        for (since, until) in [(Date(timeIntervalSince1970: -1e12), nil), (nil, Date(timeIntervalSince1970: 1e12))] {
            var filter = all
            (filter.since, filter.until) = (since, until)
            #expect(try query.actions(filter) == query.actions(all) && query.days(filter) == query.days(all))
        }
        var filter = all
        filter.action = "lunge"
        let days = try query.days(filter)
        #expect(!days.isEmpty && days.allSatisfy { Set($0.seconds.keys) == ["lunge"] && $0.excludedFrames.isEmpty })
        #expect(days.allSatisfy { Set($0.reps.keys).isSubset(of: ["lunge"]) })
        let reps = days.compactMap { $0.reps["lunge"] }.reduce(0, +)
        #expect(try query.actions(filter).map(\.reps) == [reps])
    }

    /// Three days of windows and sets at random moments.
    private func filled(_ fixture: Fixture, _ dice: inout Dice, zone: String) throws -> (Store, [Event]) {
        let store = try fixture.open(zone: zone)
        let writer = try fixture.writer(store)
        var events: [Event] = []
        for number in 0..<60 {
            let camera = cameras[Int.random(in: 0..<2, using: &dice)]
            let start = Fixture.noon + Double(Int.random(in: -90_000...90_000, using: &dice))
            let label = labels[Int.random(in: 0..<2, using: &dice)]
            var at = start
            for _ in 0..<Int.random(in: 2..<30, using: &dice) {
                at += Double(Int.random(in: 1...20, using: &dice)) / 2
                let frames = Int.random(in: 1...30, using: &dice)
                let shown = Bool.random(using: &dice) ? label : "none"
                let prediction = Fixture.prediction(shown, frames: frames, track: number)
                writer.credit(prediction, camera: camera, wall: at, now: t0)
                events.append(Event(at: at, camera: camera, label: shown, frames: frames))
            }
            var session = Fixture.session(
                "s\(number)", reps: nil, start: start, end: at, reason: .idle, camera: camera, label: label)
            let reps = Int.random(in: 2...12, using: &dice)
            let zone = Bool.random(using: &dice) ? "rack-\(number % 3)" : nil
            session.sets = [
                SessionSet(number: 1, label: label, start: start + 1, end: at, reps: reps, form: nil, zone: zone)
            ]
            session.actions[0].reps = reps
            writer.enqueue(session, now: t0)
            events.append(
                Event(
                    at: start + 1, camera: camera, label: label, reps: reps, zone: zone,
                    seconds: at.timeIntervalSince(start + 1)))
        }
        writer.credit(Fixture.prediction("no_person", track: nil), camera: "rack1", wall: Fixture.noon, now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon + 100_000)
        return (store, events)
    }

    @Test(arguments: 0..<6) func `totals, days and zones of any span are the sums of what happened in it`(
        _ seed: Int
    ) throws {
        var dice = Dice(state: UInt64(seed))
        let (store, all) = try filled(Fixture(), &dice, zone: seed % 2 == 0 ? "Europe/Berlin" : "Asia/Kathmandu")
        let query = store.query
        for round in 0..<40 {
            var filter = HistoryFilter()
            let moment = { (dice: inout Dice) in
                Fixture.noon + Double(Int.random(in: -100_000...100_000, using: &dice)) / (round % 3 == 0 ? 1 : 1.37)
            }
            if round % 5 != 1 { filter.since = moment(&dice) }
            if round % 5 != 2 { filter.until = moment(&dice) }
            if round % 7 == 0 { filter.until = filter.since.map { $0 + Double.random(in: 1...400, using: &dice) } }
            if round % 4 == 0 { filter.camera = cameras[round % 8 == 0 ? 0 : 1] }
            let events = all.filter { event in
                let milliseconds = Timestamp.milliseconds(event.at)
                return (filter.since.map { milliseconds >= Timestamp.milliseconds($0) } ?? true)
                    && (filter.until.map { milliseconds < Timestamp.milliseconds($0) } ?? true)
                    && (filter.camera.map { event.camera == $0 } ?? true)
            }
            try check(query, filter, events)
        }
    }

    private func check(_ query: HistoryQuery, _ filter: HistoryFilter, _ events: [Event]) throws {
        let actions = try query.actions(filter)
        let (days, zones) = (try query.days(filter), try query.zones(filter))
        for label in labels {
            let (frames, reps) = events.filter { $0.label == label }.reduce((0, 0)) {
                ($0.0 + $1.frames, $0.1 + $1.reps)
            }
            let row = actions.first { $0.label == label }
            #expect(row?.frames ?? 0 == frames && row?.reps ?? 0 == reps, "\(label) \(filter)")
            #expect(abs((row?.seconds ?? 0) - Double(frames) / 30) < 0.01)
            #expect(days.reduce(0) { $0 + ($1.frames[label] ?? 0) } == frames)
            #expect(days.reduce(0) { $0 + ($1.reps[label] ?? 0) } == reps)
        }
        for zone in ["rack-0", "rack-1", "rack-2"] {
            let used = events.filter { $0.zone == zone }
            let rows = zones.filter { $0.zone == zone }
            #expect(rows.reduce(0) { $0 + $1.sets } == used.count)
            #expect(rows.reduce(0) { $0 + $1.reps } == used.reduce(0) { $0 + $1.reps })
            #expect(abs(rows.reduce(0) { $0 + $1.seconds } - used.reduce(0) { $0 + $1.seconds }) < 0.01)
        }
        var reps = 0
        try query.sets(filter) { reps += $0.body.reps }
        #expect(reps == actions.reduce(0) { $0 + ($1.reps ?? 0) }, "the list of sets has the same repetitions")
        #expect(try query.sessions(filter).count == days.reduce(0) { $0 + $1.sessions })
    }

    @Test func `a correction moves time and repetitions in a part of a day, too`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        var session = Fixture.session("s1", frames: 300, reps: 5, reason: .idle)
        session.sets = [SessionSet(number: 1, label: "squat", start: Fixture.noon, end: Fixture.noon + 10, reps: 5)]
        writer.credit(Fixture.prediction("squat", frames: 300), camera: "rack1", wall: Fixture.noon + 10, now: t0)
        writer.enqueue(session, now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon + 60)
        _ = try store.correctSet(1, of: "s1", to: .to(label: "lunge", reps: 7), wall: Fixture.noon + 60)
        let rows = try store.query.actions(HistoryFilter(since: Fixture.noon - 60, until: Fixture.noon + 90))
        #expect(rows.map(\.label) == ["lunge"] && rows.map(\.frames) == [300] && rows.map(\.reps) == [7])
        #expect(try store.query.actions() == rows, "the day has the same")
    }

    @Test func `a span that the history cannot answer is refused, and whole days are answered`() throws {
        let fixture = try Fixture()
        var dice = Dice(state: 9)
        let (store, _) = try filled(fixture, &dice, zone: "Europe/Berlin")
        try store.pool.write { try $0.execute(sql: "DELETE FROM prediction; DELETE FROM rollup") }
        let filter = HistoryFilter(since: Fixture.noon - 36_001, until: Fixture.noon + 36_001)
        #expect(throws: HistoryError.tooFine(since: nil)) { try store.query.actions(filter) }
        #expect(throws: HistoryError.tooFine(since: nil)) { try store.query.days(filter) }
        let day = HistoryFilter(since: Fixture.noon - 43_200, until: Fixture.noon + 43_200)
        #expect(try !store.query.actions(day).isEmpty && !store.query.days(day).isEmpty)
        #expect(try !store.query.zones(filter).isEmpty, "zones need the sets alone")
        // Of a time in which nobody was seen nothing can be lost.
        #expect(try store.query.actions(HistoryFilter(until: Fixture.noon - 500_000)).isEmpty)
    }

    @Test func `a list that is cut says how many rows there are`() throws {
        var dice = Dice(state: 3)
        let (store, _) = try filled(Fixture(), &dice, zone: "Europe/Berlin")
        let query = store.query
        let squats = try query.sessions(HistoryFilter(action: "squat")).count
        #expect(try query.sessions(HistoryFilter(limit: 5)) { _ in } == RowCount(shown: 5, found: 60))
        #expect(
            try query.sessions(HistoryFilter(action: "squat", limit: 1)) { _ in } == RowCount(shown: 1, found: squats))
        #expect(try query.sets(HistoryFilter(limit: 60)) { _ in } == RowCount(shown: 60, found: 60))
        #expect(try query.sets(HistoryFilter(limit: 59)) { _ in }.isCut)
        let predictions = try query.predictions { _ in }
        #expect(try query.predictions(HistoryFilter(limit: 2)) { _ in } == RowCount(shown: 2, found: predictions.found))
        _ = try store.correctSet(1, of: "s1", to: .to(label: "burpee", reps: 3), wall: Fixture.noon + 100_000)
        let left = try query.sessions(HistoryFilter(action: "burpee")).count
        #expect(try query.sessions(HistoryFilter(action: "burpee", limit: 1)) { _ in }.found == left)
    }
}

@Suite struct CameraAbsenceTests {
    private let t0 = ContinuousClock.now

    private func absences(_ store: Store, _ filter: HistoryFilter = HistoryFilter()) throws -> [CameraAbsence] {
        var rows: [CameraAbsence] = []
        try store.query.absences(filter) { rows.append($0) }
        return rows.reversed()
    }

    @Test func `an outage is one absence from its first failure to the next picture`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        let noon = Fixture.noon
        writer.enqueue(.present(camera: "rack1", at: noon), now: t0)
        writer.enqueue(.gone(camera: "rack1", at: noon + 10, reason: "unplugged"), now: t0)
        writer.enqueue(.gone(camera: "rack1", at: noon + 15, reason: "not_found"), now: t0)
        _ = try writer.flush(now: t0, wall: noon + 15)
        #expect(try absences(store).map(\.end) == [nil])
        writer.enqueue(.present(camera: "rack1", at: noon + 70), now: t0)
        writer.enqueue(.gone(camera: "rack1", at: noon + 80, reason: "stalled"), now: t0)
        writer.enqueue(.gone(camera: "rack1", at: noon + 90, reason: CameraAbsence.switchedOff), now: t0)
        _ = try writer.flush(now: t0, wall: noon + 100)
        let rows = try absences(store)
        #expect(rows.map(\.reason) == ["unplugged", "stalled", "switched_off"])
        #expect(rows.map { $0.seconds(now: noon + 120) } == [60, 10, 30])
        let records = try store.ask(
            "SELECT group_concat(rev || ':' || final) FROM record WHERE type = 'absence' GROUP BY id ORDER BY seq LIMIT 1"
        )
        #expect(records == "1:0,2:1")
        // An absence that reaches into a span lies in it.
        #expect(try absences(store, HistoryFilter(since: noon + 30, until: noon + 40)).map(\.reason) == ["unplugged"])
        #expect(rows[0].seconds(since: noon + 30, until: noon + 40) == 10)
    }

    @Test func `a camera that is configured no more is away no more`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        for camera in ["rack1", "rack2"] {
            writer.enqueue(.gone(camera: camera, at: Fixture.noon, reason: "unplugged"), now: t0)
        }
        writer.enqueue(.watched(cameras: ["rack2"], at: Fixture.noon + 9), now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon + 10)
        #expect(try absences(store).filter { $0.end == nil }.map(\.camera) == ["rack2"])
    }
}
