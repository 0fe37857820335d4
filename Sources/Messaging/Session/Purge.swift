import Foundation

/// Takes everything a node left with its broker off again: for one that was renamed or thrown away.
public struct Purge {
    private let topics: Topics

    /// - Throws: ``MessagingError/invalidId(kind:value:)``.
    public init(prefix: String, site: String, node: String) throws {
        topics = try Topics(prefix: prefix, site: site, node: node)
    }

    /// The topics the broker keeps for the node, in the order they are to go: Home Assistant's description first.
    public func keptTopics(_ probe: MQTTProbe) throws -> [String] {
        let description = Discovery.configTopic(node: topics.node)
        try probe.subscribe(topics.everything)
        try probe.subscribe(description)
        var kept: Set<String> = []
        // Kept messages come at once; half a second of silence means that was all.
        while true {
            let heard = try probe.messages(within: .milliseconds(500))
            if heard.isEmpty { break }
            for message in heard where message.isRetained && !message.payload.isEmpty { kept.insert(message.topic) }
        }
        let own = kept.subtracting([description]).sorted()
        return kept.contains(description) ? [description] + own : own
    }

    /// Whether the node is there: what is purged under a running node comes back with its next connection.
    public func isOnline(_ probe: MQTTProbe) throws -> Bool {
        try probe.subscribe(topics.status)
        let status = try probe.message(within: .milliseconds(500)) { $0.topic == topics.status }
        let state = status.flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0.payload)) }?["state"]
        return state == "online" || state == "starting"
    }

    /// Events are never kept, and an empty one would upset Home Assistant's triggers: they stay untouched.
    public func remove(_ kept: [String], _ probe: MQTTProbe) throws {
        for topic in kept where !topic.hasSuffix("/event") { try probe.publish("", to: topic, retain: true) }
    }
}
