import Records
import Testing

@Suite struct SchemaCheckTests {
    private struct Part: Encodable {
        var label: String
        var reps: Int
    }
    private struct Whole: Encodable {
        var parts: [Part]
        var by: [String: Double]?
        var at: String?
        var unknown = 1
    }

    private let schema = Schema.object([
        ("parts", .required(.list(.object([("label", .required(.word)), ("reps", .required(.tally))])))),
        ("by", .optional(.map(.share))), ("at", .optional(.moment)),
    ])

    private func fault(_ whole: Whole) -> String? {
        do { _ = try schema.json(of: whole) } catch { return "\(error)" }
        return nil
    }

    @Test func `a value that fits is written as one line of JSON`() throws {
        let whole = Whole(parts: [Part(label: "squat", reps: 3)], by: ["a": 0.5], at: "2026-11-21T18:03:22.114Z")
        let text = String(decoding: try schema.json(of: whole), as: UTF8.self)
        #expect(
            text
                == #"{"at":"2026-11-21T18:03:22.114Z","by":{"a":0.5},"parts":[{"label":"squat","reps":3}],"unknown":1}"#
        )
    }

    @Test func `what does not fit is named with its place`() {
        #expect(
            fault(Whole(parts: [Part(label: "a", reps: 1), Part(label: "b", reps: -1)]))
                == "parts[1].reps expects a whole number from 0 to 2147483647")
        #expect(fault(Whole(parts: [Part(label: "", reps: 1)])) == "parts[0].label expects a text: it is empty")
        #expect(fault(Whole(parts: [Part(label: "a\0b", reps: 1)]))?.hasPrefix("parts[0].label") == true)
        #expect(fault(Whole(parts: [], by: ["a": 1.5])) == "by.a expects a number from 0.0 to 1.0")
        let many = [Part](repeating: Part(label: "a", reps: 1), count: Schema.maximumItems + 1)
        #expect(fault(Whole(parts: many)) == "parts expects a list of at most 1000")
    }

    @Test(arguments: [
        "2023-02-29T00:00:00.000Z", "2100-02-29T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "2026-04-31T00:00:00.000Z",
        "2026-00-10T00:00:00.000Z", "2026-01-00T00:00:00.000Z", "2026-01-01T24:00:00.000Z", "2026-01-01T00:60:00.000Z",
        "2026-01-01T00:00:60.000Z", "1999-12-31T23:59:59.999Z", "2101-01-01T00:00:00.000Z", "2026-01-01T00:00:00Z",
        "2026-01-01 00:00:00.000Z", "2026-01-01T00:00:00.000+", "", "２026-01-01T00:00:00.000Z",
        "2026-01-01T00:00+00:0000",
    ]) func `what PostgreSQL would refuse is no moment`(text: String) {
        #expect(!Schema.isMoment(text))
        #expect(fault(Whole(parts: [], at: text))?.hasPrefix("at expects a time") == true)
    }

    @Test(arguments: ["2000-01-01T00:00:00.000Z", "2024-02-29T00:00:00.000Z", "2100-12-31T23:59:59.999Z"])
    func `moments of this century are taken`(text: String) { #expect(Schema.isMoment(text)) }

    @Test(arguments: [("rack-1", true), ("a", true), ("-a", false), ("A", false), ("", false), ("é", false)])
    func `an id is a level of a topic`(text: String, isId: Bool) { #expect(text.isTopicId == isId) }
}
