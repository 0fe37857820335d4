import Actions
import Contract
import Foundation
import GRDB
import History
import Records
import Testing

/// Sessions and sets in zones, and the use of the zones.
@Suite struct ZoneTests {
    private let t0 = ContinuousClock.now
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    private func squats(_ number: Int, _ zone: String?, from start: Double, seconds: Double, reps: Int) -> SessionSet {
        SessionSet(
            number: number, label: "squat", start: Fixture.noon + start, end: Fixture.noon + start + seconds,
            reps: reps, zone: zone)
    }

    private func session(
        _ id: String, zone: String?, sets: [SessionSet], reason: Session.EndReason? = .idle, start: Date = Fixture.noon
    ) -> Session {
        var session = Fixture.session(id, start: start, end: start + 120, reason: reason)
        session.zone = zone
        session.sets = sets
        return session
    }

    private func write(_ sessions: [Session], to writer: HistoryWriter) throws {
        for session in sessions { writer.enqueue(session, now: t0) }
        _ = try writer.flush(now: t0, wall: Fixture.noon)
    }

    @Test func `zones stand in sessions, sets, records, days and their own totals`() throws {
        let store = try fixture.open()
        let sets = [
            squats(1, "rack-1", from: 0, seconds: 20, reps: 8), squats(2, "rack-2", from: 60, seconds: 30, reps: 10),
        ]
        try write(
            [session("s1", zone: "rack-2", sets: sets), session("s2", zone: nil, sets: [])],
            to: fixture.writer(store))
        let query = store.query
        let row = try #require(try query.session("s1"))
        #expect(row.zone == "rack-2" && row.sets?.map(\.zone) == ["rack-1", "rack-2"])
        #expect(try query.session("s2")?.zone == nil)
        let body = try #require(try store.ask("SELECT body FROM record WHERE id = 's1'"))
        #expect(body.contains(#""zone":"rack-1""#) && body.contains(#""zone":"rack-2""#))
        let use = DayRow.ZoneUse(sets: 1, reps: 8, seconds: 20)
        #expect(
            try query.day("2026-11-21", camera: "rack1").zones
                == ["rack-1": use, "rack-2": DayRow.ZoneUse(sets: 1, reps: 10, seconds: 30)])
        let zones = try query.zones()
        #expect(zones.map(\.zone) == ["rack-2", "rack-1"] && zones.map(\.seconds) == [30, 20])
        #expect(zones.map(\.days) == [1, 1])
    }

    @Test func `sessions, sets, days and totals are found by their zone`() throws {
        let store = try fixture.open()
        let mat = session("s1", zone: "mat", sets: [squats(1, "mat", from: 0, seconds: 20, reps: 8)])
        let both = session("s2", zone: "mat", sets: [squats(1, "rack-1", from: 0, seconds: 20, reps: 8)])
        let none = session("s3", zone: nil, sets: [squats(1, nil, from: 0, seconds: 20, reps: 8)])
        try write([mat, both, none], to: fixture.writer(store))
        let query = store.query
        func ids(_ zone: String) throws -> [String] { try query.sessions(HistoryFilter(zone: zone)).map(\.id).sorted() }
        #expect(try ids("mat") == ["s1", "s2"] && ids("rack-1") == ["s2"] && ids("bench") == [])
        var sets: [String] = []
        try query.sets(HistoryFilter(zone: "rack-1")) { sets.append($0.session) }
        #expect(sets == ["s2"])
        #expect(try query.days(HistoryFilter(zone: "rack-1")).count == 1)
        #expect(try query.days(HistoryFilter(zone: "bench")).isEmpty)
        #expect(try query.zones(HistoryFilter(zone: "mat")).map(\.sets) == [1])
        #expect(try query.zones(HistoryFilter(until: Fixture.noon - 86_400)).isEmpty)
    }

    @Test func `a set that grows or is placed anew is counted once`() throws {
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        for (zone, seconds, reps) in [("mat", 10.0, 3), ("mat", 20, 6), ("rack-1", 40, 9)] {
            try write(
                [
                    session(
                        "s1", zone: zone, sets: [squats(1, zone, from: 0, seconds: seconds, reps: reps)], reason: nil)
                ],
                to: writer)
        }
        #expect(
            try store.query.day("2026-11-21", camera: "rack1").zones
                == ["rack-1": DayRow.ZoneUse(sets: 1, reps: 9, seconds: 40)])
        #expect(try store.query.zones().map(\.zone) == ["rack-1"])
    }

    @Test func `an export carries the zones into another history`() throws {
        let store = try fixture.open()
        try write(
            [session("s1", zone: "mat", sets: [squats(1, "mat", from: 0, seconds: 20, reps: 8)])],
            to: fixture.writer(store))
        var rows: [ExportRow] = []
        try store.query.export { rows.append($0) }
        let other = try Fixture()
        let target = try other.open()
        var next = rows[...]
        let report = try target.importing { next.popFirst() }
        #expect(report.added["day_zones"] == 1)
        #expect(try target.query.session("s1") == store.query.session("s1"))
        #expect(try target.query.zones() == store.query.zones())
    }

    @Test func `a history from before zones existed can be read and exported`() throws {
        let store = try fixture.open()
        try write(
            [session("s1", zone: "mat", sets: [squats(1, "mat", from: 0, seconds: 20, reps: 8)])],
            to: fixture.writer(store))
        try store.pool.write { db in
            for sql in [
                "ALTER TABLE session DROP COLUMN zone", "ALTER TABLE session_set DROP COLUMN zone",
                "DROP TABLE day_zone",
            ] { try db.execute(sql: sql) }
        }
        let query = store.query
        #expect(try query.session("s1")?.sets?.count == 1 && query.day("2026-11-21", camera: "rack1").zones == nil)
        #expect(try query.zones().isEmpty && query.sessions(HistoryFilter(zone: "mat")).isEmpty)
        var tables: Set<String> = []
        try query.export { tables.insert($0.table.rawValue) }
        #expect(tables.contains("sets") && !tables.contains("day_zones"))
    }
}
