/// Finds where a key stands in a TOML file, since the parser tells only values.
///
/// Reads line by line: `[table]` and `[[table]]` headers, and `key = value`. Keys inside inline tables and multi-line
/// text are found only by their line's first key, which is near enough for a message.
struct KeyLocator {
    private var places: [String: (line: Int, column: Int)] = [:]

    /// - Parameter text: a file that parses.
    init(_ text: String) {
        var table = ""
        var blocks: [String: Int] = [:]
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let start = line.prefix { $0 == " " || $0 == "\t" }.count
            let content = line.dropFirst(start)
            if content.hasPrefix("[[") {
                let name = content.dropFirst(2).prefix { $0 != "]" }.trimmed
                table = "\(name)[\(blocks[name, default: 0])]"
                blocks[name, default: 0] += 1
                note(table, number, start)
            } else if content.hasPrefix("[") {
                table = content.dropFirst().prefix { $0 != "]" }.trimmed
                note(table, number, start)
            } else if let equals = content.firstIndex(of: "="), !content.hasPrefix("#") {
                let key = content[..<equals].trimmed.replacing("\"", with: "").replacing("'", with: "")
                note(table.isEmpty ? key : table + "." + key, number, start)
            }
        }
    }

    private mutating func note(_ name: String, _ line: Int, _ column: Int) {
        if places[name] == nil { places[name] = (line + 1, column + 1) }
    }

    /// The place of `name`, or of the nearest table around it.
    func place(of name: String, in path: String) -> ConfigurationError.Place {
        var name = Substring(name)
        while true {
            if let place = places[String(name)] { return .init(path: path, line: place.line, column: place.column) }
            guard let dot = name.lastIndex(of: ".") else { return .init(path: path, line: 1, column: 1) }
            name = name[..<dot]
        }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
