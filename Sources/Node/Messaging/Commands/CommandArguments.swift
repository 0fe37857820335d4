import Records

/// The arguments of one command, read by name and type.
struct CommandArguments {
    private let fields: [String: JSONValue]

    init(_ fields: [String: JSONValue]) { self.fields = fields }

    func text(_ name: String, atMost bytes: Int = TextLimit.word.bytes) throws(CommandError) -> String {
        guard let text = fields[name]?.text, !text.isEmpty, text.utf8.count <= bytes else {
            throw CommandError(.invalidArguments, "\(name) must be a text of 1 to \(bytes) bytes")
        }
        return text
    }

    /// A text; `nil` when the argument is absent.
    func optionalText(_ name: String, atMost bytes: Int = TextLimit.word.bytes) throws(CommandError) -> String? {
        if fields[name] == nil || fields[name] == .null { return nil }
        return try text(name, atMost: bytes)
    }

    func choice(_ name: String, _ words: [String]) throws(CommandError) -> String {
        guard let word = fields[name]?.text, words.contains(word) else {
            throw CommandError(.invalidArguments, "\(name) must be one of: \(words.joined(separator: ", "))")
        }
        return word
    }

    func flag(_ name: String) throws(CommandError) -> Bool {
        guard let flag = fields[name]?.bool else {
            throw CommandError(.invalidArguments, "\(name) must be true or false")
        }
        return flag
    }

    /// Whether something is so; `nil` when the argument is absent.
    func optionalFlag(_ name: String) throws(CommandError) -> Bool? {
        if fields[name] == nil || fields[name] == .null { return nil }
        return try flag(name)
    }

    /// A number; `nil` when the argument is absent.
    func optionalDecimal(_ name: String) throws(CommandError) -> Double? {
        if fields[name] == nil || fields[name] == .null { return nil }
        guard let number = fields[name]?.number else {
            throw CommandError(.invalidArguments, "\(name) must be a number")
        }
        return number
    }

    /// A whole number; `nil` when the argument is absent.
    func optionalNumber(_ name: String, _ range: ClosedRange<Int64>) throws(CommandError) -> Int64? {
        if fields[name] == nil || fields[name] == .null { return nil }
        return try number(name, range)
    }

    /// - Parameter usual: the value of an absent argument; `nil` makes the argument mandatory.
    func number(
        _ name: String, _ range: ClosedRange<Int64>, default usual: Int64? = nil
    ) throws(CommandError) -> Int64 {
        if let usual, fields[name] == nil || fields[name] == .null { return usual }
        guard let number = fields[name]?.integer, range.contains(number) else {
            throw CommandError(
                .invalidArguments, "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
