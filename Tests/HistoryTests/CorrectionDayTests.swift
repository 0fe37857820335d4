import Actions
import Foundation
import History
import Testing

/// Corrections and the totals of days: at midnight, with a clock that is set later, and in any order.
@Suite struct CorrectionDayTests {
    private let t0 = ContinuousClock.now

    /// A session of 10 s at 30 frames a second: two sets of squats, 4 s with 7 repetitions and 3 s with 5.
    private func see(_ id: String, _ writer: HistoryWriter, at start: Date = Fixture.noon) throws {
        var session = Fixture.session(id, reps: 12, start: start, end: start + 10, reason: .idle)
        session.sets = [
            SessionSet(number: 1, label: "squat", start: start, end: start + 4, reps: 7),
            SessionSet(number: 2, label: "squat", start: start + 6, end: start + 9, reps: 5),
        ]
        writer.enqueue(session, now: t0)
        for (second, frames) in [(4.0, 120), (9, 180)] {
            let prediction = Fixture.prediction("squat", frames: frames)
            writer.credit(prediction, camera: "rack1", wall: start + second, now: t0)
        }
        _ = try writer.flush(now: t0, wall: start + 10)
    }

    /// Frames and repetitions by label, where there are any.
    private func totals(_ rows: [(String, Int, Int?)]) -> [String: [Int]] {
        var sums: [String: [Int]] = [:]
        for (label, frames, reps) in rows {
            let before = sums[label] ?? [0, 0]
            sums[label] = [before[0] + frames, before[1] + (reps ?? 0)]
        }
        return sums.filter { $0.value != [0, 0] }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `whatever is corrected, the totals are the sums of the sessions, and taking it back restores them`(
        seed: UInt64
    ) throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        for id in ["s1", "s2"] { try see(id, try fixture.writer(store)) }
        let before = try HistoryState(store)
        var dice = Dice(state: seed)
        for _ in 0..<30 {
            let label = ["squat", "lunge", "burpee", "none"][Int.random(in: 0..<4, using: &dice)]
            let reps = label == "none" ? 0 : Int.random(in: 1...20, using: &dice)
            let change = Int.random(in: 0..<5, using: &dice) == 0 ? SetChange.undo : .to(label: label, reps: reps)
            let id = Bool.random(using: &dice) ? "s1" : "s2"
            try store.correctSet(Int.random(in: 1...2, using: &dice), of: id, to: change, wall: Fixture.noon)
            let sessions = try store.query.sessions().flatMap(\.actions).map { ($0.label, $0.frames, $0.reps) }
            let actions = try store.query.actions().map { ($0.label, $0.frames, $0.reps) }
            #expect(totals(sessions) == totals(actions))
        }
        for id in ["s1", "s2"] {
            for number in [1, 2] { try store.correctSet(number, of: id, to: .undo, wall: Fixture.noon) }
        }
        #expect(try HistoryState(store) == before)
    }

    @Test func `a session over midnight keeps the totals of both days together right, and none below zero`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        // Five seconds before midnight in Berlin. A set's repetitions are credited to the day on which it began.
        try see("s1", try fixture.writer(store), at: Fixture.noon + 43_195)
        let before = try HistoryState(store)
        try store.correctSet(1, of: "s1", to: .to(label: "lunge", reps: 9), wall: Fixture.noon)
        let actions = try store.query.actions().map { ($0.label, $0.frames, $0.reps) }
        #expect(totals(actions) == ["squat": [180, 5], "lunge": [120, 9]])
        let days = try store.query.days()
        #expect(days.map(\.day) == ["2026-11-21", "2026-11-22"] && days[0].reps == ["lunge": 9])
        #expect(days[1].reps == ["squat": 5])
        // What an export holds can be imported.
        var check = ImportCheck()
        try store.query.export { try check.check($0) }
        try store.correctSet(1, of: "s1", to: .undo, wall: Fixture.noon)
        #expect(try HistoryState(store) == before)
    }

    @Test func `a correction from before the clock was set moves with its session`() throws {
        let fixture = try Fixture()
        let settings = HistorySettings(timeZone: .gmt, nodeId: "sp-one")
        let wrong = Fixture.noon - 86_400
        try {
            let clock = ClockReading(state: .unsynced, uptimeMs: 100_000, boot: "7c1e0f5a")
            let store = try Store(path: fixture.path, settings: settings, wall: wrong, clock: clock)
            try see("s1", try HistoryWriter(store: store, model: Fixture.model) { clock }, at: wrong)
            try store.correctSet(
                1, of: "s1", to: .to(label: "lunge", reps: 9), wall: wrong + 60, clock: .synced)
            let record = try store.records.records(after: 0, limit: 9).last { $0.type == .session }
            #expect(record?.clock == .unsynced, "the session's times are still wrong")
            try store.close()
        }()
        let clock = ClockReading(state: .synced, uptimeMs: 160_000, boot: "7c1e0f5a")
        let store = try Store(path: fixture.path, settings: settings, wall: Fixture.noon + 60, clock: clock)
        let days = try store.query.days()
        #expect(days.map(\.day) == ["2026-11-20", "2026-11-21"])
        #expect(days[0].frames.isEmpty && days[0].reps.isEmpty)
        #expect(days[1].frames == ["squat": 180, "lunge": 120] && days[1].reps == ["squat": 5, "lunge": 9])
        let record = try #require(try store.records.records(after: 0, limit: 9).last { $0.type == .session })
        #expect(record.clock == .synced && record.rev == 3 && record.body.contains("corrected"))
    }
}
