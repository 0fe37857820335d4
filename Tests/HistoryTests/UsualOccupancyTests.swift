import Foundation
import History
import Records
import Testing

/// How many people are usual at an hour.
@Suite struct UsualOccupancyTests {
    private let t0 = ContinuousClock.now
    private let fixture: Fixture
    private let store: Store
    private let writer: HistoryWriter
    private let calendar: Calendar

    init() throws {
        fixture = try Fixture()
        store = try fixture.open()
        writer = try fixture.writer(store)
        calendar = .gregorian(in: try #require(TimeZone(identifier: "Europe/Berlin")))
    }

    /// Stores the people of the hour of noon, so many weeks ago.
    private func watch(_ people: Int, weeksAgo: Int, quarters: Int = 4, hour: Int = 12, daysAgo: Int = 0) throws {
        let day = try #require(calendar.date(byAdding: .day, value: -7 * weeksAgo - daysAgo, to: Fixture.noon))
        let start = try #require(calendar.date(bySettingHour: hour, minute: 0, second: 0, of: day))
        for quarter in 0..<quarters {
            var sum = OccupancySum()
            (sum.watchedSeconds, sum.personSeconds) = (quarters == 0 ? 0 : 900, 900 * Double(people))
            (sum.most, sum.mostOfAll) = (people, people)
            writer.add(sum, to: OccupancySlot(holding: start + Double(quarter) * 900, camera: "rack1"), now: t0)
        }
    }

    private func usual() throws -> UsualOccupancy? {
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        return try store.query.usual(at: Fixture.noon + 1200, in: calendar.timeZone)
    }

    @Test func `it is the median of the same hour of the same weekday in the weeks before`() throws {
        for (week, people) in [(1, 3), (2, 30), (3, 4)] { try watch(people, weeksAgo: week) }
        // Neither this hour nor another one, nor another day.
        try watch(99, weeksAgo: 0)
        try watch(99, weeksAgo: 1, hour: 13)
        try watch(99, weeksAgo: 1, daysAgo: 1)
        let usual = try #require(try usual())
        #expect(usual.people == 4 && usual.weeks == 3)
    }

    @Test func `eight weeks count, the newest, and weeks that were not watched are passed over`() throws {
        for week in 1...12 { try watch(week <= 9 ? week : 50, weeksAgo: week, quarters: week == 2 ? 0 : 4) }
        let usual = try #require(try usual())
        #expect(usual.people == 5.5 && usual.weeks == 8, "the median of 1, 3, 4, 5, 6, 7, 8, 9")
    }

    @Test func `the hour is that of the wall's clock, also after the clock was changed`() throws {
        // Four and five weeks before 2026-11-21 lie before and after the change of 2026-10-25.
        for week in 1...6 { try watch(7, weeksAgo: week) }
        let usual = try #require(try usual())
        #expect(usual.people == 7 && usual.weeks == 6)
    }

    @Test func `an hour that was hardly watched says nothing`() throws {
        #expect(try usual() == nil)
        var sum = OccupancySum()
        (sum.watchedSeconds, sum.personSeconds) = (600, 600)
        writer.add(sum, to: OccupancySlot(holding: Fixture.noon - 604_800, camera: "rack1"), now: t0)
        #expect(try usual() == nil)
    }
}
