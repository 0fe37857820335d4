import Foundation
import Records
import Testing

@Suite struct TimestampTests {
    /// Moments of all kinds, and what Foundation makes of them.
    @Test(
        arguments: [
            0, -1, 1, 999, 1_795_284_202_114, 951_782_400_000, 951_868_799_999, 4_107_542_400_000,
            253_402_300_799_999, -86_400_001, 1_709_164_800_000, 1_709_251_199_999,
        ] as [Int64])
    func `a moment is written and read as Foundation does it`(milliseconds: Int64) throws {
        let text = Timestamp.text(milliseconds: milliseconds)
        #expect(Timestamp.milliseconds(text: text) == milliseconds)
        let known = try Date(text, strategy: .iso8601)
        #expect(Timestamp.milliseconds(known) == milliseconds)
    }

    @Test(arguments: [
        "2026-11-21T18:03:22Z", "2026-11-21T18:03:22.5Z", "2026-11-21T19:03:22.114+01:00", "2026-02-30T00:00:00.000Z",
        "2026-11-31T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "2026-11-21T24:00:00.000Z", "2026-11-21T18:03:22.1x4Z",
        "2026-11-21 18:03:22.114Z", "", "yesterday!!!!!!!!!!!!!!!!!",
    ])
    func `every other form is left to Foundation`(text: String) {
        let known =
            (try? Date(text, strategy: .iso8601.time(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: .iso8601))
        #expect(Timestamp.date(text: text) == known)
        #expect(Timestamp.milliseconds(text: text) == known.map(Timestamp.milliseconds))
    }

    @Test func `a moment beyond the year 9999 has a text`() {
        #expect(Timestamp.text(milliseconds: 253_402_300_800_000) == "10000-01-01T00:00:00.000Z")
    }
}
