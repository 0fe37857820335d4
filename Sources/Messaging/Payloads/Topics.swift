/// Where each message of a node goes: `<prefix>/v1/<site>/<node>/…` (contract, section 1.1).
public struct Topics: Sendable, Equatable {
    public let prefix: String
    public let site: String
    public let node: String
    private let base: String

    /// - Throws: ``MessagingError/invalidId(kind:value:)``, ``MessagingError/invalidPrefix(_:)``.
    public init(prefix: String = "spotter", site: String, node: String) throws {
        let levels = prefix.split(separator: "/", omittingEmptySubsequences: false)
        guard !prefix.isEmpty, prefix.utf8.count <= 127, levels.allSatisfy({ Self.isId(String($0)) }) else {
            throw MessagingError.invalidPrefix(prefix)
        }
        guard Self.isId(site) else { throw MessagingError.invalidId(kind: "site", value: site) }
        guard Self.isId(node) else { throw MessagingError.invalidId(kind: "node id", value: node) }
        self.prefix = prefix
        self.site = site
        self.node = node
        base = "\(prefix)/v1/\(site)/\(node)"
    }

    public var status: String { "\(base)/status" }
    public var info: String { "\(base)/info" }
    public var health: String { "\(base)/health" }
    public var log: String { "\(base)/log" }

    public func camera(_ camera: String, _ leaf: CameraTopic) -> String { "\(base)/cam/\(camera)/\(leaf.rawValue)" }
    public func cameraSwitch(_ camera: String) -> String { "\(base)/cam/\(camera)/enabled/set" }
    public func record(_ type: String) -> String { "\(base)/rec/\(type)" }
    public func acknowledgement(of consumer: String) -> String { "\(base)/ack/\(consumer)" }
    public func command(_ name: String) -> String { "\(base)/cmd/\(name)" }
    public func response(_ name: String) -> String { "\(base)/res/\(name)" }

    /// `cmd/+`, `ack/+` and `cam/+/enabled/set`: what a node listens to.
    public var commands: String { "\(base)/cmd/+" }
    public var acknowledgements: String { "\(base)/ack/+" }
    public var switches: String { "\(base)/cam/+/enabled/set" }
    /// `cam/+/status`: of whom the broker keeps something.
    public var cameraStatuses: String { "\(base)/cam/+/status" }
    /// Everything of this node.
    public var everything: String { "\(base)/#" }

    /// The command, consumer or camera a topic is about.
    package func address(of topic: String) -> Address? {
        guard topic.hasPrefix(base + "/") else { return nil }
        let levels = topic.dropFirst(base.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        switch levels {
        case ["status"]: return .status
        case let levels where levels.count == 2 && levels[0] == "cmd": return .command(String(levels[1]))
        case let levels where levels.count == 2 && levels[0] == "ack": return .acknowledgement(String(levels[1]))
        case let levels where levels.count == 4 && levels[0] == "cam" && levels[2...] == ["enabled", "set"]:
            return .cameraSwitch(String(levels[1]))
        case let levels where levels.count == 3 && levels[0] == "cam" && levels[2] == "status":
            return .cameraStatus(String(levels[1]))
        default: return nil
        }
    }

    package enum Address: Equatable {
        case status
        case command(String)
        case acknowledgement(String)
        case cameraSwitch(String)
        case cameraStatus(String)
    }

    /// The first words below a node's own.
    private static let nodeWords: Set<String> = [
        "status", "info", "health", "log", "cam", "rec", "ack", "cmd", "res",
    ]

    /// Whether an answer may go where its asker wants it: below this node's own `res/`, to a caller's own
    /// tree in the same site, or to a plain topic outside of `spotter/`, the own prefix and Home Assistant's tree. Never where something is commanded: an answer has an `id` and would
    /// pass for a command.
    package func mayAnswer(on topic: String) -> Bool {
        let isPlain = !topic.isEmpty && topic.utf8.count <= 512 && !topic.hasPrefix("$")
        let hasOddities = topic.unicodeScalars.contains {
            $0 == "+" || $0 == "#" || $0.value < 0x20 || $0.value == 0x7F
        }
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard isPlain, !hasOddities, !levels.contains(where: { $0 == "cmd" || $0 == "set" }) else { return false }
        if topic.hasPrefix(base + "/") { return topic.hasPrefix(base + "/res/") }
        // A caller's own tree within the site: below none of the words that nodes speak or listen under.
        let site = "\(prefix)/v1/\(site)/"
        if topic.hasPrefix(site) {
            let rest = topic.dropFirst(site.count).split(separator: "/", omittingEmptySubsequences: false)
            return rest.count > 1 && !rest[0].isEmpty && !Self.nodeWords.contains(String(rest[1]))
        }
        return !["spotter", prefix, Discovery.prefix].contains { topic == $0 || topic.hasPrefix($0 + "/") }
    }

    /// Whether this node says something there of its own accord.
    func isOwn(_ topic: String) -> Bool {
        topic.hasPrefix(base + "/") || topic == Discovery.configTopic(node: node)
    }

    /// Whether a word may be a site, node or camera id: `^[a-z0-9][a-z0-9_-]{0,62}$`.
    public static func isId(_ word: String) -> Bool {
        let bytes = Array(word.utf8)
        guard let first = bytes.first, bytes.count <= 63, isLetterOrDigit(first) else { return false }
        return bytes.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }

    /// - Throws: ``MessagingError/invalidId(kind:value:)``.
    public static func check(camera: String) throws {
        guard isId(camera) else { throw MessagingError.invalidId(kind: "camera id", value: camera) }
    }

    /// The nearest usable id, for an error message.
    package static func suggestion(for word: String) -> String {
        let usable = word.lowercased().map { character -> Character in
            character.utf8.count == 1 && isId("a\(character)") ? character : "-"
        }
        let text = String(usable.drop { $0 == "-" || $0 == "_" }.prefix(63))
        return text.isEmpty ? "rack1" : text
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

/// What a node says about one camera.
public enum CameraTopic: String, Sendable, CaseIterable {
    case status, state, counts, live, event, preview, enabled
}
