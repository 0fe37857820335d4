import Actions
import Contract
import Foundation
import GRDB
import History
import Records
import Testing

/// How full the floor was, by hour and by weekday and hour, in a real database.
@Suite struct OccupancyTests {
    private let t0 = ContinuousClock.now
    private let fixture: Fixture
    private let store: Store
    private let writer: HistoryWriter
    private let berlin: Calendar

    init() throws {
        fixture = try Fixture()
        store = try fixture.open()
        writer = try fixture.writer(store)
        berlin = .gregorian(in: try #require(TimeZone(identifier: "Europe/Berlin")))
    }

    /// A moment in Berlin: `2026-11-21 18:30`.
    private func moment(_ text: String) throws -> Date {
        try #require(TypedMoment(text).date(in: berlin.timeZone))
    }

    /// Stores that a camera watched for some hours and saw so many people all the time.
    private func watch(
        _ people: Int, from start: Date, hours: Double, camera: String = "rack1", ofAll: Int? = nil,
        zones: [String: (people: Double, waiting: Double)] = [:]
    ) {
        for quarter in 0..<Int(hours * 4) {
            var sum = OccupancySum()
            (sum.watchedSeconds, sum.personSeconds) = (900, 900 * Double(people))
            (sum.most, sum.mostOfAll) = (people, ofAll ?? people)
            for (name, seen) in zones {
                var zone = OccupancySum.Zone()
                (zone.personSeconds, zone.waitingSeconds) = (900 * seen.people, 900 * seen.waiting)
                zone.most = Int(seen.people.rounded(.up))
                sum.zones[name] = zone
            }
            writer.add(sum, to: OccupancySlot(holding: start + Double(quarter) * 900, camera: camera), now: t0)
        }
    }

    private func flush() throws { _ = try writer.flush(now: t0, wall: Fixture.noon) }

    @Test func `the mean is of the time that was watched, and what was not is no quiet time`() throws {
        watch(4, from: try moment("2026-11-21 18:00"), hours: 0.5)
        watch(2, from: try moment("2026-11-21 18:30"), hours: 0.25)
        // The camera is away for a quarter of an hour, and in the next hour altogether.
        watch(0, from: try moment("2026-11-21 20:00"), hours: 1)
        try flush()
        let rows = try store.query.hours().rows
        #expect(rows.count == 24 && rows.map(\.hour) == Array(0..<24))
        #expect(rows[18].people == 3.333 && rows[18].most == 4 && rows[18].watchedSeconds == 2700)
        #expect(rows[19].people == nil && rows[19].most == nil && rows[19].watchedSeconds == 0)
        #expect(rows[20].people == 0 && rows[20].most == 0 && rows[20].watchedSeconds == 3600)
    }

    @Test func `weekdays and hours are those of the node's zone, or of another one`() throws {
        // A Saturday in Berlin; in Kolkata it is 4 h 30 min later, and Sunday from 19:30 on.
        watch(3, from: try moment("2026-11-21 19:00"), hours: 1)
        try flush()
        let own = try store.query.weekdays().rows
        #expect(own.count == 168)
        #expect(own.filter { $0.people != nil }.map { [$0.weekday ?? 0, $0.hour] } == [[6, 19]])
        let kolkata = HistoryFilter(timeZone: TimeZone(identifier: "Asia/Kolkata"))
        let moved = try store.query.weekdays(kolkata).rows.filter { $0.people != nil }
        #expect(moved.map { [$0.weekday ?? 0, $0.hour] } == [[6, 23], [7, 0]])
        #expect(moved.map(\.watchedSeconds) == [1800, 1800] && moved.map(\.people) == [3, 3])
    }

    @Test func `a day of 25 hours has its repeated hour twice, and a day of 23 hours lacks one`() throws {
        // 2026-10-25 and 2027-03-28 are Sundays.
        for day in ["2026-10-25", "2027-03-28"] {
            let start = try #require(berlin.date(ofDay: day))
            let hours = berlin.endOfDay(start).timeIntervalSince(start) / 3600
            #expect(hours == (day == "2026-10-25" ? 25 : 23))
            watch(2, from: start, hours: hours)
        }
        try flush()
        let both = try store.query.hours().rows
        #expect(both.map(\.watchedSeconds) == (0..<24).map { _ in 7200 }, "of 2:00 one day has two and the other none")
        let autumn = try store.query.hours(HistoryFilter(until: moment("2026-11-01"))).rows
        #expect(autumn.map(\.watchedSeconds) == (0..<24).map { $0 == 2 ? 7200 : 3600 })
        let spring = try store.query.weekdays(HistoryFilter(since: moment("2027-03-01"))).rows.suffix(24)
        #expect(spring.map(\.watchedSeconds) == (0..<24).map { $0 == 2 ? 0 : 3600 })
        #expect(spring.map(\.people) == (0..<24).map { $0 == 2 ? nil : 2 })
        #expect(spring.allSatisfy { $0.weekday == 7 })
    }

    @Test func `a quarter of an hour lies in the span if it began in it`() throws {
        watch(4, from: try moment("2026-11-21 18:00"), hours: 1)
        try flush()
        let filter = HistoryFilter(since: try moment("2026-11-21 18:10"), until: try moment("2026-11-21 18:40"))
        #expect(try store.query.hours(filter).rows[18].watchedSeconds == 1800)
    }

    @Test func `people of several cameras add up, and one that was away counts as it does otherwise`() throws {
        let start = try moment("2026-11-16 18:00")
        for week in 0..<2 {
            watch(2, from: start + Double(week) * 604_800, hours: 1, camera: "a", ofAll: 5)
        }
        // The other one is away in the second week.
        watch(3, from: start, hours: 1, camera: "b", ofAll: 5)
        writer.enqueue(.gone(camera: "b", at: start + 604_800 - 60, reason: "unplugged"), now: t0)
        writer.enqueue(.present(camera: "b", at: start + 604_800 + 3600), now: t0)
        try flush()
        let row = try store.query.hours().rows[18]
        #expect(row.people == 5 && row.most == 5 && row.watchedSeconds == 7200)
        let own = try store.query.hours(HistoryFilter(camera: "b")).rows[18]
        #expect(own.people == 3 && own.most == 3 && own.watchedSeconds == 3600)
        // One that no longer exists is not away: it counts for the time in which it watched.
        try store.pool.write { try $0.execute(sql: "DELETE FROM camera_absence") }
        #expect(try store.query.hours().rows[18].people == 3.5)
    }

    @Test func `a zone has its own people, and hours in which nobody was in it`() throws {
        let start = try moment("2026-11-21 18:00")
        watch(4, from: start, hours: 1, zones: ["mat": (1.5, 0)])
        watch(4, from: start + 3600, hours: 1)
        watch(9, from: start, hours: 2, camera: "other", ofAll: 13)
        try flush()
        let rows = try store.query.hours(HistoryFilter(zone: "mat")).rows
        #expect(rows[18].people == 1.5 && rows[18].most == 2 && rows[19].people == 0 && rows[19].watchedSeconds == 3600)
    }

    @Test func `sessions count in the hour in which they began, also over midnight, until they are deleted`() throws {
        let late = try moment("2026-11-20 23:50")
        watch(1, from: late, hours: 0.5)
        let ids = ["s1", "s2"].map { _ in UUIDv7.string(at: late) }
        writer.enqueue(Fixture.session(ids[0], start: late, end: late + 1800, reason: .idle), now: t0)
        writer.enqueue(Fixture.session(ids[1], start: late + 60, end: late + 90, reason: .idle), now: t0)
        try flush()
        func begun() throws -> [[Int]] {
            try store.query.weekdays().rows.filter { $0.sessions > 0 }.map { [$0.weekday ?? 0, $0.hour, $0.sessions] }
        }
        #expect(try begun() == [[5, 23, 2]], "Friday, not Saturday")
        #expect(try store.deleteSession(ids[1], wall: Fixture.noon) == .deleted)
        #expect(try begun() == [[5, 23, 1]])
        // How many people there were names nobody, and stays like the totals of days.
        #expect(try store.query.hours().rows[0].people == 1)
    }

    @Test func `two sessions that became one count once`() throws {
        let start = try moment("2026-11-21 12:00")
        let (kept, absorbed) = (UUIDv7.string(at: start), UUIDv7.string(at: start + 40))
        writer.enqueue(Fixture.session(kept, start: start, reason: .left), now: t0)
        writer.enqueue(Fixture.session(absorbed, start: start + 40), now: t0)
        try flush()
        #expect(try store.query.hours().rows[12].sessions == 2)
        let whole = Fixture.session(kept, start: start, end: start + 70)
        writer.enqueue(.merged(whole, absorbed: AbsorbedSession(id: absorbed, setOffset: 1)), now: t0)
        try flush()
        #expect(try store.query.hours().rows[12].sessions == 1)
    }

    @Test func `what the answer leaves out is told`() throws {
        let start = try moment("2026-11-21 12:00")
        writer.enqueue(Fixture.session(UUIDv7.string(at: start), start: start - 86_400, reason: .idle), now: t0)
        try flush()
        #expect(try store.query.hours().first == nil && !store.query.hours().isEmpty)
        #expect(try store.query.hours(HistoryFilter(since: start)).isEmpty)
        watch(1, from: start, hours: 1)
        try flush()
        let hours = try store.query.hours()
        #expect(hours.first == Timestamp.text(start) && hours.earlierSessions == 1 && hours.watchedSeconds == 3600)
    }

    @Test func `people of one quarter add up however they come`() throws {
        let slot = OccupancySlot(holding: Fixture.noon, camera: "rack1")
        for people in [1, 3] {
            var sum = OccupancySum()
            (sum.watchedSeconds, sum.personSeconds, sum.most, sum.mostOfAll) = (60, Double(people) * 60, people, people)
            sum.zones["mat"] = OccupancySum.Zone()
            sum.zones["mat"]?.waitingSeconds = 30
            writer.add(sum, to: slot, now: t0)
            writer.add(sum, to: slot, now: t0)
            try flush()
        }
        #expect(
            try store.ask("SELECT watched_seconds || ' ' || person_seconds || ' ' || most FROM occupancy")
                == "240.0 480.0 3")
        #expect(try store.ask("SELECT waiting_seconds FROM occupancy_zone") == "120.0")
    }

