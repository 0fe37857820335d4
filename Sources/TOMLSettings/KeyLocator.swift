/// Finds the position of a key in a TOML file, because the parser reports only values.
///
/// Reads line by line: `[table]` and `[[table]]` headers, and `key = value`. For keys inside inline tables and
/// multi-line text it returns the line of the enclosing key, which is near enough for a message.
struct KeyLocator {
    private var places: [String: (line: Int, column: Int)] = [:]

    /// - Parameter text: the contents of a file that parses.
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
                record(table, number, start)
            } else if content.hasPrefix("[") {
                table = content.dropFirst().prefix { $0 != "]" }.trimmed
                record(table, number, start)
            } else if let equals = content.firstIndex(of: "="), !content.hasPrefix("#") {
                let key = content[..<equals].trimmed.replacing("\"", with: "").replacing("'", with: "")
                record(table.isEmpty ? key : table + "." + key, number, start)
            }
        }
    }

    private mutating func record(_ name: String, _ line: Int, _ column: Int) {
        if places[name] == nil { places[name] = (line + 1, column + 1) }
    }

    /// The position of `name`, or of the nearest table around it.
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
