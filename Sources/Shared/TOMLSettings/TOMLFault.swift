/// Says in plain words why a line is not TOML. The parser's own words are for people who know its grammar.
enum TOMLFault {
    /// - Parameters:
    ///   - reason: the parser's words.
    ///   - line: the line at which it stopped.
    static func plain(_ reason: String, line: String) -> String {
        if reason.contains("after '\\r'") {
            return "the lines end with CR alone, which is no line end in TOML: save the file with LF or CRLF"
        }
        let value = line.split(separator: "=", maxSplits: 1).dropFirst().first.map { trimmed($0) } ?? ""
        if line.contains(where: { "“”„‘’«»".contains($0) }) {
            return "the line has curly quotes: write straight ones, \" or '"
        }
        if reason.contains("control characters") { return "the line has a text without its closing quote" }
        if reason.contains("expected '='") {
            return "the line is a key without a value: join them by =, as in host = \"hub.local\""
        }
        if reason.contains("cannot redefine"), let name = quoted(reason) { return redefined(name, reason) }
        if reason.contains("table header") { return header(reason) }
        if reason.contains("leading zeroes") { return "the line has a number that begins with 0: leave the zeros away" }
        if line.contains("\\"), reason.contains("escape") || reason.contains("unicode scalar") {
            return "the line has a backslash in double quotes: write \\\\, or put the text into single quotes"
        }
        if reason.contains("comment or whitespace") {
            return "the line goes on behind its value: put a text into quotes, a note behind #"
        }
        if isUnquoted(value) { return unquoted(value) }
        guard reason.hasPrefix("Error while parsing"), let colon = reason.firstIndex(of: ":") else { return reason }
        return "the line is no TOML:" + reason[reason.index(after: colon)...]
    }

    /// Why the line of a table is none.
    private static func header(_ reason: String) -> String {
        if reason.contains("blank bare keys") { return "the line is a table without a name: write one, as in [mqtt]" }
        if reason.contains("comment or whitespace"), !reason.hasSuffix("saw ']'") {
            return "the line goes on behind its table: write its keys into lines of their own, a note behind #"
        }
        return "the line is no table: its name ends as it begins, as in [mqtt] or [[camera]]"
    }

    /// What is there already under a name that is set again.
    private static func redefined(_ name: String, _ reason: String) -> String {
        guard reason.contains("table header") else { return "the line sets '\(name)' a second time" }
        if reason.hasSuffix("as array-of-tables") || reason.contains("existing array '") {
            return "the line names '\(name)', which is there with other brackets or a value: write all of one kind"
        }
        return reason.hasSuffix("as table")
            ? "the line names the table [\(name)], but '\(name)' has a value already: leave one of them away"
            : "the line names the table [\(name)] a second time: put its keys under the first one, or give both double "
                + "brackets where there may be several, as in [[camera]]"
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop(while: \.isWhitespace).prefix { !"#\n".contains($0) })
    }

    /// Whether a value is neither a text in quotes, nor a list, nor a table.
    private static func isUnquoted(_ value: String) -> Bool {
        guard let first = value.first else { return false }
        return !"\"'[{".contains(first)
    }

    private static func unquoted(_ value: String) -> String {
        let word = String(value.reversed().drop(while: \.isWhitespace).reversed())
        switch word.lowercased() {
        case "true", "yes", "on": return "the line expects true, in small letters, instead of \(word)"
        case "false", "no", "off": return "the line expects false, in small letters, instead of \(word)"
        default: return "the line has a value that is no number: put a text into quotes, as in \"\(word.prefix(40))\""
        }
    }

    private static func quoted(_ reason: String) -> String? {
        let parts = reason.split(separator: "'", omittingEmptySubsequences: false)
        return parts.count > 2 ? String(parts[1]) : nil
    }
}
