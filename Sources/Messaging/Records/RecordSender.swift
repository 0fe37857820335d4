import Foundation
import History

/// Reads the record log forward and hands out what is to be sent; acknowledgements move the cursors.
///
/// Without configured consumers the broker's acknowledgement is all there is, and moves the one cursor. With them only
/// they do: a broker may acknowledge and lose everything with its disk.
///
/// At most twenty records are on the way at a time, and what is old goes at fifty a second, so that what happens now is
/// not held up by what happened yesterday.
package struct RecordSender {
    package static let maximumInFlight = 20
    package static let replayPerSecond = 50
    /// Cursor commits are rare, to spare the card: a record sent twice after a crash is known by its id and revision.
    package static let persistInterval = Duration.seconds(30)
    /// After so long without a word from a consumer its records are sent again, then after twice as long.
    package static let firstRedelivery = Duration.seconds(600)
    package static let lastRedelivery = Duration.seconds(21_600)

    /// A record to send now.
    package struct Outbound: Equatable {
        package let record: Record
        /// Whether somebody asked for it, so that it is history however young it is.
        package var isReplay = false
    }

    private let log: RecordLog
    private let hasConsumers: Bool
    /// Up to where anything was ever sent: no consumer can have more.
    private var mark: SentWatermark
    package private(set) var cursors: Cursors
    package private(set) var replays = ReplayQueue()
    /// Most records on the way; a broker may take less than we would send.
    package var maximumInFlight = Self.maximumInFlight
    /// Up to here everything was handed out in this connection.
    private var sent: Int64 = 0
    private var inFlight: [(seq: Int64, mid: Int32, acked: Bool)] = []
    private var mayHaveMore = true
    private var pausedUntil: ContinuousClock.Instant?
    private var replayWindow: (start: ContinuousClock.Instant, count: Int)?
    private var redelivery = Self.firstRedelivery
    private var progressAt: ContinuousClock.Instant?

    /// - Parameters:
    ///   - consumers: receivers that acknowledge themselves.
    ///   - store: where it is kept over restarts up to where records were sent.
    /// - Throws: ``HistoryError`` when a cursor cannot be read.
    package init(log: RecordLog, consumers: [String] = [], store: Store? = nil) throws {
        self.log = log
        hasConsumers = !consumers.isEmpty
        cursors = try Cursors(log: log, receivers: hasConsumers ? consumers : [RecordLog.broker])
        mark = try SentWatermark(store: hasConsumers ? store : nil, log: log, acked: cursors.highest)
        sent = cursors.lowest
    }

    /// Up to here everybody has everything.
    package var acked: Int64 { cursors.lowest }

    /// A new connection: what was on the way in the last one is sent again.
    package mutating func begin() {
        inFlight = []
        replays.begin()
        sent = acked
        mayHaveMore = true
        pausedUntil = nil
        progressAt = nil
    }

    package mutating func recordsAvailable() { mayHaveMore = true }

    /// Whether everything written so far was sent and taken by the broker.
    package var isDone: Bool { inFlight.isEmpty && !mayHaveMore }

    /// Whether the broker owes an acknowledgement.
    package var isWaiting: Bool { !inFlight.isEmpty || replays.isWaiting }

    /// The next records to send now: the log's in order, then those that were asked for.
    package mutating func next(_ now: ContinuousClock.Instant, wall: Date) throws -> [Outbound] {
        if let pausedUntil, now < pausedUntil { return [] }
        redeliverIfSilent(now)
        let room = maximumInFlight - inFlight.count - replays.inFlight
        guard room > 0 else { return [] }
        var outbound = try nextOfLog(now, wall, room: room).map { Outbound(record: $0) }
        if let last = outbound.last { mark.reserve(last.record.seq) }
        let left = min(room - outbound.count, mayReplay(now))
        if left > 0, !replays.isEmpty {
            let asked = try replays.next(left, from: log)
            count(replays: asked.count)
            outbound += asked.map { Outbound(record: $0, isReplay: true) }
        }
        return outbound
    }

    /// The record was handed to the library under this number.
    package mutating func sent(_ outbound: Outbound, mid: Int32) {
        guard !outbound.isReplay else { return replays.sent(outbound.record, mid: mid) }
        sent = outbound.record.seq
        inFlight.append((outbound.record.seq, mid, false))
    }

    /// The record can never be sent, as when the broker takes nothing of its size: the stream goes on without it.
    package mutating func skip(_ outbound: Outbound) {
        guard !outbound.isReplay else { return replays.skip(outbound.record) }
        sent = outbound.record.seq
        inFlight.append((outbound.record.seq, -1, true))
        advance()
    }

    /// - Returns: whether the acknowledgement was for a record.
    @discardableResult
    package mutating func acknowledged(mid: Int32) -> Bool {
        if replays.acknowledged(mid: mid) { return true }
        guard let place = inFlight.firstIndex(where: { $0.mid == mid }) else { return false }
        inFlight[place].acked = true
        advance()
        return true
    }

    /// A consumer says up to where it has everything.
    ///
    /// - Throws: ``Cursors/Refusal`` for what cannot be; the cursor stays.
    /// - Returns: whether the cursor moved.
    @discardableResult
    package mutating func acknowledged(_ position: ConsumerPosition, by consumer: String) throws -> Bool {
        guard try cursors.move(consumer, to: position, sent: mark.position, hasConsumers: hasConsumers) else {
            return false
        }
        redelivery = Self.firstRedelivery
        progressAt = nil
        return true
    }

    /// Sends a range again, for whoever missed something. `false` when too many ranges wait already.
    package mutating func replay(_ range: ClosedRange<Int64>) -> Bool { replays.add(range) }

    /// The broker declined: waits, then begins again behind the last acknowledged record.
    package mutating func pause(until moment: ContinuousClock.Instant) {
        begin()
        pausedUntil = moment
    }

    /// The log cannot be read: asks it again later. What is on the way stays there.
    package mutating func wait(until moment: ContinuousClock.Instant) { pausedUntil = moment }

    /// Whether the library's number belongs to a record.
    func isRecord(mid: Int32) -> Bool { inFlight.contains { $0.mid == mid } || replays.isRecord(mid: mid) }

    func seq(mid: Int32) -> Int64? { inFlight.first { $0.mid == mid }?.seq }

    /// Writes the cursors down when it is time.
    package mutating func persist(_ now: ContinuousClock.Instant, wall: Date, force: Bool = false) throws {
        try cursors.persist(now, wall: wall, interval: force ? .zero : Self.persistInterval)
    }

    func outbox(wall: Date) throws -> HealthPayload.Outbox {
        let (count, oldest) = try log.pending(after: acked)
        let age = oldest.map { max(0, Timestamp.milliseconds(wall) - $0) / 1000 } ?? 0
        return HealthPayload.Outbox(pending: count, oldestSeconds: Int(age), acked: cursors.positions)
    }
}

