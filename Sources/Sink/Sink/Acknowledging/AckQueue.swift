/// The acknowledgements to send: for every node the newest position, at most once in a while.
///
/// An acknowledgement covers all earlier ones, so only the newest of each node is kept.
package struct AckQueue {
    /// Of which node something is acknowledged.
    package struct NodeName: Hashable, Sendable {
        /// The gym's id.
        package let site: String
        /// The node's id.
        package let node: String

        /// The node `node` at `site`.
        package init(site: String, node: String) {
            self.site = site
            self.node = node
        }
    }

    /// A position to acknowledge.
    package struct Ack: Sendable, Equatable {
        /// Of which node.
        package let name: NodeName
        /// Of which of its histories.
        package let epoch: String
        /// The last position of those that are all stored.
        package let seq: Int64
    }

    /// The shortest time between two acknowledgements of one node.
    package static let interval = Duration.seconds(1)

    private struct Entry {
        var ack: Ack
        var sentAt: ContinuousClock.Instant?
        var isWaiting = false
    }

    private var entries: [NodeName: Entry] = [:]
    /// Nodes with something to acknowledge, those first that wait longest.
    private var waiting: [NodeName] = []

    /// An empty queue.
    package init() {}

    /// How many acknowledgements wait.
    package var count: Int { waiting.count }

    /// How many nodes are known.
    package var nodes: Int { entries.count }

    /// Notes how far a node's records are stored. Positions of histories that the node no longer uses are ignored.
    package mutating func note(_ position: StreamPosition) {
        guard position.isCurrent else { return }
        let name = NodeName(site: position.site, node: position.node)
        let ack = Ack(name: name, epoch: position.epoch, seq: position.prefix)
        guard entries[name]?.ack != ack else { return }
        put(ack)
    }

    /// Sends the newest acknowledgement of a node once more: the node does not know of it.
    package mutating func repeatLast(_ name: NodeName) {
        if let ack = entries[name]?.ack { put(ack) }
    }

    /// The newest position of a node; `nil` for an unknown node.
    package func newest(_ name: NodeName) -> Ack? { entries[name]?.ack }

    /// The acknowledgements that may be sent now. They stay until ``sent(_:at:)``.
    package func due(_ now: ContinuousClock.Instant, limit: Int) -> [Ack] {
        var due: [Ack] = []
        for name in waiting {
            guard due.count < limit else { break }
            guard let entry = entries[name] else { continue }
            if entry.sentAt.map({ now - $0 >= Self.interval }) ?? true { due.append(entry.ack) }
        }
        return due
    }

    /// These acknowledgements were sent.
    package mutating func sent(_ acks: [Ack], at now: ContinuousClock.Instant) {
        guard !acks.isEmpty else { return }
        for ack in acks where entries[ack.name]?.ack == ack {
            entries[ack.name]?.sentAt = now
            entries[ack.name]?.isWaiting = false
        }
        waiting.removeAll { entries[$0]?.isWaiting != true }
    }

    private mutating func put(_ ack: Ack) {
        var entry = entries[ack.name] ?? Entry(ack: ack)
        entry.ack = ack
        // Nothing is stored of a history whose first record is missing.
        if !entry.isWaiting, ack.seq > 0 {
            waiting.append(ack.name)
            entry.isWaiting = true
        }
        entries[ack.name] = entry
    }
}
