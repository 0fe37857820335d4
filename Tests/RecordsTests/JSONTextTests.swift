import Foundation
import Records
import Testing

@Suite struct JSONTextTests {
    private struct Part: Codable, Equatable {
        var label = "squat"
        var count: Int8 = -3
        var large = UInt64.max
        var share: Float = 0.1
        var missing: Int?
        var flag = true
    }

    private struct Whole: Codable, Equatable {
        var text = "é\"\\/\u{1}\u{1F}\n\t\r\u{8}\u{C}\u{7F}\u{1F3CB}"
        var numbers = [1.0, 30, 0.1, 1e15, 9e15, 1e20, 1.5e300, -2.25, 1e-7, -0.0]
        var parts = [Part(), Part()]
        var byName = ["b": Part(), "a": Part()]
        var time = Date(timeIntervalSince1970: 1.25)
        var place = URL(string: "http://127.0.0.1/a")
        var bytes = Data([1, 2, 255])
        var none: [Int?] = [nil, 1]
    }

    /// Two values in one object, as rows of the history encode themselves.
    private struct Joined: Encodable {
        enum CodingKeys: String, CodingKey { case id }

        func encode(to encoder: any Encoder) throws {
            try Part().encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode("x", forKey: .id)
        }
    }

    private func foundation(_ value: some Encodable, indented: Bool) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if indented { encoder.outputFormatting.insert(.prettyPrinted) }
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Timestamp.text(date))
        }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test(arguments: [false, true]) func `JSON is that of Foundation`(indented: Bool) throws {
        #expect(try JSONText.encode(Whole(), isIndented: indented) == foundation(Whole(), indented: indented))
        #expect(try JSONText.encode([Joined()], isIndented: indented) == foundation([Joined()], indented: indented))
        #expect(try JSONText.encode("a", isIndented: indented) == "\"a\"")
        let value: JSONValue = ["a": [1, .number(2.5), .null, .bool(false)], "b": .object([:])]
        let text = try JSONText.encode(value, isIndented: indented)
        #expect(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) == value)
    }

    @Test func `an empty list is as short as possible`() throws {
        #expect(try JSONText.encode([[Int]](), isIndented: true) == "[]")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a number that JSON cannot hold is an error`(number: Double) {
        #expect(throws: EncodingError.self) { try JSONText.encode([number]) }
        #expect(throws: EncodingError.self) { try JSONText.encode(["a": Float(number)]) }
    }

    @Test func `times are written in a zone, and nothing else is changed`() throws {
        let zone = try #require(TimeZone(identifier: "America/New_York"))
        let values = [
            "2026-07-01T00:00:00.125Z", "2026-01-01T04:59:00.000Z", "2026-01-01", "2026-13-01T00:00:00.125Z",
            "abcdefghijTklmnopqrstuvZ",
        ]
        let expected = [
            "2026-06-30T20:00:00.125-04:00", "2025-12-31T23:59:00.000-05:00", "2026-01-01", "2026-13-01T00:00:00.125Z",
            "abcdefghijTklmnopqrstuvZ",
        ]
        #expect(try JSONText.encode(values, zone: zone) == JSONText.encode(expected))
        #expect(try JSONText.encode(Whole().time, zone: zone) == "\"1969-12-31T19:00:01.250-05:00\"")
    }
}
