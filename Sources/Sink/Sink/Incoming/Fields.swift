import Broker
import Records

/// Reads the fields of a JSON object and checks their ranges. A refusal names the field and says what was expected.
struct Fields<Key: CodingKey> {
    let container: KeyedDecodingContainer<Key>

    init(_ decoder: any Decoder, by keys: Key.Type) throws { container = try decoder.container(keyedBy: keys) }

    init(_ container: KeyedDecodingContainer<Key>) { self.container = container }

    func has(_ key: Key) throws -> Bool { try container.contains(key) && !container.decodeNil(forKey: key) }

    func flag(_ key: Key) throws -> Bool { try container.decode(Bool.self, forKey: key) }

    /// A whole number; 3.0 is one, too.
    func integer(_ key: Key, _ range: ClosedRange<Int64>) throws -> Int64 {
        let number =
            if let whole = try? container.decode(Int64.self, forKey: key) {
                whole
            } else {
                Int64(exactly: try container.decode(Double.self, forKey: key))
            }
        guard let number, range.contains(number) else {
            throw refusal(key, "expects a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func number(_ key: Key, _ range: ClosedRange<Double>) throws -> Double {
        let number = try container.decode(Double.self, forKey: key)
        guard range.contains(number) else {
            throw refusal(key, "expects a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A word such as a label: 1 to 100 bytes without control characters.
    func word(_ key: Key) throws -> String {
        let text = try container.decode(String.self, forKey: key)
        guard (1...100).contains(text.utf8.count), text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
            throw refusal(key, "expects 1 to 100 bytes without control characters")
        }
        return text
    }

    func id(_ key: Key) throws -> String {
        let text = try container.decode(String.self, forKey: key)
        guard Topics.isId(text) else { throw refusal(key, "expects 1 to 63 of a-z 0-9 _ -") }
        return text
    }

    func uuid(_ key: Key) throws -> String {
        let text = try container.decode(String.self, forKey: key)
        guard text.isUUID else { throw refusal(key, "expects a UUID in lower case") }
        return text
    }

    func moment(_ key: Key) throws -> String {
        let text = try container.decode(String.self, forKey: key)
        guard Schema.isMoment(text) else { throw refusal(key, Schema.momentExpected) }
        return text
    }

    /// The value that `read` finds; `nil` when the field is absent.
    func optional<Value>(_ key: Key, _ read: (Key) throws -> Value) throws -> Value? {
        try has(key) ? try read(key) : nil
    }

    func refusal(_ key: Key, _ reason: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: container, debugDescription: reason)
    }
}

extension DecodingError {
    /// The field and what is wrong with it, in one line.
    var plain: String {
        switch self {
        case .typeMismatch(_, let context) where context.codingPath.isEmpty,
            .valueNotFound(_, let context) where context.codingPath.isEmpty,
            .dataCorrupted(let context) where context.codingPath.isEmpty:
            "the message is no JSON object"
        case .keyNotFound(let key, let context): "\(Self.path(context, key)) is missing"
        case .typeMismatch(let type, let context): "\(Self.path(context)) is no \(Self.name(of: type))"
        case .valueNotFound(let type, let context):
            "\(Self.path(context)) is null, but should be \(Self.name(of: type))"
        case .dataCorrupted(let context): "\(Self.path(context)) \(context.debugDescription)"
        @unknown default: "the message does not fit the contract"
        }
    }

    private static func path(_ context: Context, _ last: (any CodingKey)? = nil) -> String {
        (context.codingPath + (last.map { [$0] } ?? [])).reduce("") { path, key in
            if let index = key.intValue { return "\(path)[\(index)]" }
            return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
        }
    }

    private static func name(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is Bool.Type: "true or false"
        case is Double.Type, is Int64.Type: "number"
        case is [Any].Type: "list"
        default: "object"
        }
    }
}
