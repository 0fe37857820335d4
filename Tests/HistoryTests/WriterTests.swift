import Actions
import Foundation
import GRDB
import History
import Records
import Testing

@Suite struct WriterTests {
    private let t0 = ContinuousClock.now

    @Test func `model labels are counted, also other and none, and pseudo-labels are excluded`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        for label in ["squat", "squat", "other", "none", "starting", "no_person", "low_confidence", "no_person"] {
            writer.credit(Fixture.prediction(label), camera: "rack1", wall: Fixture.noon, now: t0)
        }
        writer.exclude(frames: 12, reason: "dropped", camera: "rack1", wall: Fixture.noon, now: t0)
        let commit = try #require(try writer.flush(now: t0, wall: Fixture.noon))
        let day = try #require(commit.days.first)
        #expect(day.day == "2026-11-21" && day.camera == "rack1" && day.rev == 1)
        #expect(day.frames == ["squat": 20, "other": 10, "none": 10])
        #expect(day.seconds == ["squat": 0.667, "other": 0.333, "none": 0.333])
        #expect(day.excludedFrames == ["starting": 10, "no_person": 20, "low_confidence": 10, "dropped": 12])
        #expect(try store.query.day("2026-11-21", camera: "rack1") == day)
    }

    @Test func `nothing is written before the interval, everything after it, and nothing twice`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: Fixture.noon, now: t0)
        #expect(try writer.commitIfDue(now: t0 + .seconds(4), wall: Fixture.noon) == nil)
        #expect(try store.query.days().isEmpty)
        let commit = try writer.commitIfDue(now: t0 + .seconds(5), wall: Fixture.noon)
        #expect(commit?.predictions == 1)
        #expect(try writer.commitIfDue(now: t0 + .seconds(60), wall: Fixture.noon) == nil)
        #expect(try writer.flush(now: t0, wall: Fixture.noon)?.records == 1, "the sums of these five minutes")
        #expect(try writer.flush(now: t0, wall: Fixture.noon) == nil)
        #expect(try store.query.actions().first?.frames == 10)
    }

    @Test func `without a person nothing is written for a quarter of an hour`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        for second in 0..<899 {
            let now = t0 + .seconds(second)
            writer.credit(Fixture.prediction("no_person", track: nil), camera: "rack1", wall: Fixture.noon, now: now)
            #expect(try writer.commitIfDue(now: now, wall: Fixture.noon) == nil)
        }
        let commit = try writer.commitIfDue(now: t0 + .seconds(900), wall: Fixture.noon)
        #expect(commit?.days.first?.excludedFrames == ["no_person": 8990] && commit?.predictions == 0)
    }

    @Test func `an ended session is on disk at the next check`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        writer.enqueue(Fixture.session("s1", reason: .idle), now: t0)
        let commit = try #require(try writer.commitIfDue(now: t0, wall: Fixture.noon))
        #expect(commit.sessions.map(\.id) == ["s1"] && commit.records == 1)
        #expect(try store.query.session("s1")?.endReason == "idle")
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `sums are exact over thousands of predictions in random batches`(seed: UInt64) throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        var dice = Dice(state: seed)
        var expected: [String: Int] = [:]
        var now = t0
        for _ in 0..<3000 {
            let label = ["squat", "lunge", "other", "low_confidence"][Int.random(in: 0..<4, using: &dice)]
            let camera = ["rack1", "rack2"][Int.random(in: 0..<2, using: &dice)]
            let frames = Int.random(in: 1...30, using: &dice)
            now += .milliseconds(Int.random(in: 0...900, using: &dice))
            let wall = Fixture.noon.addingTimeInterval(Double.random(in: 0..<200_000, using: &dice))
            writer.credit(Fixture.prediction(label, frames: frames), camera: camera, wall: wall, now: now)
            expected[label, default: 0] += frames
            _ = try writer.commitIfDue(now: now, wall: wall)
        }
        _ = try writer.flush(now: now, wall: Fixture.noon)
        var stored = try store.query.days().reduce(into: [String: Int]()) { sums, day in
            sums.merge(day.excludedFrames, uniquingKeysWith: +)
        }
        for row in try store.query.actions() { stored[row.label] = row.frames }
        #expect(stored == expected)
    }

    @Test func `scenario 27: a full disk loses no count: everything is written once there is room`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        try store.simulateFullDisk(true)
        var now = t0
        for number in 0..<5000 {
            let wall = Fixture.noon.addingTimeInterval(Double(number) / 3)
            writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: wall, now: now)
        }
        now += .seconds(5)
        let refusal = #expect(throws: HistoryError.self) { try writer.commitIfDue(now: now, wall: Fixture.noon) }
        guard case .storage(.diskFull, _, _) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(writer.hasPending)
        #expect(try store.query.actions().isEmpty)
        writer.enqueue(Fixture.session("s1", reason: .idle), now: now)
        #expect(try writer.commitIfDue(now: now + .seconds(1), wall: Fixture.noon) == nil, "not at once again")
        try store.simulateFullDisk(false)
        let commit = try #require(try writer.commitIfDue(now: now + .seconds(10), wall: Fixture.noon))
        #expect(commit.predictions == 5000 && commit.sessions.count == 1)
        #expect(try store.query.actions().first?.frames == 50_000)
        #expect(try store.query.session("s1") != nil)
        #expect(!writer.hasPending)
    }

    @Test func `a batch whose commit reached the disk but reported failure is not counted again`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: Fixture.noon, now: t0)
        // Store the batch number, as if the commit had succeeded and only its result had been lost.
        try store.pool.write { try $0.execute(sql: "INSERT INTO meta(k, v) VALUES('batch', '1')") }
        #expect(try writer.flush(now: t0, wall: Fixture.noon) == nil)
        #expect(try store.query.actions().isEmpty)
        writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: Fixture.noon, now: t0)
        #expect(try writer.flush(now: t0, wall: Fixture.noon)?.days.first?.frames == ["squat": 10])
    }

    @Test func `frames count for the day on which the window ended, in the gym's time zone`() throws {
        let fixture = try Fixture()
        let store = try fixture.open(zone: "Europe/Berlin")
        let writer = try fixture.writer(store)
        // Midnight in Berlin is 23:00 UTC in winter and 22:00 UTC in summer; the clock changes on 2026-10-25.
        let cases: [(String, String)] = [
            ("2026-11-21T22:59:59Z", "2026-11-21"), ("2026-11-21T23:00:00Z", "2026-11-22"),
            ("2026-10-24T21:59:59Z", "2026-10-24"), ("2026-10-24T22:00:00Z", "2026-10-25"),
            ("2026-10-25T22:59:59Z", "2026-10-25"), ("2026-10-25T23:00:00Z", "2026-10-26"),
            ("2026-03-29T21:59:59Z", "2026-03-29"), ("2026-03-29T22:00:00Z", "2026-03-30"),
        ]
        for (moment, _) in cases {
            let wall = try Date(moment, strategy: .iso8601)
            writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: wall, now: t0)
        }
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        var expected: [String: Int] = [:]
        for (_, day) in cases { expected[day, default: 0] += 10 }
        let stored = try store.query.days().reduce(into: [:]) { $0[$1.day] = $1.frames["squat"] }
        #expect(stored == expected)
    }

    @Test func `single predictions are stored as compact rows and deleted after their retention time`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        for number in 0..<5000 {
            let wall = Fixture.noon.addingTimeInterval(Double(number) * 600)
            writer.credit(Fixture.prediction("squat", confidence: 0.94), camera: "rack1", wall: wall, now: t0)
            writer.credit(Fixture.prediction("no_person", track: nil), camera: "rack1", wall: wall, now: t0)
        }
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        #expect(try store.ask("SELECT count(*) FROM prediction") == "5000")
        #expect(try store.query.summary().predictionsSince == Timestamp.text(Fixture.noon))
        #expect(try store.ask("SELECT confidence FROM prediction LIMIT 1") == "940")
        let later = Fixture.noon.addingTimeInterval(20 * 86_400)
        #expect(try store.prune(wall: later, clock: .unsynced).total == 0, "a clock nobody set deletes nothing")
        #expect(
            try store.prune(wall: later, clock: .synced).predictions == 864,
            "six days of ten-minute rows are older than 14 days")
        #expect(try store.query.actions().first?.frames == 50_000, "totals stay")
    }
}
