/// Finds a closing brace that no opening brace precedes, and a line separator that TOML does not know. In a list the
/// parser would fail an assertion on either.
struct BraceCheck {
    private enum Place { case plain, comment, text(quote: Unicode.Scalar, isMultiline: Bool) }

    private var place = Place.plain
    /// The brackets and braces that are open, innermost last.
    private var open: [Unicode.Scalar] = []

    /// The first fault, with its line and column, both from 1; `nil` when there is none.
    static func fault(in text: String) -> (line: Int, column: Int, reason: String)? {
        var check = BraceCheck()
        var scalars = text.unicodeScalars[...]
        var (line, column) = (1, 1)
        while let scalar = scalars.first {
            guard let length = check.read(scalars) else {
                let reason = scalar == "}" ? "there is a } without its {" : "a line must end in a plain line feed"
                return (line, column, reason)
            }
            for read in scalars.prefix(length) { (line, column) = read == "\n" ? (line + 1, 1) : (line, column + 1) }
            scalars = scalars.dropFirst(length)
        }
        return nil
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
            default: break
            }
            return 1
        }
    }

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