    @Test func `frames without people alone wait for the seldom commits`() throws {
        watch(0, from: Fixture.noon, hours: 0.25)
        #expect(try writer.commitIfDue(now: t0 + .seconds(600), wall: Fixture.noon) == nil)
        #expect(try writer.commitIfDue(now: t0 + .seconds(901), wall: Fixture.noon) != nil)
        #expect(try store.ask("SELECT count(*) FROM occupancy") == "1")
    }

    @Test func `an export carries it into another history, once`() throws {
        watch(2, from: Fixture.noon, hours: 2, zones: ["mat": (1, 0.5)])
        try flush()
        var rows: [ExportRow] = []
        try store.query.export { rows.append($0) }
        let target = try Fixture()
        let other = try target.open()
        for added in [8, nil] {
            var next = rows[...]
            let report = try other.importing { next.popFirst() }
            #expect(report.added["occupancy"] == added && report.added["occupancy_zones"] == added)
        }
        #expect(try other.query.weekdays() == store.query.weekdays())
        #expect(try other.query.hours(HistoryFilter(zone: "mat")) == store.query.hours(HistoryFilter(zone: "mat")))
    }

    @Test func `a history from before it was kept answers with its sessions`() throws {
        writer.enqueue(Fixture.session(UUIDv7.string(at: Fixture.noon), reason: .idle), now: t0)
        try flush()
        try store.pool.write { try $0.execute(sql: "DROP TABLE occupancy; DROP TABLE occupancy_zone") }
        let hours = try store.query.hours()
        #expect(hours.first == nil && hours.rows[12].sessions == 1 && hours.rows[12].people == nil)
        #expect(try store.query.usual(at: Fixture.noon, in: berlin.timeZone) == nil)
        #expect(try store.query.zones().isEmpty && store.query.watchedSeconds().isEmpty)
    }

