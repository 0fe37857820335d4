import Foundation
import History

/// When Home Assistant is told of this node, and what.
struct Discovery {
    /// Home Assistant's tree.
    static let prefix = "homeassistant"
    /// Where Home Assistant says that it has started.
    static let birthTopic = "\(prefix)/status"
    /// A hundred nodes must not all answer the birth in the same moment.
    static let longestDelay = 5.0

    private let topics: Topics
    private let commands: Set<CommandName>
    private let store: Store
    private var payload: DiscoveryPayload?
    private var memory: AnnouncedComponents
    private var isMemoryNew = false
    /// When a birth is to be answered.
    private var birthAnswer: ContinuousClock.Instant?

    init(topics: Topics, commands: Set<CommandName>, store: Store) throws {
        self.topics = topics
        self.commands = commands
        self.store = store
        memory = AnnouncedComponents(note: try store.value(of: .discovery))
    }

    static func configTopic(node: String) -> String { "\(prefix)/device/spotter_\(node)/config" }

    /// Takes the node's device off.
    static func removal(of node: String) -> MQTTMessage {
        MQTTMessage(topic: configTopic(node: node), payload: "", retain: true)
    }

    /// The node is this now.
    ///
    /// - Returns: whether Home Assistant should hear of it before anything else is said: there are other components
    ///   than it knows, or something changed within this run.
    mutating func describe(_ info: InfoPayload) -> Bool {
        let new = DiscoveryPayload(info, topics: topics, commands: commands)
        guard new != payload else { return false }
        let isFirst = payload == nil
        payload = new
        isMemoryNew = memory.update(to: new.components) || isMemoryNew
        return isMemoryNew || !isFirst
    }

    /// Puts on disk what Home Assistant was told, if that changed.
    mutating func writeDown() throws {
        guard isMemoryNew else { return }
        try store.write(JSONText.encode(memory), as: .discovery)
        isMemoryNew = false
    }

    /// Home Assistant has started: it is answered within five seconds.
    mutating func receivedBirth(_ now: ContinuousClock.Instant, delaySeconds: Double) {
        birthAnswer = now + .seconds(delaySeconds)
    }

    /// Whether the answer to a birth is due, which is then taken as given.
    mutating func isBirthAnswerDue(_ now: ContinuousClock.Instant) -> Bool {
        guard let birthAnswer, now >= birthAnswer else { return false }
        self.birthAnswer = nil
        return true
    }

    /// The messages that tell of the node; none before it is known.
    func messages(afterBirth isBirth: Bool = false) throws -> [MQTTMessage] {
        guard let payload else { return [] }
        return try memory.steps(afterBirth: isBirth).map { components in
            MQTTMessage(
                topic: Self.configTopic(node: topics.node), payload: try payload.text(components: components),
                retain: true)
        }
    }
}
