import Foundation
import Records

/// A rule that a text setting must satisfy.
struct TextRule: Sendable {
    /// Returns why the text is refused, or `nil` if it is allowed.
    let check: @Sendable (String) -> String?
    let schema: [String: JSONValue]

    /// - Parameter facts: the same rule as JSON Schema keywords.
    init(_ facts: [String: JSONValue] = [:], check: @escaping @Sendable (String) -> String?) {
        self.check = check
        schema = facts.merging(["type": "string"]) { $1 }
    }

    static let anything = TextRule { _ in nil }

    static let notEmpty = TextRule(["minLength": 1]) { $0.isEmpty ? "must not be empty" : nil }

    /// The rule for everything that becomes part of an MQTT topic.
    static let identifier = TextRule(["pattern": "^[a-z0-9][a-z0-9_-]{0,62}$"]) {
        $0.wholeMatch(of: /[a-z0-9][a-z0-9_-]{0,62}/) != nil
            ? nil : "expects 1 to 63 of a-z 0-9 _ - beginning with a letter or digit, such as \"rack-1\""
    }

    static let identifierOrEmpty = TextRule(["pattern": "^([a-z0-9][a-z0-9_-]{0,62})?$"]) {
        $0.isEmpty ? nil : identifier.check($0)
    }

    static let timeZone = TextRule {
        $0.isEmpty || TimeZone(identifier: $0) != nil ? nil : "expects a time zone such as \"Europe/Berlin\""
    }

    static let listenAddress = TextRule(["pattern": "^(localhost|[0-9.]+|\\[[0-9a-fA-F:.]+\\]):[0-9]{1,5}$"]) {
        let port = $0.split(separator: ":").last.flatMap { UInt16($0) }
        return $0.wholeMatch(of: /(localhost|[0-9.]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}/) != nil && port != nil
            ? nil : "expects an address in figures and a port, such as \"127.0.0.1:8080\" or \"0.0.0.0:8080\""
    }

    static let hostName = TextRule(["pattern": "^[A-Za-z0-9.-]{1,253}$"]) {
        $0.wholeMatch(of: /[A-Za-z0-9.-]{1,253}/) != nil ? nil : "expects a name such as \"gym.example.org\""
    }

    static func choice(_ words: [String]) -> TextRule {
        TextRule(["enum": .list(words.map { .text($0) })]) {
            words.contains($0) ? nil : "expects one of: " + words.joined(separator: ", ")
        }
    }
}