extension RecordSender {
    private mutating func nextOfLog(
        _ now: ContinuousClock.Instant, _ wall: Date, room: Int
    ) throws -> [Record] {
        guard mayHaveMore else { return [] }
        let records = try log.records(after: sent, limit: room)
        mayHaveMore = records.count == room
        let allowed = records.prefix { record in
            let isOld = Timestamp.milliseconds(wall) - record.milliseconds > RecordEnvelope.historyAgeMs
            guard isOld else { return true }
            guard mayReplay(now) > 0 else { return false }
            count(replays: 1)
            return true
        }
        if allowed.count < records.count { mayHaveMore = true }
        return Array(allowed)
    }

    /// How many old records may go in this second.
    private mutating func mayReplay(_ now: ContinuousClock.Instant) -> Int {
        if let window = replayWindow, now - window.start < .seconds(1) {
            return Self.replayPerSecond - window.count
        }
        replayWindow = (now, 0)
        return Self.replayPerSecond
    }

    private mutating func count(replays: Int) { replayWindow?.count += replays }

    /// The broker's acknowledgements are in order only when seen from the first that is still on the way.
    private mutating func advance() {
        while let first = inFlight.first, first.acked {
            if !hasConsumers { cursors.advance(RecordLog.broker, to: first.seq) }
            inFlight.removeFirst()
        }
    }

    /// What was sent long ago and acknowledged by nobody may have died with a broker on the way.
    private mutating func redeliverIfSilent(_ now: ContinuousClock.Instant) {
        guard hasConsumers, isDone, sent > acked else {
            progressAt = nil
            return
        }
        guard let since = progressAt else {
            progressAt = now
            return
        }
        guard now - since >= redelivery else { return }
        redelivery = min(redelivery * 2, Self.lastRedelivery)
        sent = acked
        mayHaveMore = true
        progressAt = nil
    }
}
