import Broker
import Foundation
import Records

/// Where a node publishes: the first levels of its topics.
public struct TopicHome: Sendable, Codable, Hashable {
    /// `mqtt.prefix`, `node.site` and the node's id.
    public var prefix, site, node: String

    /// The home of a node.
    public init(prefix: String, site: String, node: String) {
        (self.prefix, self.site, self.node) = (prefix, site, node)
    }

    /// What its topics begin with.
    var base: String { "\(prefix)/v1/\(site)/\(node)/" }

    /// Whether a payload, such as Home Assistant's description, names one of its topics.
    func isNamed(in payload: [UInt8]) -> Bool {
        String(decoding: payload, as: UTF8.self).contains(base)
    }
}

/// Where a node publishes and where it did before: after another site, id or prefix the broker still retains what was
/// published there, names of earlier versions among it.
public struct FormerHomes: Sendable, Equatable {
    /// More former homes are not remembered.
    private static let maximum = 8

    /// All homes, the newest last.
    public private(set) var all: [TopicHome] = []

    /// Reads what a history knows; an unreadable note counts as empty.
    public init(note: String?) {
        all = note.flatMap { try? JSONDecoder().decode([TopicHome].self, from: Data($0.utf8)) } ?? []
    }

    /// The homes before the newest one.
    var former: [TopicHome] { all.dropLast() }

    /// Takes over where the node publishes now.
    ///
    /// - Returns: whether that is new.
    mutating func move(to home: TopicHome) -> Bool {
        guard all.last != home else { return false }
        all = Array((all.filter { $0 != home } + [home]).suffix(Self.maximum + 1))
        return true
    }

    /// Forgets a home at which the broker retains nothing any more.
    mutating func forget(_ home: TopicHome) { all = former.filter { $0 != home } + all.suffix(1) }

    /// The text to store.
    var note: String { get throws { try JSONText.encode(all) } }
}
