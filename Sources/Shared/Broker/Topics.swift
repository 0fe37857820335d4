import Records

/// The topics of a node: `<prefix>/v1/<site>/<node>/…`.
public struct Topics: Sendable, Equatable {
    /// The first levels of every topic.
    public let prefix: String
    /// The gym's id.
    public let site: String
    /// The node's id.
    public let node: String
    private let base: String

    /// The first level of Home Assistant's topics.
    package static let homeAssistant = "homeassistant"

    /// The first segment of every topic without a setting.
    public static let usualPrefix = "spotter"

    /// The topics of the node `node` at `site`.
    ///
    /// - Throws: ``BrokerError/invalidId(kind:value:)``, ``BrokerError/invalidPrefix(_:)``.
    public init(prefix: String = Self.usualPrefix, site: String, node: String) throws {
        let levels = prefix.split(separator: "/", omittingEmptySubsequences: false)
        guard !prefix.isEmpty, prefix.utf8.count <= 127, levels.allSatisfy({ Self.isId(String($0)) }) else {
            throw BrokerError.invalidPrefix(prefix)
        }
        guard Self.isId(site) else { throw BrokerError.invalidId(kind: "site", value: site) }
        guard Self.isId(node) else { throw BrokerError.invalidId(kind: "node id", value: node) }
        self.prefix = prefix
        self.site = site
        self.node = node
        base = "\(prefix)/v1/\(site)/\(node)"
    }

    /// Whether the node is online; also the topic of the last will.
    public var status: String { "\(base)/status" }
    /// The birth document.
    public var info: String { "\(base)/info" }
    /// The heartbeat.
    public var health: String { "\(base)/health" }
    /// How many people there are.
    public var occupancy: String { "\(base)/occupancy" }
    /// Who lies on the floor and does not move.
    public var alarm: String { "\(base)/alarm" }
    /// Warnings and errors.
    public var log: String { "\(base)/log" }

    /// What the node publishes about one camera.
    public func camera(_ camera: String, _ leaf: CameraTopic) -> String { "\(base)/cam/\(camera)/\(leaf.rawValue)" }
    /// Where a camera is switched on or off.
    public func cameraSwitch(_ camera: String) -> String { "\(base)/cam/\(camera)/enabled/set" }
    /// Durable records of one type.
    public func record(_ type: String) -> String { "\(base)/rec/\(type)" }
    /// Where a consumer acknowledges records.
    public func acknowledgement(of consumer: String) -> String { "\(base)/ack/\(consumer)" }
    /// Where a command is sent.
    public func command(_ name: String) -> String { "\(base)/cmd/\(name)" }
    /// The default topic for responses to a command.
    public func response(_ name: String) -> String { "\(base)/res/\(name)" }

    /// The filter for all commands.
    public var commands: String { "\(base)/cmd/+" }
    /// The filter for all acknowledgements.
    public var acknowledgements: String { "\(base)/ack/+" }
    /// The filter for all camera switches.
    public var switches: String { "\(base)/cam/+/enabled/set" }
    /// The filter for the status of all cameras. It shows for which cameras the broker has retained messages.
    public var cameraStatuses: String { "\(base)/cam/+/status" }
    /// The filter for everything below this node.
    public var everything: String { "\(base)/#" }

    /// What a received topic addresses; `nil` for topics this node does not receive.
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

    /// The purpose of a received topic, with its command, consumer or camera.
    package enum Address: Equatable {
        case status
        case command(String)
        case acknowledgement(String)
        case cameraSwitch(String)
        case cameraStatus(String)
    }

    /// The first levels below a node's own.
    private static let nodeWords: Set<String> = [
        "status", "info", "health", "occupancy", "alarm", "log", "cam", "rec", "ack", "cmd", "res",
    ]

    /// Whether a response may go to the topic its sender named. Allowed are this node's own `res/`, a client's own tree
    /// in the same site, and topics outside of `spotter/`, the configured prefix and Home Assistant's tree. Topics with
    /// a level `cmd` or `set` are never allowed, because a response has an `id` and could pass for a command.
    package func mayAnswer(on topic: String) -> Bool {
        let isPlain = !topic.isEmpty && topic.utf8.count <= 512 && !topic.hasPrefix("$")
        let hasOddities = topic.unicodeScalars.contains {
            $0 == "+" || $0 == "#" || $0.value < 0x20 || $0.value == 0x7F
        }
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard isPlain, !hasOddities, !levels.contains(where: { $0 == "cmd" || $0 == "set" }) else { return false }
        if topic.hasPrefix(base + "/") { return topic.hasPrefix(base + "/res/") }
        // A client's own tree in the site. Its second level must be none that nodes use.
        let site = "\(prefix)/v1/\(site)/"
        if topic.hasPrefix(site) {
            let rest = topic.dropFirst(site.count).split(separator: "/", omittingEmptySubsequences: false)
            return rest.count > 1 && !rest[0].isEmpty && !Self.nodeWords.contains(String(rest[1]))
        }
        return !["spotter", prefix, Self.homeAssistant].contains { topic == $0 || topic.hasPrefix($0 + "/") }
    }

    /// Whether a word may be a site, node or camera id: `^[a-z0-9][a-z0-9_-]{0,62}$`.
    public static func isId(_ word: String) -> Bool { word.isTopicId }

    /// Checks that a camera id can be used in topics.
    ///
    /// - Throws: ``BrokerError/invalidId(kind:value:)``.
    public static func check(camera: String) throws {
        guard isId(camera) else { throw BrokerError.invalidId(kind: "camera id", value: camera) }
    }

    /// A valid id similar to `word`, for an error message.
    package static func suggestion(for word: String) -> String {
        let usable = word.lowercased().map { character -> Character in
            character.utf8.count == 1 && isId("a\(character)") ? character : "-"
        }
        let text = String(usable.drop { $0 == "-" || $0 == "_" }.prefix(63))
        return text.isEmpty ? "rack1" : text
    }
}

/// The topics of one camera that a node publishes to.
public enum CameraTopic: String, Sendable, CaseIterable {
    case status, state, workouts, counts, live, event, preview, enabled
}
