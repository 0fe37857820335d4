import Foundation
import History

/// The position up to which each receiver has the record log: always current in memory, written to disk from time to
/// time.
package struct Cursors {
    /// Why an acknowledgement was ignored.
    package enum Refusal: Error, Equatable, CustomStringConvertible {
        /// The sender is no configured consumer.
        case stranger(String)
        /// The acknowledgement is for another epoch.
        case otherEpoch(consumer: String, epoch: String)
        /// The position is beyond the end of the log.
        case future(consumer: String, seq: Int64, last: Int64)
        /// The position is beyond the last record sent.
        case unsent(consumer: String, seq: Int64, sent: Int64)

        /// A short name of the case, for the log.
        package var name: String {
            switch self {
            case .stranger: "stranger"
            case .otherEpoch: "epoch"
            case .future: "future"
            case .unsent: "unsent"
            }
        }

        package var description: String {
            switch self {
            case .stranger(let consumer):
                "\(consumer) acknowledges records but is none of the configured consumers: "
                    + "add it to mqtt.consumers, or take it off the topic"
            case .otherEpoch(let consumer, let epoch):
                "\(consumer) acknowledges records of another epoch (\(epoch)); ignored"
            case .future(let consumer, let seq, let last):
                "\(consumer) acknowledges record \(seq), but the newest is \(last); ignored"
            case .unsent(let consumer, let seq, let sent):
                "\(consumer) acknowledges record \(seq), but only \(sent) were sent; ignored: "
                    + "let nobody but \(consumer) write to its ack topic (spotter.acl)"
            }
        }
    }

    private let log: RecordLog
    /// The position of each receiver.
    package private(set) var positions: [String: Int64] = [:]
    private var persisted: [String: Int64]
    private var persistedAt: ContinuousClock.Instant?

    init(log: RecordLog, receivers: [String]) throws {
        self.log = log
        for receiver in receivers { positions[receiver] = try log.cursor(of: receiver) }
        persisted = positions
    }

    /// The slowest receiver's position.
    var lowest: Int64 { positions.values.min() ?? 0 }

    /// The fastest receiver's position.
    var highest: Int64 { positions.values.max() ?? 0 }

    mutating func advance(_ receiver: String, to seq: Int64) {
        positions[receiver] = max(positions[receiver] ?? 0, seq)
    }

    /// Moves a consumer's cursor to an acknowledged position.
    ///
    /// - Parameter sent: the newest position ever sent.
    /// - Returns: whether the cursor moved. An older acknowledgement changes nothing; a retained one arrives with every
    ///   connection.
    /// - Throws: ``Refusal``, or ``HistoryError`` when the log cannot be read.
    mutating func move(
        _ consumer: String, to position: ConsumerPosition, sent: Int64, hasConsumers: Bool
    ) throws -> Bool {
        guard hasConsumers, let known = positions[consumer] else { throw Refusal.stranger(consumer) }
        guard position.epoch == log.epoch else {
            throw Refusal.otherEpoch(consumer: consumer, epoch: String(position.epoch.prefix(36)))
        }
        guard position.seq > known else { return false }
        let last = try log.lastSeq()
        guard position.seq <= last else { throw Refusal.future(consumer: consumer, seq: position.seq, last: last) }
        guard position.seq <= sent else { throw Refusal.unsent(consumer: consumer, seq: position.seq, sent: sent) }
        positions[consumer] = position.seq
        return true
    }

    mutating func persist(_ now: ContinuousClock.Instant, wall: Date, interval: Duration) throws {
        let changed = positions.filter { $0.value > persisted[$0.key] ?? 0 }
        guard !changed.isEmpty else { return }
        if let persistedAt, now - persistedAt < interval { return }
        persistedAt = now
        for (receiver, seq) in changed {
            try log.advance(receiver, to: seq, wall: wall)
            persisted[receiver] = seq
        }
    }
}

/// `ack/<consumer>`: the consumer has stored everything up to `seq`.
package struct ConsumerPosition: Codable, Equatable, Sendable {
    /// The epoch of the log that `seq` belongs to.
    package var epoch: String
    /// The last position that is stored.
    package var seq: Int64

    /// The position `seq` in the epoch `epoch`.
    package init(epoch: String, seq: Int64) {
        self.epoch = epoch
        self.seq = seq
    }
}
