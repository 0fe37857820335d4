import Records

/// What settings belong to.
package protocol ConfigurationRoot: Sendable {
    /// How the environment variables of its keys begin.
    static var variablePrefix: String { get }
}

/// One setting: its name in `config.toml`, and how its value is read and written.
package struct ConfigurationKey<Root: ConfigurationRoot>: Sendable {
    /// The dotted name, such as `mqtt.host`.
    package let name: String
    /// Stores a value in the configuration.
    ///
    /// - Throws: ``Refusal`` that says what was expected.
    package let set: @Sendable (inout Root, ConfigurationValue) throws -> Void
    /// The current value, written as in the file.
    package let text: @Sendable (Root) -> String
    /// The allowed values as JSON Schema, without the default.
    package let schema: [String: JSONValue]

    /// A setting that is read and written by these functions.
    package init(
        name: String, set: @escaping @Sendable (inout Root, ConfigurationValue) throws -> Void,
        text: @escaping @Sendable (Root) -> String, schema: [String: JSONValue]
    ) {
        self.name = name
        self.set = set
        self.text = text
        self.schema = schema
    }

    /// Why a value is refused.
    package struct Refusal: Error {
        /// What was expected.
        package let reason: String

        /// A refusal for this reason.
        package init(reason: String) { self.reason = reason }
    }

    /// The environment variable that overrides the key, such as `SPOTTER_MQTT_HOST`.
    package var variable: String { Root.variablePrefix + name.uppercased().replacing(".", with: "_") }

    /// A key path to the stored value.
    package typealias Path<Value> = WritableKeyPath<Root, Value> & Sendable

    /// A text that follows a rule.
    package static func text(
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
    package static func words(
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

    /// `true` or `false`.
    package static func flag(_ name: String, _ path: any Path<Bool>) -> Self {
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

    /// A whole number in a range, which `check` may refuse with a reason.
    package static func integer(
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

    /// A number in a range.
    package static func number(_ name: String, _ path: any Path<Double>, _ range: ClosedRange<Double>) -> Self {
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
package enum ConfigurationValue: Equatable {
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
    package var integer: Int? {
        switch self {
        case .integer(let value): value
        case .text(let text): Int(text)
        default: nil
        }
    }

    /// A list; `a,b` from the environment.
    package var words: [String]? {
        switch self {
        case .words(let words): words
        case .text(let text): text.split(separator: ",").map { String($0.filter { $0 != " " }) }
        default: nil
        }
    }

    /// Reads `a=1,b=0` too, as the environment has it.
    package var numbers: [String: Int]? {
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

    /// Converts whole numbers and text, too.
    package var number: Double? {
        switch self {
        case .number(let value): value
        case .integer(let value): Double(value)
        case .text(let text): Double(text)
        default: nil
        }
    }
}
