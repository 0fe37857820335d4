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
    public func record(_ type: String) -> String { "\(base)/rec/\(type)" }
    public func acknowledgement(of consumer: String) -> String { "\(base)/ack/\(consumer)" }
    public func command(_ name: String) -> String { "\(base)/cmd/\(name)" }
    public func response(_ name: String) -> String { "\(base)/res/\(name)" }

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
