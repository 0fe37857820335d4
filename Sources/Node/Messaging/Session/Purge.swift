import Broker
import Foundation
import Records

/// Removes everything a node left at its broker, for a node that was renamed or taken out of service.
public struct Purge {
    private let topics: Topics
    private var home: TopicHome { TopicHome(prefix: topics.prefix, site: topics.site, node: topics.node) }

    /// Purges the topics of the node `<prefix>/v1/<site>/<node>`.
    ///
    /// - Throws: ``BrokerError/invalidId(kind:value:)``, ``BrokerError/invalidPrefix(_:)``.
    public init(prefix: String, site: String, node: String) throws {
        topics = try Topics(prefix: prefix, site: site, node: node)
    }

    /// The topics with a retained message of the node, in the order of removal: Home Assistant's description first.
    /// A description that a node of the same id has published for another site is not part of it.
    ///
    /// - Throws: ``BrokerError`` or ``MQTTProbe/Refusal``.
    public func keptTopics(_ probe: MQTTProbe) throws -> [String] {
        let description = Discovery.configTopic(node: topics.node)
        try probe.subscribe(topics.everything)
        try probe.subscribe(description)
        var kept: Set<String> = []
        try probe.takeRetained { message in
            let isOther = message.topic == description && !home.isNamed(in: message.payload)
            if !message.payload.isEmpty && !isOther { kept.insert(message.topic) }
        }
        let own = kept.subtracting([description]).sorted()
        return kept.contains(description) ? [description] + own : own
    }

    /// Whether the node is online. A running node publishes its topics again at its next connection.
    ///
    /// - Throws: ``BrokerError`` or ``MQTTProbe/Refusal``.
    public func isOnline(_ probe: MQTTProbe) throws -> Bool {
        try probe.subscribe(topics.status)
        let status = try probe.message(within: .milliseconds(500)) { $0.topic == topics.status }
        let state = status.flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0.payload)) }?["state"]
        return state == "online" || state == "starting"
    }

    /// Removes the retained messages of these topics. Event topics are left out: events are never retained, and an
    /// empty one would trigger errors in Home Assistant.
    ///
    /// - Throws: ``BrokerError`` or ``MQTTProbe/Refusal``.
    public func remove(_ kept: [String], _ probe: MQTTProbe) throws {
        for topic in kept where !topic.hasSuffix("/event") { try probe.publish("", to: topic, retain: true) }
    }
}
