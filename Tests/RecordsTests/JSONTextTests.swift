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
}
