import Foundation
import Records

/// A node's `status`, `info` or `health`.
package struct IncomingNode: Sendable, Equatable {
    /// Which of the three.
    package enum Kind: String, Sendable { case status, info, health }

    /// The gym's id.
    package let site: String
    /// The node's id.
    package let node: String
    /// Which of the three it is.
    package let kind: Kind
    /// When it came.
    package let received: Date
    /// The payload, JSON.
    package let text: String
    /// What the sink itself reads.
    package let content: Content

    /// The parts of a payload that the sink itself reads.
    package struct Content: Sendable, Equatable {
        /// `status`: `starting`, `online`, `stopped` or `offline`.
        package var state: String?
        /// `info`: which history of the node is in use.
        package var epoch: String?
        /// `health`: the records that wait for their acknowledgement.
        package var pending: Int64?
        /// `health`: the position that each consumer has acknowledged.
        package var acked: [String: Int64] = [:]
    }

    /// Reads a payload.
    ///
    /// - Throws: `DecodingError` or ``IncomingMessage/Mismatch`` when it does not fit the contract.
    init(_ payload: [UInt8], at address: IncomingTopic, received: Date) throws {
        guard let kind = Kind(rawValue: address.leaf), let text = String(validating: payload, as: UTF8.self) else {
            throw IncomingMessage.Mismatch(reason: "the message is no UTF-8 text")
        }
        // PostgreSQL's JSON cannot hold the character NUL.
        guard !text.contains("\\u0000"), !text.utf8.contains(0) else {
            throw IncomingMessage.Mismatch(reason: "the message contains the character NUL")
        }
        let parsed = try JSONDecoder().decode(Payload.self, from: Data(payload))
        site = address.site
        node = address.node
        self.kind = kind
        self.received = received
        self.text = text
        content = try parsed.content(for: kind)
    }

    private struct Payload: Decodable {
        enum Key: String, CodingKey { case v, node, site, state, sid, epoch, tz, problems, outbox, ts }
        enum OutboxKey: String, CodingKey { case pending, acked }

        let fields: Fields<Key>

        init(from decoder: any Decoder) throws {
            fields = try Fields(decoder, by: Key.self)
            guard try fields.integer(.v, 0...1000) == 1 else { throw fields.refusal(.v, "expects 1") }
        }

        func content(for kind: Kind) throws -> Content {
            var content = Content()
            switch kind {
            case .status:
                content.state = try fields.word(.state)
                guard ["starting", "online", "stopped", "offline"].contains(content.state) else {
                    throw fields.refusal(.state, "expects starting, online, stopped or offline")
                }
            case .info: content.epoch = try fields.uuid(.epoch)
            case .health:
                guard try fields.has(.outbox) else { break }
                let outbox = try Fields(
                    fields.container.nestedContainer(keyedBy: OutboxKey.self, forKey: .outbox))
                content.pending = try outbox.integer(.pending, 0...(Int64.max - 2))
                content.acked = try outbox.container.decode([String: Int64].self, forKey: .acked)
            }
            return content
        }
    }
}
