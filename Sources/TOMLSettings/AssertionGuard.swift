/// Finds text outside texts and comments on which the parser fails an assertion, and with it the process: in a list, a
/// closing brace that no opening brace precedes and a line separator that TOML does not know; in a value, a date with an
/// incomplete time.
struct AssertionGuard {
    private enum Place { case plain, comment, text(quote: Unicode.Scalar, isMultiline: Bool) }

    private var place = Place.plain
    /// The brackets and braces that are open, innermost last.
    private var open: [Unicode.Scalar] = []
    /// The parser looks ahead by this many characters at most.
    private static let lookAhead = 128

    /// The first fault, with its line and column, both from 1; `nil` when there is none.
    static func fault(in text: String) -> (line: Int, column: Int, reason: String)? {
        var check = AssertionGuard()
        var scalars = text.unicodeScalars[...]
        var (line, column) = (1, 1)
        while let scalar = scalars.first {
            guard let length = check.read(scalars) else {
                return (line, column, reason(scalar))
            }
            for read in scalars.prefix(length) { (line, column) = read == "\n" ? (line + 1, 1) : (line, column + 1) }
            scalars = scalars.dropFirst(length)
        }
        return nil
    }

    private static func reason(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "}": "there is a } without its {"
        case "0"..."9": "this date and time is incomplete; write 2026-11-25T07:30:00"
        default: "a line must end in a plain line feed"
        }
    }

    /// Reads what stands at the beginning of `rest`.
    ///
    /// - Returns: the number of characters it consists of; `nil` for a fault.
    private mutating func read(_ rest: Substring.UnicodeScalarView) -> Int? {
        guard let scalar = rest.first else { return 0 }
        switch place {
        case .comment:
            if scalar == "\n" { place = .plain }
            return 1
        case .text(let quote, let isMultiline):
            return readText(rest, quote: quote, isMultiline: isMultiline)
        case .plain:
            switch scalar {
            case "\"", "'":
                let isMultiline = rest.prefix(3).count == 3 && rest.prefix(3).allSatisfy { $0 == scalar }
                place = .text(quote: scalar, isMultiline: isMultiline)
                return isMultiline ? 3 : 1
            case "#": place = .comment
            case "[", "{": open.append(scalar)
            case "]": if open.last == "[" { open.removeLast() }
            case "}":
                guard open.last == "{" else { return nil }
                open.removeLast()
            case "\u{85}", "\u{2028}", "\u{2029}": return nil
            case "0"..."9" where Self.isDateWithPartOfTime(rest.prefix(Self.lookAhead)): return nil
            default: break
            }
            return 1
        }
    }

    /// Whether text begins with a date and goes on as in `2026-11-25T:30` or `2026-11-25 7`. A name without quotation marks
    /// has no colon and no blank before a digit.
    private static func isDateWithPartOfTime(_ rest: Substring.UnicodeScalarView) -> Bool {
        let date = rest.prefix { isDigit($0) || $0 == "-" || $0 == "_" }
        let time = rest[date.endIndex...].dropFirst()
        let digits = time.prefix(while: isDigit).count
        switch rest[date.endIndex...].first {
        case "T", "t": return digits == 0 && date.contains("-") && time.prefix { !endsValue($0) }.contains(":")
        case " ": return digits == 1 && date.contains("-")
        default: return false
        }
    }

    private static func endsValue(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "\t", "\n", ",", "#", "]", "}": true
        default: false
        }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private mutating func readText(
        _ rest: Substring.UnicodeScalarView, quote: Unicode.Scalar, isMultiline: Bool
    ) -> Int {
        if quote == "\"", rest.first == "\\" { return rest.prefix(2).count }
        guard isMultiline else {
            // The parser reports a text that does not end in its line.
            if rest.first == quote || rest.first == "\n" { place = .plain }
            return 1
        }
        // Up to two quotation marks before the closing three belong to the text.
        let quotes = rest.prefix(5).prefix { $0 == quote }.count
        guard quotes >= 3 else { return max(1, quotes) }
        place = .plain
        return quotes
    }
}