    @Test func `what was dated by a wrong clock moves to its time and adds to what is there`() throws {
        let folder = try Fixture()
        let settings = HistorySettings(timeZone: .gmt, nodeId: "sp-one")
        let wrong = Fixture.noon - 86_400 * 365
        let reading = ClockReading(state: .unsynced, uptimeMs: 100_000, boot: "b1")
        try storeEarly()
        let set = ClockReading(state: .synced, uptimeMs: 160_000, boot: "b1")
        let store = try Store(path: folder.path, settings: settings, wall: Fixture.noon + 60, clock: set)
        let rows = try store.pool.read {
            try Row.fetchAll($0, sql: "SELECT * FROM occupancy ORDER BY start_ms").map { row -> [Double] in
                [Double(row["start_ms"] as Int64) / 1000, row["watched_seconds"], row["person_seconds"], row["most"]]
            }
        }
        let noon = Fixture.noon.timeIntervalSince1970
        #expect(rows == [[noon, 300, 600, 2], [noon + 900, 600, 1500, 3]])
        #expect(try store.ask("SELECT count(*) FROM occupancy_zone WHERE clock = 0") == "2")

        func storeEarly() throws {
            let early = try Store(path: folder.path, settings: settings, wall: wrong, clock: reading)
            let writer = try HistoryWriter(store: early, model: Fixture.model) { reading }
            var sum = OccupancySum()
            (sum.watchedSeconds, sum.personSeconds, sum.most, sum.mostOfAll) = (300, 600, 2, 2)
            sum.zones["mat"] = OccupancySum.Zone()
            writer.add(sum, to: OccupancySlot(holding: wrong, camera: "rack1"), now: t0)
            writer.add(sum, to: OccupancySlot(holding: wrong + 900, camera: "rack1"), now: t0)
            _ = try writer.flush(now: t0, wall: wrong)
            try early.pool.write {
                try $0.execute(
                    sql: "INSERT INTO occupancy VALUES(?, 'rack1', 0, 300, 900, 3, 3)",
                    arguments: [Timestamp.milliseconds(Fixture.noon + 900)])
            }
            try early.close()
        }
    }
}
