import Foundation

/// Checks JSON against the keywords of JSON Schema that the contract uses. Any other keyword is a failure, so that no
/// rule is ignored silently.
struct SchemaCheck {
    private let schema: [String: Any]

    init(_ text: String) throws {
        schema = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }

    /// The violations; empty if there are none.
    func problems(in text: String) throws -> [String] {
        Self.problems(try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed), schema, "")
    }

    private static let silent: Set<String> = ["$schema", "$id", "title", "description", "examples"]

    private static func problems(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
        schema.flatMap { word, rule -> [String] in
            switch word {
            case _ where silent.contains(word): []
            case "type": isOf(rule as? String ?? "", value) ? [] : ["\(place): is no \(rule)"]
            case "const": same(value, rule) ? [] : ["\(place): is not \(rule)"]
            case "enum":
                (rule as? [Any] ?? []).contains { same($0, value) } ? [] : ["\(place): \(value) is not allowed"]
            case "pattern":
                (value as? String)?.range(of: rule as? String ?? "", options: .regularExpression) != nil
                    ? [] : ["\(place): \(value) does not match \(rule)"]
            case "contentMediaType": []
            case "minimum": number(value) >= number(rule) ? [] : ["\(place): \(value) is too small"]
            case "maximum": number(value) <= number(rule) ? [] : ["\(place): \(value) is too large"]
            case "minLength": Double((value as? String)?.count ?? 0) >= number(rule) ? [] : ["\(place): too short"]
            case "maxLength": Double((value as? String)?.count ?? 0) <= number(rule) ? [] : ["\(place): too long"]
            case "minItems": Double((value as? [Any])?.count ?? 0) >= number(rule) ? [] : ["\(place): too short"]
            case "maxItems": Double((value as? [Any])?.count ?? 0) <= number(rule) ? [] : ["\(place): too long"]
            case "items":
                (value as? [Any] ?? []).flatMap { problems($0, rule as? [String: Any] ?? [:], place + "[]") }
            case "required":
                (rule as? [String] ?? []).filter { (value as? [String: Any])?[$0] == nil }.map { "\(place): no \($0)" }
            case "properties":
                (rule as? [String: [String: Any]] ?? [:]).flatMap { name, inner in
                    (value as? [String: Any])?[name].map { problems($0, inner, "\(place).\(name)") } ?? []
                } + unnamed(value, rule, place)
            case "additionalProperties":
                (value as? [String: Any] ?? [:]).flatMap {
                    problems($0.value, rule as? [String: Any] ?? [:], "\(place).\($0.key)")
                }
            case "oneOf": oneOf(rule as? [[String: Any]] ?? [], value, place)
            default: ["\(place): the check does not know \(word)"]
            }
        }
    }

    /// Receivers ignore unknown keys, but every key that a node sends must be in the contract.
    private static func unnamed(_ value: Any, _ rule: Any, _ place: String) -> [String] {
        let named = rule as? [String: Any] ?? [:]
        return (value as? [String: Any] ?? [:]).keys.filter { named[$0] == nil }
            .map { "\(place).\($0): the contract does not name it" }
    }

    private static func oneOf(_ choices: [[String: Any]], _ value: Any, _ place: String) -> [String] {
        let found = choices.map { problems(value, $0, place) }
        let right = found.filter(\.isEmpty).count
        return right == 1 ? [] : ["\(place): fits \(right) of the choices: \(found.flatMap { $0 })"]
    }

    private static func isOf(_ type: String, _ value: Any) -> Bool {
        switch type {
        case "string": value is String
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "boolean": isFlag(value)
        case "number": value is NSNumber && !isFlag(value)
        case "integer": value is NSNumber && !isFlag(value) && number(value) == number(value).rounded()
        default: false
        }
    }

    /// Foundation distinguishes true from 1 only by the number's C type.
    private static func isFlag(_ value: Any) -> Bool {
        (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? (value is Bool)
    }

    private static func same(_ a: Any, _ b: Any) -> Bool { (a as? NSObject) == (b as? NSObject) }
    private static func number(_ value: Any) -> Double { (value as? NSNumber)?.doubleValue ?? .nan }
}
