import Messaging

/// One setting: its name in `config.toml`, and how a value gets into the configuration.
struct ConfigurationKey<Root>: Sendable {
    /// As in `mqtt.host`.
    let name: String
    /// - Throws: ``Refusal`` with what was expected.
    let set: @Sendable (inout Root, ConfigurationValue) throws -> Void
    /// The value as it would stand in the file.
    let text: @Sendable (Root) -> String
    /// What may stand there, as JSON Schema has it, without the default.
    let schema: [String: JSONValue]

    /// Why a value cannot be taken.
    struct Refusal: Error { let reason: String }

    /// The name of the variable that overrides the key: `SPOTTER_MQTT_HOST`.
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

/// A value as it was written.
enum ConfigurationValue: Equatable {
    case text(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)
    case words([String])
    case other

    /// Text comes from the environment, where everything is text.
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

    var number: Double? {
        switch self {
        case .number(let value): value
        case .integer(let value): Double(value)
        case .text(let text): Double(text)
        default: nil
        }
    }
}
