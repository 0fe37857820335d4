import Contract
import Foundation
import GRDB
import History
import Records
import Synchronization
import Testing

/// Rows stored with a wrong clock are moved to their correct time, and no others are.
@Suite struct ClockCorrectionTests {
    private let t0 = ContinuousClock.now
    private static let slot = 300.0

    /// One boot of a machine: its wall clock, and whether the kernel reports it as synchronised.
    private struct Boot {
        let id: String
        /// The wall clock at second 0.
        var begin: Date
        var state: ClockState

        func wall(_ second: Double) -> Date { begin.addingTimeInterval(second) }
        func reading(_ second: Double) -> ClockReading {
            ClockReading(state: state, uptimeMs: Int64((100 + second) * 1000), boot: id)
        }
        /// The same boot after its clock was set.
        func set(by step: Double) -> Boot { Boot(id: id, begin: begin + step, state: .synced) }
    }

    private func open(_ fixture: Fixture, _ boot: Boot, at second: Double) throws -> Store {
        try Store(
            path: fixture.path, settings: HistorySettings(timeZone: .gmt, nodeId: "sp-one"), wall: boot.wall(second),
            clock: boot.reading(second))
    }

    /// Stores predictions with the given numbers of frames, and closes the history.
    private func store(
        _ seen: [(second: Double, label: String, camera: String, frames: Int)], _ fixture: Fixture, _ boot: Boot
    ) throws {
        let last = seen.map(\.second).max() ?? 0
        let store = try open(fixture, boot, at: 0)
        let reading = boot.reading(last)
        let writer = try HistoryWriter(store: store, model: Fixture.model) { reading }
        for one in seen {
            writer.credit(
                Fixture.prediction(one.label, frames: one.frames), camera: one.camera, wall: boot.wall(one.second),
                now: t0)
        }
        _ = try writer.flush(now: t0, wall: boot.wall(last + 1))
        try store.close()
    }

    /// Every rollup in the node's history: "start camera id" and its frames by label.
    private func rollups(_ store: Store) throws -> [String: [String: Int]] {
        try store.pool.read { db in
            let sql = """
                SELECT start_ms || ' ' || camera || ' ' || id AS name, label, frames
                FROM rollup JOIN rollup_action ON rollup = id
                """
            return try Row.fetchAll(db, sql: sql).reduce(into: [:]) {
                $0[$1["name"], default: [:]][$1["label"]] = $1["frames"]
            }
        }
    }

    /// The same at a receiver, which keeps the highest revision of each id.
    private func received(_ store: Store) throws -> [String: [String: Int]] {
        var newest: [String: History.Record] = [:]
        for record in try store.records.records(after: 0, limit: 100_000) where record.type == .rollup {
            if record.rev > newest[record.id]?.rev ?? 0 { newest[record.id] = record }
        }
        return try newest.values.reduce(into: [:]) { all, record in
            let body = try JSONDecoder().decode(RollupBody.self, from: Data(record.body.utf8))
            let start = try #require(Timestamp.date(text: body.start))
            let frames = body.actions.reduce(into: [:]) { $0[$1.label] = $1.frames }
            all["\(Timestamp.milliseconds(start)) \(body.camera) \(record.id)"] = frames
        }
    }

    private func frames(_ rollups: [String: [String: Int]]) -> [String: Int] {
        rollups.values.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    }

    /// The name of the rollup that a rollup becomes after a step.
    private func moved(_ name: String, by step: Double) -> String {
        let parts = name.split(separator: " ")
        let start = (Double(parts[0]) ?? 0) / 1000 + step
        return "\(Int64((start / Self.slot).rounded(.down) * Self.slot * 1000)) \(parts[1]) \(parts[2])"
    }

    /// Steps in minutes, forward and back, shorter and longer than the stored span.
    @Test(arguments: [
        (7, 10.0), (7, -10), (7, 5), (7, 33), (7, 36), (7, -180), (40, 25), (40, -25), (3, 30_240), (1, 0.5),
    ])
    func `every rollup of the boot is moved by the clock's step`(slots: Int, minutes: Double) throws {
        let fixture = try Fixture()
        let boot = Boot(id: "7c1e0f5a", begin: Fixture.noon.addingTimeInterval(-60 * minutes), state: .unsynced)
        let seen = (0..<slots).flatMap { number -> [(Double, String, String, Int)] in
            let second = Double(number) * Self.slot + 10
            return [(second, "squat", "rack1", number + 1), (second, "lunge", "rack2", 100 + number)]
        }
        try store(seen, fixture, boot)
        let before = try { try rollups($0) }(open(fixture, boot, at: Double(slots) * Self.slot))
        #expect(before.count == 2 * slots)
        let end = Double(slots) * Self.slot + 60
        let expected = Dictionary(uniqueKeysWithValues: before.map { (moved($0, by: 60 * minutes), $1) })
        let right = boot.set(by: 60 * minutes)
        try check(open(fixture, right, at: end), holds: expected, since: right.wall(10))
        // A second correction changes nothing.
        #expect(try rollups(open(fixture, right, at: end + 9)) == expected)
    }

