import Foundation
import History

/// Up to where each receiver has the record log: in memory at once, on disk now and then.
package struct Cursors {
    /// Why an acknowledgement was not believed.
    package enum Refusal: Error, Equatable, CustomStringConvertible {
        case stranger(String)
        case otherEpoch(consumer: String, epoch: String)
        case future(consumer: String, seq: Int64, last: Int64)
        case unsent(consumer: String, seq: Int64, sent: Int64)

        /// Which of them it is.
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

    /// - Parameter sent: up to where anything was ever sent.
    /// - Returns: whether the cursor moved; an acknowledgement from before (a retained one comes with every
    ///   connection) changes nothing.
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

/// `ack/<consumer>`: everything up to `seq` is stored.
package struct ConsumerPosition: Codable, Equatable, Sendable {
    package var epoch: String
    package var seq: Int64

    package init(epoch: String, seq: Int64) {
        self.epoch = epoch
        self.seq = seq
    }
}
