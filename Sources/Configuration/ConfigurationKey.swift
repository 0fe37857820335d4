import Records

/// One setting: its name in `config.toml`, and how its value is read and written.
struct ConfigurationKey<Root>: Sendable {
    /// The dotted name, such as `mqtt.host`.
    let name: String
    /// Stores a value in the configuration.
    ///
    /// - Throws: ``Refusal`` that says what was expected.
    let set: @Sendable (inout Root, ConfigurationValue) throws -> Void
    /// The current value, written as in the file.
    let text: @Sendable (Root) -> String
    /// The allowed values as JSON Schema, without the default.
    let schema: [String: JSONValue]

    /// Why a value is refused.
    struct Refusal: Error { let reason: String }

    /// The environment variable that overrides the key, such as `SPOTTER_MQTT_HOST`.
    var variable: String { "SPOTTER_" + name.uppercased().replacing(".", with: "_") }

    typealias Path<Value> = WritableKeyPath<Root, Value> & Sendable

    static func text(
        _ name: String, _ path: any Path<String>, _ rule: TextRule = .anything
    ) -> Self {
        Self(
            name: name,
            set: { root, value in
                guard case .text(let text) = value else { throw Refusal(reason: "expects text in quotes") }
                if let reason = rule.check(text) { throw Refusal(reason: reason) }
                root[keyPath: path] = text
            }, text: { "\"\($0[keyPath: path])\"" }, schema: rule.schema)
    }

    /// A list of words: `["a", "b"]` in the file, `a,b` in the environment.
    static func words(
        _ name: String, _ path: any Path<[String]>, _ rule: TextRule
    ) -> Self {
        Self(
            name: name,
            set: { root, value in
                guard let words = value.words else { throw Refusal(reason: "expects a list such as [\"a\", \"b\"]") }
                for word in words {
                    if let reason = rule.check(word) {
                        throw Refusal(reason: "has \"\(word)\" in it, which \(reason)")
                    }
                }
                guard Set(words).count == words.count else { throw Refusal(reason: "names something twice") }
                root[keyPath: path] = words
            }, text: { "[" + $0[keyPath: path].map { "\"\($0)\"" }.joined(separator: ", ") + "]" },
            schema: ["type": "array", "items": .object(rule.schema), "uniqueItems": true])
    }

    static func flag(_ name: String, _ path: any Path<Bool>) -> Self {
        Self(
            name: name,
            set: { root, value in
                switch value {
                case .flag(let flag): root[keyPath: path] = flag
                case .text("true"), .text("1"): root[keyPath: path] = true
                case .text("false"), .text("0"): root[keyPath: path] = false
                default: throw Refusal(reason: "expects true or false")
                }
            }, text: { String($0[keyPath: path]) }, schema: ["type": "boolean"])
    }

    static func integer(
        _ name: String, _ path: any Path<Int>, _ range: ClosedRange<Int>,
        _ check: @escaping @Sendable (Int) -> String? = { _ in nil }
    ) -> Self {
        Self(
            name: name,
            set: { root, value in
                guard let number = value.integer, range.contains(number) else {
                    throw Refusal(reason: "expects a whole number from \(range.lowerBound) to \(range.upperBound)")
                }
                if let reason = check(number) { throw Refusal(reason: reason) }
                root[keyPath: path] = number
            }, text: { String($0[keyPath: path]) },
            schema: [
                "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
                "maximum": .integer(Int64(range.upperBound)),
            ])
    }

    static func number(_ name: String, _ path: any Path<Double>, _ range: ClosedRange<Double>) -> Self {
        Self(
            name: name,
            set: { root, value in
                guard let number = value.number, range.contains(number) else {
                    throw Refusal(reason: "expects a number from \(range.lowerBound) to \(range.upperBound)")
                }
                root[keyPath: path] = number
            }, text: { String($0[keyPath: path]) },
            schema: ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)])
    }
}

/// A value as read from TOML or from the environment.
enum ConfigurationValue: Equatable {
    case text(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)
    case words([String])
    /// A table of whole numbers; flags in it are 0 and 1.
    case numbers([String: Int])
    /// Lists of numbers, such as the corners of an area.
    case points([[Double]])
    /// Any type that no setting has, such as a date or a mixed list.
    case other

    /// Converts text too, because every value from the environment is text.
    var integer: Int? {
        switch self {
        case .integer(let value): value
        case .text(let text): Int(text)
        default: nil
        }
    }

    var words: [String]? {
        switch self {
        case .words(let words): words
        case .text(let text): text.split(separator: ",").map { String($0.filter { $0 != " " }) }
        default: nil
        }
    }

    /// Reads `a=1,b=0` too, as the environment has it.
    var numbers: [String: Int]? {
        switch self {
        case .numbers(let numbers): return numbers
        case .text(let text):
            var numbers: [String: Int] = [:]
            for part in text.split(separator: ",") {
                let pair = part.split(separator: "=").map { $0.filter { $0 != " " } }
                guard pair.count == 2, let number = Int(pair[1]) else { return nil }
                numbers[pair[0]] = number
            }
            return numbers
        default: return nil
        }
    }

    var number: Double? {
        switch self {
        case .number(let value): value
        case .integer(let value): Double(value)
        case .text(let text): Double(text)
        default: nil
        }
    }
}
