import Foundation
import History
import Testing

@Suite struct VocabularyTests {
    /// Seconds since 1970 by `date -ud … +%s`.
    @Test(arguments: [
        (1_795_284_202.114, "2026-11-21T18:03:22.114Z"), (0, "1970-01-01T00:00:00.000Z"),
        (951_782_400, "2000-02-29T00:00:00.000Z"), (4_107_542_400, "2100-03-01T00:00:00.000Z"),
        (-0.001, "1969-12-31T23:59:59.999Z"), (1_795_305_599.9996, "2026-11-22T00:00:00.000Z"),
    ])
    func `moments are written in UTC with milliseconds`(seconds: Double, text: String) {
        #expect(Timestamp.text(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test func `identifiers sort by their time and never repeat`() {
        let ids = (0..<200).map { UUIDv7.make(at: Date(timeIntervalSince1970: 1_795_000_000 + Double($0))) }
        #expect(ids == ids.sorted() && Set(ids).count == 200)
        #expect(Set((0..<1000).map { _ in UUIDv7.make(at: .distantPast) }).count == 1000)
    }

    /// FIPS 180-4 example vectors, and one message of two blocks' length by `sha256sum`.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `digests are SHA-256`(message: String, digest: String) {
        #expect(SHA256.hex(of: message.utf8) == digest)
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
