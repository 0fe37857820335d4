import Broker
import Foundation
import History
import Records
import Words

/// Decides when the node's description is published for Home Assistant, and what it contains.
struct Discovery {
    /// The first level of Home Assistant's topics.
    static let prefix = Topics.homeAssistant
    /// The topic on which Home Assistant announces that it has started.
    static let birthTopic = "\(prefix)/status"
    /// The longest random delay of the answer to Home Assistant's start, seconds, so that a hundred nodes do not answer
    /// at once.
    static let longestDelay = 5.0

    private let topics: Topics
    private let commands: Set<CommandName>
    private let words: Words
    private let store: Store
    private var payload: DiscoveryPayload?
    private var memory: AnnouncedComponents
    private var isMemoryNew = false
    /// When to answer Home Assistant's start; `nil` for not at all.
    private var birthAnswerAt: ContinuousClock.Instant?

    init(topics: Topics, commands: Set<CommandName>, words: Words, store: Store) throws {
        self.topics = topics
        self.commands = commands
        self.words = words
        self.store = store
        memory = AnnouncedComponents(note: try store.value(of: .discovery))
    }

    static func configTopic(node: String) -> String { "\(prefix)/device/spotter_\(node)/config" }

    /// The message that removes the node's device from Home Assistant.
    static func removal(of node: String) -> MQTTMessage {
        MQTTMessage(topic: configTopic(node: node), payload: "", retain: true)
    }

    /// Updates the description.
    ///
    /// - Returns: whether it must be published before anything else: the components differ from those Home Assistant
    ///   knows, or something changed within this run.
    mutating func describe(_ info: InfoPayload) -> Bool {
        let new = DiscoveryPayload(info, topics: topics, commands: commands, words: words)
        guard new != payload else { return false }
        let isFirst = payload == nil
        payload = new
        isMemoryNew = memory.update(to: new.components) || isMemoryNew
        return isMemoryNew || !isFirst
    }

    /// Stores the announced components, if they changed.
    mutating func writeDown() throws {
        guard isMemoryNew else { return }
        try store.write(JSONText.encode(memory), as: .discovery)
        isMemoryNew = false
    }

    /// Schedules the answer to Home Assistant's start, within five seconds.
    mutating func receivedBirth(_ now: ContinuousClock.Instant, delaySeconds: Double) {
        birthAnswerAt = now + .seconds(delaySeconds)
    }

    /// Whether the answer to Home Assistant's start is due; it then counts as given.
    mutating func isBirthAnswerDue(_ now: ContinuousClock.Instant) -> Bool {
        guard let birthAnswerAt, now >= birthAnswerAt else { return false }
        self.birthAnswerAt = nil
        return true
    }

    /// The messages that describe the node; none before it is known.
    func messages(afterBirth isBirth: Bool = false) throws -> [MQTTMessage] {
        guard let payload else { return [] }
        return try memory.steps(afterBirth: isBirth).map { components in
            MQTTMessage(
                topic: Self.configTopic(node: topics.node), payload: try payload.text(components: components),
                retain: true)
        }
    }
}

extension Topics {
    /// Whether this node publishes to this topic of its own accord.
    func isOwn(_ topic: String) -> Bool {
        topic.hasPrefix(everything.dropLast()) || topic == Discovery.configTopic(node: node)
    }
}
