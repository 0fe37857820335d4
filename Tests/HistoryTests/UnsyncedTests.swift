import Foundation
import GRDB
import History
import Testing

/// A machine that starts with a wrong clock, which is set later.
@Suite struct UnsyncedTests {
    private let t0 = ContinuousClock.now
    /// Three weeks before noon: the time of the last shutdown, stored on the card.
    private let wrong = Fixture.noon.addingTimeInterval(-21 * 86_400)

    private func clock(_ state: ClockState, after seconds: Int64, boot: String = "7c1e0f5a") -> ClockReading {
        ClockReading(state: state, uptimeMs: (100 + seconds) * 1000, boot: boot)
    }

    private func open(_ fixture: Fixture, _ wall: Date, _ clock: ClockReading) throws -> Store {
        try Store(
            path: fixture.path, settings: HistorySettings(timeZone: .gmt, nodeId: "sp-one"), wall: wall, clock: clock)
    }

    /// One minute with a session, under the wrong clock.
    private func seen(_ fixture: Fixture) throws -> Store {
        let store = try open(fixture, wrong, clock(.unsynced, after: 0))
        let reading = clock(.unsynced, after: 60)
        let writer = try HistoryWriter(store: store, model: Fixture.model) { reading }
        for second in 0..<30 {
            writer.credit(
                Fixture.prediction("squat"), camera: "rack1", wall: wrong.addingTimeInterval(Double(second)), now: t0)
        }
        writer.enqueue(Fixture.session("a", reps: 5, start: wrong, reason: .idle), now: t0)
        _ = try writer.flush(now: t0, wall: wrong.addingTimeInterval(60))
        return store
    }

    @Test func `scenario 31: rows stored before the clock was set are corrected and sent again`() throws {
        let fixture = try Fixture()
        let now = Fixture.noon.addingTimeInterval(90)
        let records = try beforeTheStep(fixture, now)
        try afterTheStep(fixture, now, records)
        // A second correction changes nothing.
        let third = try open(fixture, now, clock(.synced, after: 95))
        #expect(try third.query.session("a")?.rev == 2)
    }

    private func beforeTheStep(_ fixture: Fixture, _ now: Date) throws -> [History.Record] {
        let store = try seen(fixture)
        defer { withExtendedLifetime(store) {} }
        let records = try store.records.records(after: 0, limit: 10)
        #expect(records.map(\.clock) == [.unsynced, .unsynced] && Set(records.map(\.type)) == [.session, .rollup])
        #expect(try !store.needsCorrection(clock(.unsynced, after: 90), wall: wrong.addingTimeInterval(90)))
        #expect(try !store.needsCorrection(clock(.synced, after: 90), wall: wrong.addingTimeInterval(91)), "a second")
        #expect(try store.needsCorrection(clock(.synced, after: 90), wall: now))
        try store.close()
        return records
    }

    private func afterTheStep(_ fixture: Fixture, _ now: Date, _ records: [History.Record]) throws {
        let again = try open(fixture, now, clock(.synced, after: 90))
        #expect(again.openingEvents.contains(.correctedClock(2)))
        let session = try #require(try again.query.session("a"))
        #expect(session.start == "2026-11-21T11:00:00.000Z" && session.rev == 2)
        let corrected = try again.records.records(after: records.last?.seq ?? 0, limit: 10)
        #expect(corrected.map(\.clock) == [.synced, .synced] && corrected.map(\.rev) == [2, 2])
        #expect(Set(corrected.map(\.id)) == Set(records.map(\.id)))
        #expect(corrected.first { $0.type == .session }?.body.contains("2026-11-21T11:00:00.000Z") == true)
        // The day's totals moved with them.
        let days = try again.query.days()
        #expect(days.map { $0.frames["squat"] } == [0, 300] && days.map { $0.reps["squat"] } == [0, 5])
        #expect(days.map(\.sessions) == [0, 1] && days.map(\.day) == ["2026-10-31", "2026-11-21"])
        #expect(try again.query.predictions(ofSession: "a").count == 30)
        #expect(try again.unsynced(boot: "7c1e0f5a") == nil)
        try again.close()
    }

    @Test func `scenario 31: rows of another boot stay as they are`() throws {
        let fixture = try Fixture()
        try seen(fixture).close()
        let again = try open(fixture, Fixture.noon, clock(.synced, after: 90, boot: "00000001"))
        #expect(try again.query.session("a")?.rev == 1)
        #expect(try !again.needsCorrection(clock(.synced, after: 90, boot: "00000001"), wall: Fixture.noon))
    }
}
