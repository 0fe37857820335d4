import Foundation
import History
import Testing

struct TypedMomentTests {
    private let zone: TimeZone
    /// 2026-11-24 10:00 in Berlin.
    private let now = Date(timeIntervalSince1970: 1_795_510_800)

    init() throws { zone = try #require(TimeZone(identifier: "Europe/Berlin")) }

    @Test(arguments: [
        ("today", 1_795_474_800), ("yesterday", 1_795_388_400), ("2026-11-24", 1_795_474_800),
        ("14:30", 1_795_527_000), ("2026-11-23 14:30", 1_795_440_600), ("2026-11-23T14:30:05", 1_795_440_605),
        ("30m", 1_795_509_000), ("12h", 1_795_467_600), ("2 days", 1_795_338_000), ("1 day ago", 1_795_424_400),
        ("1w", 1_794_906_000), ("1M", 1_792_881_000), ("1 Month", 1_792_881_000), ("1y", 1_763_953_200),
    ])
    func `words, days, times and spans are moments`(_ text: String, _ seconds: Double) {
        #expect(TypedMoment(text).date(in: zone, now: now)?.timeIntervalSince1970 == seconds, "\(text)")
    }

    @Test func `a day can stand for its end`() {
        #expect(TypedMoment("today").date(in: zone, endOfDay: true, now: now)?.timeIntervalSince1970 == 1_795_561_200)
        // A time is no day.
        #expect(TypedMoment("14:30").date(in: zone, endOfDay: true, now: now)?.timeIntervalSince1970 == 1_795_527_000)
    }

    @Test func `a day without a midnight ends where the next begins`() throws {
        let cairo = try #require(TimeZone(identifier: "Africa/Cairo"))
        // On 24 April 2026 the clock goes from 00:00 to 01:00.
        let end = TypedMoment("2026-04-24").date(in: cairo, endOfDay: true)
        #expect(end == TypedMoment("2026-04-25").date(in: cairo))
        let now = try #require(TypedMoment("2026-04-25 00:30").date(in: cairo))
        #expect(TypedMoment("yesterday").date(in: cairo, now: now) == TypedMoment("2026-04-24").date(in: cairo))
        #expect(TypedMoment("yesterday").date(in: cairo, endOfDay: true, now: now) == end)
    }

    @Test(arguments: ["", "7", "7x", "25:00", "12:60", "2026-02-30", "tomorrow", "-7d", "7 d ays", "2026-11-24 25:00"])
    func `anything else is refused`(_ text: String) {
        #expect(TypedMoment(text).date(in: zone, now: now) == nil)
    }
}

struct TypedIdTests {
    private let ids = [
        "019aa0d1-22b0-7f3e-8d51-0c1f6e2b7a90", "019aa0d1-22b1-7f3e-8d51-aaaaaaaaaaaa",
        "019aa0d1-3333-7f3e-8d51-bbbbbbbb7a90",
    ]

    @Test(arguments: ["6e2b7a90", "6e2b", "6e2b7a9", "019aa0d1-22b0", "019AA0D1-22B0-7F3E-8D51-0C1F6E2B7A90"])
    func `a part is enough`(_ text: String) throws {
        #expect(try TypedId(text).find(among: ids) == ids[0])
    }

    @Test func `a part of several is refused, and names them`() {
        let error = #expect(throws: AmbiguousId.self) { try TypedId("7a90").find(among: ids) }
        #expect(error?.description.contains(ids[0]) == true && error?.description.contains(ids[2]) == true)
    }

    @Test(arguments: ["", "a90", "ffff", "8d51"])
    func `a short part and the middle are none`(_ text: String) throws {
        #expect(try TypedId(text).find(among: ids) == nil)
    }
}
