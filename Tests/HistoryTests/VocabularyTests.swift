import Actions
import Foundation
import History
import Records
import Testing

@Suite struct VocabularyTests {
    /// Seconds since 1970, from `date -ud … +%s`.
    @Test(arguments: [
        (1_795_284_202.114, "2026-11-21T18:03:22.114Z"), (0, "1970-01-01T00:00:00.000Z"),
        (951_782_400, "2000-02-29T00:00:00.000Z"), (4_107_542_400, "2100-03-01T00:00:00.000Z"),
        (-0.001, "1969-12-31T23:59:59.999Z"), (1_795_305_599.9996, "2026-11-22T00:00:00.000Z"),
    ])
    func `moments are written in UTC with milliseconds`(seconds: Double, text: String) {
        #expect(Timestamp.text(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test func `a day ends at the zone's midnight, however long it was`() throws {
        var calendar = DayCalendar(timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
        let autumn = try Date("2026-10-24T22:00:00Z", strategy: .iso8601)
        #expect(calendar.nextMidnight(after: autumn)?.timeIntervalSince(autumn) == 90_000.0)
        #expect(calendar.day(of: autumn) == "2026-10-25")
        #expect(calendar.day(of: autumn.addingTimeInterval(-1)) == "2026-10-24", "the clock may also go back")
    }

    @Test func `numbers JSON cannot hold become 0 when rounded`() {
        #expect(Double.nan.rounded(decimals: 2) == 0 && Double.infinity.rounded(decimals: 2) == 0)
        #expect((2.0 / 3).rounded(decimals: 3) == 0.667)
    }
}
