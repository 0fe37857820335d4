/// Records that nodes have sent and the sink does not have, and when to ask for them again.
///
/// A record that is missing between others shows as a hole. One that is missing after the last shows in the node's
/// `health`: the node waits for an acknowledgement, and nothing comes.
package struct MissingRecords {
    /// How patient the sink is.
    package struct Patience: Sendable {
        /// How long something must be missing before it is asked for.
        package var first = Duration.seconds(30)
        /// The longest time between two requests for the same records. The time doubles up to it.
        package var last = Duration.seconds(3600)
        /// How often the same records are asked for. After that the sink waits for the node's next connection.
        package var attempts = 12
        /// The most records of one request.
        package var records: Int64 = 10_000
        /// The most requests of one second, over all nodes.
        package var perSecond = 20

        /// The default patience.
        package init() {}
    }

    /// Records to ask for with `cmd/sync`.
    package struct Request: Sendable, Equatable {
        /// Whom to ask.
        package let name: AckQueue.NodeName
        /// Which of its histories.
        package let epoch: String
        /// The positions.
        package let range: ClosedRange<Int64>
    }

    private struct Entry {
        var epoch: String
        var range: ClosedRange<Int64>
        /// When the records are asked for next.
        var dueAt: ContinuousClock.Instant
        var attempts = 0
        /// Whether the range lies after the last stored position.
        var isTail: Bool
    }

    private let patience: Patience
    private var entries: [AckQueue.NodeName: Entry] = [:]
    /// How far each node was when its `health` reported unacknowledged records.
    private var stalls: [AckQueue.NodeName: Int64] = [:]
    private var window: (start: ContinuousClock.Instant, count: Int)?

    /// Nothing is missing.
    package init(patience: Patience = Patience()) { self.patience = patience }

    /// How many nodes have records that are missing.
    package var count: Int { entries.count }

    /// Notes how far a node's records are stored.
    package mutating func note(_ position: StreamPosition, at now: ContinuousClock.Instant) {
        // Nobody can send what an abandoned history has lost.
        guard position.isCurrent else { return }
        let name = AckQueue.NodeName(site: position.site, node: position.node)
        if let missing = position.missing {
            return watch(name, position.epoch, missing, isTail: false, at: now)
        }
        guard let entry = entries[name] else { return }
        let isOver =
            !entry.isTail || entry.epoch != position.epoch || position.prefix >= entry.range.upperBound
        if isOver {
            entries[name] = nil
        } else if position.prefix >= entry.range.lowerBound {
            watch(name, position.epoch, position.prefix + 1...entry.range.upperBound, isTail: true, at: now)
        }
    }

    /// Notes what a node says of its unacknowledged records.
    ///
    /// - Parameters:
    ///   - acked: the last position that the node knows to be stored.
    ///   - pending: how many records it holds after that.
    ///   - stored: the last position that is stored in its history; `nil` when the history is unknown.
    /// - Returns: whether the node does not know of the newest acknowledgement.
    package mutating func note(
        _ name: AckQueue.NodeName, acked: Int64, pending: Int64, stored: AckQueue.Ack?, at now: ContinuousClock.Instant
    ) -> Bool {
        guard let stored else { return false }
        guard acked <= stored.seq else {
            // The database is older than the acknowledgement: it was restored from a backup.
            watch(name, stored.epoch, stored.seq + 1...acked, isTail: true, at: now)
            return false
        }
        if acked < stored.seq { return true }
        // A node that is sending has pending records, too. Something is wrong only if nothing comes from one heartbeat
        // to the next.
        let isStalled = pending > 0 && stalls[name] == stored.seq
        stalls[name] = pending > 0 ? stored.seq : nil
        if isStalled, entries[name] == nil {
            let end = stored.seq.addingClamped(pending)
            watch(name, stored.epoch, stored.seq + 1...end, isTail: true, at: now)
        }
        return false
    }

    /// A node has connected: what was asked for in vain is asked for again.
    package mutating func connected(_ name: AckQueue.NodeName, at now: ContinuousClock.Instant) {
        guard var entry = entries[name] else { return }
        entry.attempts = 0
        entry.dueAt = now + patience.first
        entries[name] = entry
    }

    /// Asks for a range without waiting.
    package mutating func askNow(
        _ name: AckQueue.NodeName, epoch: String, range: ClosedRange<Int64>, at now: ContinuousClock.Instant
    ) {
        entries[name] = Entry(epoch: epoch, range: range, dueAt: now, isTail: true)
    }

    /// Takes the requests to send now. Each counts as an attempt.
    ///
    /// - Parameter limit: the most requests that can be sent now.
    package mutating func due(_ now: ContinuousClock.Instant, limit: Int = .max) -> [Request] {
        if window.map({ now - $0.start >= .seconds(1) }) ?? true { window = (now, 0) }
        var requests: [Request] = []
        for (name, entry) in entries where entry.dueAt <= now && entry.attempts < patience.attempts {
            guard requests.count < limit, (window?.count ?? 0) + requests.count < patience.perSecond else { break }
            let end = min(entry.range.upperBound, entry.range.lowerBound.addingClamped(patience.records - 1))
            requests.append(Request(name: name, epoch: entry.epoch, range: entry.range.lowerBound...end))
        }
        for request in requests {
            guard var entry = entries[request.name] else { continue }
            entry.attempts += 1
            entry.dueAt = now + min(patience.last, patience.first * (1 << min(entry.attempts, 16)))
            entries[request.name] = entry
        }
        window?.count += requests.count
        return requests
    }

    private mutating func watch(
        _ name: AckQueue.NodeName, _ epoch: String, _ range: ClosedRange<Int64>, isTail: Bool,
        at now: ContinuousClock.Instant
    ) {
        if let known = entries[name], known.epoch == epoch, known.isTail == isTail,
            known.range.lowerBound == range.lowerBound
        {
            entries[name]?.range = range
            return
        }
        // Something of it has come, or it is new: the rest may be on its way.
        entries[name] = Entry(epoch: epoch, range: range, dueAt: now + patience.first, isTail: isTail)
    }
}

extension Int64 {
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, isTooFar) = addingReportingOverflow(other)
        return isTooFar ? .max : sum
    }
}
