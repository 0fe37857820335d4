import Foundation

/// The text of TOML files.
package enum TOMLText {
    /// Names joined by more dots than this are refused: each is a table in a table, and the parser's stack is limited.
    private static let maximumDepth = 1000

    /// Reads a file.
    ///
    /// - Throws: ``TOMLValue/Fault``, with its place.
    static func parse(_ text: String) throws(TOMLValue.Fault) -> TOMLValue {
        if let place = deepName(in: text) {
            throw TOMLValue.Fault(place: place, reason: "more than \(maximumDepth) names are joined by dots")
        }
        do {
            return try TOMLValue.read(text)
        } catch {
            guard error.place == nil else { throw error }
            throw TOMLValue.Fault(place: placeOfFault(in: text), reason: error.reason)
        }
    }

    /// Where a fault is whose place the parser does not know: at the end of the shortest beginning of the file that has
    /// such a fault.
    private static func placeOfFault(in text: String) -> TOMLValue.Place {
        let scalars = Array(text.unicodeScalars)
        func hasFault(_ count: Int) -> Bool {
            var beginning = String.UnicodeScalarView()
            beginning.append(contentsOf: scalars.prefix(count))
            do { _ = try TOMLValue.read(String(beginning)) } catch { return error.place == nil }
            return false
        }
        var (without, with) = (0, scalars.count)
        while with - without > 1 {
            let middle = (without + with) / 2
            if hasFault(middle) { with = middle } else { without = middle }
        }
        let lines = scalars.prefix(without).split(separator: "\n", omittingEmptySubsequences: false)
        return (max(1, lines.count), (lines.last?.count ?? 0) + 1)
    }

    /// Where names are joined by too many dots; `nil` when they are not. Dots in texts count as well: telling them apart
    /// takes the whole grammar.
    private static func deepName(in text: String) -> TOMLValue.Place? {
        var (line, column, depth) = (1, 0, 0)
        for scalar in text.unicodeScalars {
            column += 1
            switch scalar {
            case "\n": (line, column, depth) = (line + 1, 0, 0)
            case ",", "[", "]", "{", "}", "=", "#": depth = 0
            case ".":
                depth += 1
                if depth > maximumDepth { return (line, column) }
            default: break
            }
        }
        return nil
    }

    /// A table in one line, `{ a = 1, b = 2 }`, in the order of the keys.
    ///
    /// - Parameter values: as they stand in a file.
    package static func inlineTable(_ values: [String: String]) -> String {
        let pairs = values.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
        return pairs.isEmpty ? "{}" : "{ \(pairs.joined(separator: ", ")) }"
    }

    /// A text in quotation marks, as it stands in a file.
    static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: String(format: "\\u%04X", scalar.value)
            default: String(scalar)
            }
        }
        return "\"\(scalars.joined())\""
    }
}
