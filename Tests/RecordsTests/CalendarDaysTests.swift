import Foundation
import Records
import Testing

struct CalendarDaysTests {
    @Test func `a day begins at midnight of its zone`() throws {
        let auckland = try #require(TimeZone(identifier: "Pacific/Auckland"))
        let calendar = Calendar.gregorian(in: auckland)
        let moment = Date(timeIntervalSince1970: 1_795_478_400)
        #expect(calendar.dayText(of: moment) == "2026-11-24")
        #expect(Calendar.gregorian(in: .gmt).dayText(of: moment) == "2026-11-24")
        let first = try #require(calendar.date(ofDay: "2026-11-24"))
        #expect(calendar.dayText(of: first) == "2026-11-24")
        #expect(calendar.dayText(of: first - 1) == "2026-11-23")
    }

    @Test(arguments: ["2026-02-29", "2026-13-01", "2026-00-10", "26-01-01", "2026-1-1", "2026-11-24 ", "", "a-b-c"])
    func `what is no day is refused`(_ text: String) {
        #expect(Calendar.gregorian(in: .gmt).date(ofDay: text) == nil)
    }

    @Test func `a day without midnight begins later`() throws {
        // Summer time begins at midnight there.
        let santiago = try #require(TimeZone(identifier: "America/Santiago"))
        let calendar = Calendar.gregorian(in: santiago)
        let day = try #require(calendar.date(ofDay: "2026-09-06"))
        #expect(calendar.dayText(of: day) == "2026-09-06")
    }
}
