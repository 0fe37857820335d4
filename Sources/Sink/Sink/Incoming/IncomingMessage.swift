import Broker
import Foundation
import Records

/// What a message from the hub turns out to be.
package enum IncomingMessage: Sendable, Equatable {
    case record(IncomingRecord)
    /// A node's `status`, `info` or `health`.
    case node(IncomingNode)
    /// A message that does not fit the contract, and why.
    case rejected(RejectedMessage)
    /// Nothing to store, such as a removed retained message.
    case nothing

    /// The largest payload that is read.
    package static let maximumBytes = 65_536

    /// Reads a message.
    ///
    /// - Parameters:
    ///   - prefix: the first levels of all topics.
    ///   - received: when it came.
    package init(topic: String, payload: [UInt8], prefix: String, received: Date) {
        func rejected(_ reason: String, at address: IncomingTopic? = nil) -> IncomingMessage {
            var message = RejectedMessage(topic: topic, payload: payload, reason: reason, received: received)
            message.standIn = address.flatMap { Self.standIn(payload, at: $0) }
            return .rejected(message)
        }
        guard let address = IncomingTopic(topic, prefix: prefix) else {
            self = rejected("the topic is none of the contract's")
            return
        }
        // A retained message is removed by an empty one.
        guard !payload.isEmpty else {
            self = address.isRecord ? rejected("the message is empty") : .nothing
            return
        }
        guard payload.count <= Self.maximumBytes else {
            self = rejected("the message has \(payload.count) bytes, more than \(Self.maximumBytes)")
            return
        }
        do {
            self =
                address.isRecord
                ? .record(try Self.record(payload, at: address))
                : .node(try IncomingNode(payload, at: address, received: received))
        } catch let error as DecodingError {
            self = rejected(error.plain, at: address)
        } catch let error as Mismatch {
            self = rejected(error.reason, at: address)
        } catch {
            self = rejected("the message is no JSON object")
        }
    }

    /// Why a message that fits its schema is refused.
    struct Mismatch: Error { let reason: String }

    private struct Position: Decodable {
        let site: String
        let node: String
        let epoch: String
        let seq: Int64
    }

    /// What stands in for a record that does not fit: without it the node would wait for ever for its acknowledgement.
    ///
    /// - Returns: `nil` when even the position cannot be read, or is another node's.
    private static func standIn(_ payload: [UInt8], at address: IncomingTopic) -> IncomingRecord? {
        guard address.isRecord, let position = try? JSONDecoder().decode(Position.self, from: Data(payload)),
            position.site == address.site, position.node == address.node
        else { return nil }
        return IncomingRecord(
            rejectedAt: position.seq, of: position.epoch, site: position.site, node: position.node)
    }

    private static func record(_ payload: [UInt8], at address: IncomingTopic) throws -> IncomingRecord {
        let record = try JSONDecoder().decode(IncomingRecord.self, from: Data(payload))
        // The broker's access list guards the topic, so the topic says who speaks.
        guard record.site == address.site, record.node == address.node else {
            throw Mismatch(
                reason: "the record names \(record.site)/\(record.node), but came from "
                    + "\(address.site)/\(address.node)")
        }
        guard "rec/\(record.type.rawValue)" == address.leaf else {
            throw Mismatch(reason: "the record is a \(record.type.rawValue), but came on \(address.leaf)")
        }
        return record
    }
}

/// Whose message it is, and which of the node's topics it came on.
struct IncomingTopic: Equatable {
    let site: String
    let node: String
    /// `status`, `info`, `health` or `rec/<type>`.
    let leaf: String

    var isRecord: Bool { leaf.hasPrefix("rec/") }

    /// `nil` for topics that the sink does not receive.
    init?(_ topic: String, prefix: String) {
        let start = prefix + "/v1/"
        guard topic.hasPrefix(start) else { return nil }
        let levels = topic.dropFirst(start.count).split(separator: "/", omittingEmptySubsequences: false).map(
            String.init)
        guard (3...4).contains(levels.count), Topics.isId(levels[0]), Topics.isId(levels[1]) else { return nil }
        let leaf = levels[2...].joined(separator: "/")
        let records = IncomingRecord.Kind.allCases.map { "rec/\($0.rawValue)" }
        guard records.contains(leaf) || ["status", "info", "health"].contains(leaf) else {
            return nil
        }
        (site, node, self.leaf) = (levels[0], levels[1], leaf)
    }
}

/// A message that does not fit the contract. It is stored beside the others, so that a person can look.
package struct RejectedMessage: Sendable, Equatable {
    /// How much of a payload is stored, bytes.
    static let storedBytes = 2000

    /// The topic, at most 300 characters.
    package let topic: String
    /// The beginning of the payload; bytes that are no text are replaced.
    package let payload: String
    /// Why it is refused.
    package let reason: String
    /// When it came.
    package let received: Date
    /// Says that the record's position has come; `nil` where there is none.
    package var standIn: IncomingRecord?

    init(topic: String, payload: [UInt8], reason: String, received: Date) {
        self.topic = String(topic.prefix(300)).replacing("\0", with: "\u{FFFD}")
        // PostgreSQL's text cannot hold the character NUL.
        self.payload = String(decoding: payload.prefix(Self.storedBytes), as: UTF8.self)
            .replacing("\0", with: "\u{FFFD}")
        self.reason = String(reason.prefix(300)).replacing("\0", with: "\u{FFFD}")
        self.received = received
    }

    /// A record that PostgreSQL itself refused.
    init(_ record: IncomingRecord, reason: String, received: Date) {
        self.init(
            topic: "spotter/v1/\(record.site)/\(record.node)/rec/\(record.type.rawValue)",
            payload: Array("id \(record.id), revision \(record.rev), position \(record.seq) of \(record.epoch)".utf8),
            reason: reason, received: received)
        standIn = IncomingRecord(rejectedAt: record.seq, of: record.epoch, site: record.site, node: record.node)
    }
}
