import Foundation
import Records

/// A rule that a text setting must satisfy.
package struct TextRule: Sendable {
    /// Returns why the text is refused, or `nil` if it is allowed.
    package let check: @Sendable (String) -> String?
    /// The same rule as JSON Schema keywords.
    package let schema: [String: JSONValue]

    /// - Parameter facts: the same rule as JSON Schema keywords.
    package init(_ facts: [String: JSONValue] = [:], check: @escaping @Sendable (String) -> String?) {
        self.check = check
        schema = facts.merging(["type": "string"]) { $1 }
    }

    /// Any text.
    package static let anything = TextRule { _ in nil }

    /// Why a text cannot be shown and sent on: it holds what nobody sees. Lines and tabulators may be.
    package static func unseen(in text: String) -> String? {
        let scalar = text.unicodeScalars.first { !$0.isPlain && $0 != "\n" && $0 != "\t" && $0 != "\r" }
        return scalar.map { scalar in
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let code = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            return "holds U+\(code), which cannot be seen: take it away"
        }
    }

    /// Any text in one line.
    package static let oneLine = TextRule { $0.contains(where: \.isNewline) ? "must be one line" : nil }

    /// Any text but the empty one.
    package static let notEmpty = TextRule(["minLength": 1]) { $0.isEmpty ? "must not be empty" : nil }

    /// The rule for everything that becomes part of an MQTT topic.
    package static let identifier = identifier(suchAs: "rack-1")

    /// The same, with an example that suits the key.
    package static func identifier(suchAs example: String) -> TextRule {
        TextRule(["pattern": "^[a-z0-9][a-z0-9_-]{0,62}$"]) {
            $0.wholeMatch(of: /[a-z0-9][a-z0-9_-]{0,62}/) != nil
                ? nil : "expects 1 to 63 of a-z 0-9 _ - beginning with a letter or digit, such as \"\(example)\""
        }
    }

    /// The same, or empty.
    package static let identifierOrEmpty = TextRule(["pattern": "^([a-z0-9][a-z0-9_-]{0,62})?$"]) {
        $0.isEmpty ? nil : identifier.check($0)
    }

    /// A name of IANA's list of time zones, or empty for the machine's zone.
    package static let timeZone = TextRule {
        $0.isEmpty || TimeZoneName.zone($0) != nil ? nil : "expects " + zoneExpected($0)
    }

    /// What a time zone is: `a name … such as Europe/Berlin`, with the nearest name.
    package static func zoneExpected(_ text: String) -> String {
        let nearest = NearestName.of(text, among: TimeZoneName.known) ?? "Europe/Berlin"
        return "a name of IANA's time zones such as \"\(nearest)\" (`timedatectl list-timezones` lists them)"
    }

    /// An address in figures and a port.
    package static let listenAddress = TextRule(["pattern": "^(localhost|[0-9.]+|\\[[0-9a-fA-F:.]+\\]):[0-9]{1,5}$"]) {
        let port = $0.split(separator: ":").last.flatMap { UInt16($0) }
        return $0.wholeMatch(of: /(localhost|[0-9.]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}/) != nil && port != nil
            ? nil : "expects an address in figures and a port, such as \"127.0.0.1:8080\" or \"0.0.0.0:8080\""
    }

    /// A host name.
    package static let hostName = TextRule(["pattern": "^[A-Za-z0-9.-]{1,253}$"]) {
        $0.wholeMatch(of: /[A-Za-z0-9.-]{1,253}/) != nil ? nil : "expects a name such as \"gym.example.org\""
    }

    /// The host of an MQTT broker: a name or an address, and nothing else.
    package static let brokerHost = TextRule([
        "pattern": "^([A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]{2,45}(%[A-Za-z0-9._-]+)?)$"
    ]) { text in
        if text.isEmpty { return "must not be empty" }
        if let end = text.firstRange(of: "://") {
            let scheme = text[..<end.lowerBound].lowercased()
            let tls = ["mqtts", "ssl", "tls", "wss"].contains(scheme) ? "; for TLS set mqtt.ca_file = \"system\"" : ""
            let isWebSocket = scheme.hasPrefix("ws")
            return "is a host without '\(scheme)://'" + (isWebSocket ? "; websockets are not supported" : "") + tls
        }
        if text.hasPrefix("[") { return "is written without brackets, such as \"::1\"; the port is mqtt.port" }
        if text.wholeMatch(of: /[^:]+:[0-9]+/) != nil { return "is a host without the port, which is mqtt.port" }
        if text.contains(where: \.isWhitespace) { return "holds a blank: take it away" }
        if text.contains("/") || text.contains("@") { return "is a host alone, without path and user (mqtt.user)" }
        let isHost = text.wholeMatch(of: /[A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]{2,45}(%[A-Za-z0-9._-]+)?/) != nil
        return isHost ? nil : "expects a name or an address, such as \"hub.local\" or \"192.168.1.5\""
    }

    /// One of these words.
    package static func choice(_ words: [String]) -> TextRule {
        TextRule(["enum": .list(words.map { .text($0) })]) {
            words.contains($0) ? nil : expected(words)
        }
    }

    /// What is said of a word that is none of these.
    static func expected(_ words: [String]) -> String {
        "expects one of: " + words.map { $0.isEmpty ? "\"\"" : $0 }.joined(separator: ", ")
    }
}
