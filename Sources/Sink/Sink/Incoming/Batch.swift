/// What is written in one transaction.
package struct Batch: Sendable {
    /// The records, in the order of their arrival.
    package private(set) var records: [IncomingRecord] = []
    /// The newest `status`, `info` and `health` of each node.
    package private(set) var nodes: [NodeKey: IncomingNode] = [:]
    /// Messages that do not fit the contract.
    package private(set) var rejected: [RejectedMessage] = []
    /// How many messages were refused, those included that are not stored.
    package private(set) var rejections = 0

    /// The most refused messages that one batch stores. A client that sends nothing else must not fill the disk.
    static let maximumRejected = 20

    /// Of which node and of which kind a message is.
    package struct NodeKey: Hashable, Sendable {
        let node: String
        let kind: IncomingNode.Kind
    }

    /// An empty batch.
    package init() {}

    /// Whether there is nothing to write.
    package var isEmpty: Bool { records.isEmpty && nodes.isEmpty && rejected.isEmpty }

    /// How many rows it has.
    package var count: Int { records.count + nodes.count + rejected.count }

    /// Adds a message.
    package mutating func add(_ message: IncomingMessage) {
        switch message {
        case .record(let record): records.append(record)
        case .node(let node): nodes[NodeKey(node: node.node, kind: node.kind)] = node
        case .rejected(let message): reject(message)
        case .nothing: break
        }
    }

    /// Adds a message that does not fit the contract.
    mutating func reject(_ message: RejectedMessage) {
        rejections += 1
        // What is not stored as refused stays missing, and its node is asked for it again.
        guard rejected.count < Self.maximumRejected else { return }
        if let standIn = message.standIn { records.append(standIn) }
        rejected.append(message)
    }

    /// A batch of these parts.
    init(records: [IncomingRecord], nodes: [NodeKey: IncomingNode] = [:], rejected: [RejectedMessage] = []) {
        self.records = records
        self.nodes = nodes
        self.rejected = rejected
        rejections = rejected.count
    }
}