    private func check(_ after: Store, holds expected: [String: [String: Int]], since first: Date) throws {
        #expect(try rollups(after) == expected)
        #expect(try received(after) == expected, "a receiver's sums are the node's")
        #expect(try after.query.actions().reduce(into: [:]) { $0[$1.label] = $1.frames } == frames(expected))
        #expect(try after.query.summary().predictionsSince == Timestamp.text(first))
        #expect(try after.unsynced(boot: "7c1e0f5a") == nil)
        try after.close()
    }

    @Test func `rows written after the clock was set but dated before are corrected, too`() throws {
        let fixture = try Fixture()
        let boot = Boot(id: "7c1e0f5a", begin: Fixture.noon - 7200, state: .unsynced)
        let right = boot.set(by: 7200)
        do {
            let store = try open(fixture, boot, at: 0)
            let reading = Mutex(boot.reading(0))
            let writer = try HistoryWriter(store: store, model: Fixture.model) { reading.withLock { $0 } }
            writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: boot.wall(1), now: t0)
            writer.enqueue(Fixture.session("a", start: boot.wall(1), reason: .stopped), now: t0)
            reading.withLock { $0 = right.reading(5) }
            #expect(try writer.flush(now: t0, wall: right.wall(5))?.records == 2)
            #expect(try store.records.records(after: 0, limit: 9).map(\.clock) == [.unsynced, .unsynced])
            #expect(try store.needsCorrection(right.reading(6), wall: right.wall(6)))
        }
        let after = try open(fixture, right, at: 10)
        #expect(try rollups(after).keys.first?.hasPrefix("\(Timestamp.milliseconds(Fixture.noon)) ") == true)
        #expect(try after.query.session("a")?.start == Timestamp.text(right.wall(1)))
    }

    @Test func `alarms of the boot are moved by the clock's step, and no others`() throws {
        let fixture = try Fixture()
        let earlier = Boot(id: "01d0b007", begin: Fixture.noon - 86_400, state: .synced)
        let boot = Boot(id: "7c1e0f5a", begin: Fixture.noon - 7200, state: .unsynced)
        for (id, boot) in [("before", earlier), ("now", boot)] {
            let store = try open(fixture, boot, at: 0)
            var alarm = Alarm(
                id: id, camera: "rack1", zone: nil, cause: .fall, since: boot.wall(1), raised: boot.wall(9))
            try store.save([alarm], wall: boot.wall(10), clock: boot.reading(10))
            alarm.ended = boot.wall(20)
            try store.save([alarm], wall: boot.wall(21), clock: boot.reading(21))
        }
        let right = boot.set(by: 7200)
        var alarms: [String: Alarm] = [:]
        try open(fixture, right, at: 30).query.alarms { alarms[$0.id] = $0 }
        let (before, now) = try (#require(alarms["before"]), #require(alarms["now"]))
        #expect(before.raised == earlier.wall(9) && before.ended == earlier.wall(20))
        #expect(now.since == right.wall(1) && now.raised == right.wall(9) && now.ended == right.wall(20))
        // A further correction changes nothing.
        var again: [Date] = []
        try open(fixture, right, at: 40).query.alarms { again.append($0.raised) }
        #expect(again == [right.wall(9), earlier.wall(9)])
    }

    @Test func `a clock that turns out to have been right needs no correction, and its rows are trusted`() throws {
        let fixture = try Fixture()
        let boot = Boot(id: "7c1e0f5a", begin: Fixture.noon, state: .unsynced)
        try store([(0, "squat", "rack1", 10)], fixture, boot)
        let after = try open(fixture, boot.set(by: 1), at: 9)
        #expect(after.openingEvents.isEmpty)
        #expect(try rollups(after).keys.allSatisfy { $0.hasPrefix("\(Timestamp.milliseconds(Fixture.noon)) ") })
        #expect(try after.prune(wall: Fixture.noon + 20 * 86_400, clock: .synced).predictions == 1)
    }

    @Test func `rows that an earlier boot stored in the same hour with a correct clock stay`() throws {
        let fixture = try Fixture()
        // After a power cut the clock resumes up to an hour in the past (fake-hwclock).
        let former = Boot(id: "aaaaaaaa", begin: Fixture.noon, state: .synced)
        let seen = (0..<60).map { (Double($0) * 20, "squat", "rack1", 10) }
        try store(seen, fixture, former)
        let (trusted, days) = try { (try rollups($0), try $0.query.days()) }(open(fixture, former, at: 1300))
        let boot = Boot(id: "bbbbbbbb", begin: Fixture.noon, state: .unsynced)
        try store(seen.map { ($0.0, "lunge", $0.2, $0.3) }, fixture, boot)
        let after = try open(fixture, boot.set(by: 86_400), at: 1400)
        let all = try rollups(after)
        #expect(all.filter { trusted[$0.key] != nil } == trusted)
        let others = all.filter { trusted[$0.key] == nil }
        #expect(others.count == 4 && frames(others) == ["lunge": 600])
        #expect(others.keys.allSatisfy { $0 > String(Timestamp.milliseconds(Fixture.noon + 86_400)) })
        #expect(try received(after) == all)
        #expect(try after.query.days().first?.frames["squat"] == days.first?.frames["squat"])
        #expect(try after.query.days().map { $0.frames["lunge"] ?? 0 } == [0, 600])
        var labels: [String: Int] = [:]
        try after.query.predictions(HistoryFilter(until: Fixture.noon + 43_200)) { labels[$0.label, default: 0] += 1 }
        #expect(labels == ["squat": 60])
        try after.query.predictions(HistoryFilter(since: Fixture.noon + 43_200)) { labels[$0.label, default: 0] += 1 }
        #expect(labels == ["squat": 60, "lunge": 60])
    }

    @Test func `rows that an earlier boot stored with a wrong clock stay marked, as they cannot be dated`() throws {
        let fixture = try Fixture()
        let former = Boot(id: "aaaaaaaa", begin: Fixture.noon - 9000, state: .unsynced)
        try store([(0, "squat", "rack1", 10), (400, "squat", "rack1", 10)], fixture, former)
        let before = try { try rollups($0) }(open(fixture, former, at: 500))
        let boot = Boot(id: "bbbbbbbb", begin: Fixture.noon - 8900, state: .unsynced)
        try store([(0, "lunge", "rack1", 10)], fixture, boot)
        let after = try open(fixture, boot.set(by: 8900), at: 500)
        #expect(try rollups(after).filter { before[$0.key] != nil } == before)
        #expect(try after.ask("SELECT count(*) FROM rollup") == "3")
        let later = Fixture.noon + 400 * 86_400
        #expect(try after.prune(wall: later, clock: .synced).predictions == 1, "an unknown age is no age")
        #expect(try after.ask("SELECT count(*) FROM prediction") == "2")
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `no clock correction loses a frame or moves one of another boot`(
        seed: UInt64
    ) throws {
        let fixture = try Fixture()
        var dice = Dice(state: seed)
        func some(_ count: Int) -> [(Double, String, String, Int)] {
            (0..<count).map { _ in
                (
                    Double(Int.random(in: 0..<40_000, using: &dice)) / 4,
                    ["squat", "lunge", "other"][Int.random(in: 0..<3, using: &dice)],
                    ["rack1", "rack2"][Int.random(in: 0..<2, using: &dice)], Int.random(in: 1...30, using: &dice)
                )
            }
        }
        let span = Double(Int.random(in: 1...200_000, using: &dice))
        let step = Bool.random(using: &dice) ? span : -span
        let former = Boot(id: "aaaaaaaa", begin: Fixture.noon, state: .synced)
        try store(some(150), fixture, former)
        let trusted = try { try rollups($0) }(open(fixture, former, at: 10_001))
        let boot = Boot(
            id: "bbbbbbbb", begin: Fixture.noon + Double.random(in: -9000...9000, using: &dice), state: .unsynced)
        try store(some(150), fixture, boot)
        let before = try { try rollups($0) }(open(fixture, boot, at: 10_002))
        let after = try open(fixture, boot.set(by: step), at: 10_003)
        let own = before.filter { trusted[$0.key] == nil }
        let expected = Dictionary(uniqueKeysWithValues: own.map { (moved($0, by: step), $1) })
        let all = try rollups(after)
        #expect(all == expected.merging(trusted) { one, _ in one }, "step \(step) s")
        #expect(try received(after) == all)
        #expect(try after.query.actions().reduce(into: [:]) { $0[$1.label] = $1.frames } == frames(all))
        #expect(try after.ask("SELECT count(*) FROM prediction") == "300")
    }
}
