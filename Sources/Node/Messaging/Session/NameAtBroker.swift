import Broker
import Foundation
import Records
import Workouts

/// Looks for a person's name in what the broker retains for a node, at whatever site the node was.
public struct NameAtBroker {
    private let filters: Set<String>
    private let names: Set<String>

    /// - Parameters:
    ///   - homes: where the node publishes, and where it did before.
    ///   - names: the name and the nicknames, as they were typed.
    public init(_ homes: [TopicHome], names: [String]) {
        filters = Set(homes.map { "\($0.prefix)/v1/+/\($0.node)/#" })
        self.names = Set(names.map(PersonName.key))
    }

    /// The topics whose retained message has the name in it.
    ///
    /// - Throws: ``BrokerError`` or ``MQTTProbe/Refusal``.
    public func topics(_ probe: MQTTProbe) throws -> [String] {
        for filter in filters { try probe.subscribe(filter) }
        var found: Set<String> = []
        try probe.takeRetained { message in
            if isNamed(in: message.payload) { found.insert(message.topic) }
        }
        return found.sorted()
    }

    /// Removes these retained messages. What a running node still has to say, it says again.
    ///
    /// - Throws: ``BrokerError`` or ``MQTTProbe/Refusal``.
    public func remove(_ topics: [String], _ probe: MQTTProbe) throws {
        for topic in topics { try probe.publish("", to: topic, retain: true) }
    }

    private func isNamed(in payload: [UInt8]) -> Bool {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(payload)) else {
            return names.contains(PersonName.key(String(decoding: payload, as: UTF8.self)))
        }
        return isNamed(in: value)
    }

    private func isNamed(in value: JSONValue) -> Bool {
        switch value {
        case .text(let text): names.contains(PersonName.key(text))
        case .list(let values): values.contains(where: isNamed)
        case .object(let fields): fields.values.contains(where: isNamed)
        default: false
        }
    }
}
