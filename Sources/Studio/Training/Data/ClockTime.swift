/// A time within a recording, as people and programs write it into annotation files.
package enum ClockTime {
    /// What to write instead of a text that is no time.
    static let expected = "write seconds as 63.5, or minutes and seconds as 01:03.5"

    /// The seconds of `8`, `8.5`, `8,5`, `01:03.14` or `1:02:03`; `nil` if a text is no time.
    ///
    /// A comma before three digits could also part thousands, and is none of a time.
    package static func seconds(_ text: String) -> Double? {
        var text = text
        if text.wholeMatch(of: /[^.,]*,(\d{1,2}|\d{4,})/) != nil { text = text.replacing(",", with: ".") }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let last = parts.last, let seconds = number(last) else { return nil }
        guard parts.count > 1 else { return seconds }
        let whole = parts.dropLast().compactMap { $0.allSatisfy(\.isASCII) ? UInt16($0) : nil }
        guard parts.count <= 3, whole.count == parts.count - 1, seconds < 60, last.first?.isNumber == true,
            whole.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        return whole.reduce(0) { $0 * 60 + Double($1) } * 60 + seconds
    }

    private static func number(_ text: Substring) -> Double? {
        guard text.allSatisfy({ "0123456789.-+eE".contains($0) }), let number = Double(text), number.isFinite else {
            return nil
        }
        return number
    }
}
