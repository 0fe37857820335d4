import Actions
import Foundation
import History
import Records
import Testing

/// How often zones change hands, for how long they are free, and who waits.
@Suite struct ZoneTurnoverTests {
    private let t0 = ContinuousClock.now
    private let fixture: Fixture
    private let store: Store
    private let writer: HistoryWriter

    init() throws {
        fixture = try Fixture()
        store = try fixture.open()
        writer = try fixture.writer(store)
    }

    /// A session of two sets, which begin so many minutes after noon.
    @discardableResult
    private func train(_ minutes: ClosedRange<Double>, in zone: String? = "rack-1", day: Int = 0) throws -> String {
        let noon = Fixture.noon + Double(day) * 86_400
        let (start, end) = (noon + minutes.lowerBound * 60, noon + minutes.upperBound * 60)
        var session = Fixture.session(UUIDv7.string(at: start), start: start, end: end, reason: .idle)
        session.sets = [
            SessionSet(number: 1, label: "squat", start: start, end: start + 30, reps: 5, zone: zone),
            SessionSet(number: 2, label: "squat", start: end - 30, end: end, reps: 5, zone: zone),
        ]
        session.zone = zone
        writer.enqueue(session, now: t0)
        return session.id
    }

    private func watch(minutes: Double, people: Int, waiting: Double = 0) {
        var sum = OccupancySum()
        (sum.watchedSeconds, sum.personSeconds, sum.most) = (minutes * 60, minutes * 60 * Double(people), people)
        sum.zones["rack-1"] = OccupancySum.Zone()
        sum.zones["rack-1"]?.waitingSeconds = waiting
        let slot = OccupancySlot(holding: Fixture.noon + (people == 0 ? 7200 : 0), camera: "rack1")
        writer.add(sum, to: slot, now: t0)
    }

    private func zone(_ filter: HistoryFilter = HistoryFilter()) throws -> ZoneRow {
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        let rows = try store.query.zones(filter, configured: [("rack1", "rack-1"), ("rack1", "mat")])
        return try #require(rows.first { $0.zone == "rack-1" })
    }

    @Test func `a use goes from the first set to the last, and pauses are those of one day`() throws {
        try train(0...10)
        try train(12...16)
        // At the same time as the one before: two people share the rack.
        try train(13...25)
        try train(31...33)
        try train(0...4, day: 1)
        watch(minutes: 60, people: 2, waiting: 90)
        watch(minutes: 600, people: 0)
        let row = try zone()
        #expect(row.uses == 5 && row.useSeconds == 240, "10, 4, 12, 2 and 4 minutes")
        #expect(row.idleSeconds == 240, "2 and 6 minutes; a night is no pause")
        #expect(row.usesPerHour == 5, "time in which nobody was seen is not open")
        #expect(row.waitingSeconds == 90)
    }

    @Test func `a zone that nobody used has zeros`() throws {
        try train(0...10)
        watch(minutes: 30, people: 1)
        _ = try zone()
        let mat = try #require(
            try store.query.zones(configured: [("rack1", "mat")]).first { $0.zone == "mat" })
        #expect(mat.uses == 0 && mat.usesPerHour == 0 && mat.waitingSeconds == 0 && mat.sets == 0)
        #expect(mat.useSeconds == nil && mat.idleSeconds == nil)
    }

    @Test func `a set that never was and a deleted session are no use`() throws {
        let gone = try train(0...10)
        let corrected = try train(20...30)
        #expect(try zone().uses == 2)
        #expect(try store.deleteSession(gone, wall: Fixture.noon) == .deleted)
        #expect(try zone().uses == 1)
        for number in 1...2 {
            try store.correctSet(
                number, of: corrected, to: .to(label: "none", reps: 0), wall: Fixture.noon, clock: .synced)
        }
        #expect(try zone().uses == 0)
    }

    @Test func `a span counts the uses of its sets`() throws {
        try train(0...10)
        try train(70...80)
        let hour = HistoryFilter(since: Fixture.noon + 3600, until: Fixture.noon + 7200)
        #expect(try zone(hour).uses == 1 && zone(hour).useSeconds == 600)
    }
}
