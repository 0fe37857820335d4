import Foundation
import History
import Records

/// Reads the record log in order and returns the records to send; acknowledgements move the cursors.
///
/// Without configured consumers the broker's acknowledgement moves the only cursor. With consumers only their
/// acknowledgements count, because a broker may acknowledge a record and lose it with its disk.
///
/// At most twenty records are in flight. Old records are sent at fifty a second, so that they do not delay current
/// ones. While every consumer is ``maximumAhead`` records behind, one is sent every ``aheadInterval``.
package struct RecordSender {
    /// The most records in flight.
    package static let maximumInFlight = 20
    /// The most old or requested records per second.
    package static let replayPerSecond = 50
    /// Old records that no consumer has acknowledged; with more, one is sent every ``aheadInterval``. Otherwise a thousand
    /// nodes that come back would fill the hub faster than the consumer can read, and every lost connection would do it
    /// again. One consumer that keeps up is enough: another one may be gone for good.
    package static let maximumAhead: Int64 = 100
    /// The time from one old record to the next while consumers are that far behind. They do not stop: others listen, too.
    package static let aheadInterval = Duration.seconds(10)
    /// The shortest time between two commits of the cursors, to spare the SD card. A record sent twice after a crash is
    /// recognised by its id and revision.
    package static let persistInterval = Duration.seconds(30)
    /// When a consumer has acknowledged nothing for this long, its records are sent again. The time doubles after each
    /// attempt.
    package static let firstRedelivery = Duration.seconds(600)
    /// The upper limit of the doubled redelivery time.
    package static let lastRedelivery = Duration.seconds(21_600)

    /// A record to send now.
    package struct Outbound: Equatable {
        /// The record.
        package let record: Record
        /// Whether it was requested again. It then counts as history whatever its age.
        package var isReplay = false
    }

    private let log: RecordLog
    private let hasConsumers: Bool
    /// The newest position ever sent. No consumer can have a later one.
    private var mark: SentWatermark
    /// The position of every receiver.
    package private(set) var cursors: Cursors
    /// The ranges that were requested again.
    package private(set) var replays = ReplayQueue()
    /// The most records in flight on this connection; a broker may accept fewer than the default.
    package var maximumInFlight = Self.maximumInFlight
    /// The last position sent on this connection.
    private var sent: Int64 = 0
    private var inFlight: [(seq: Int64, mid: Int32, acked: Bool)] = []
    private var mayHaveMore = true
    private var pausedUntil: ContinuousClock.Instant?
    private var replayWindow: (start: ContinuousClock.Instant, count: Int)?
    /// Until then the next record, an old one, may not be sent, so the log need not be read.
    private var limitedUntil: ContinuousClock.Instant?
    private var redelivery = Self.firstRedelivery
    private var progressAt: ContinuousClock.Instant?

    /// A sender that begins at the slowest cursor.
    ///
    /// - Parameters:
    ///   - consumers: receivers that send their own acknowledgements.
    ///   - store: stores the newest position sent, so that it survives restarts.
    /// - Throws: ``HistoryError`` when a cursor cannot be read.
    package init(log: RecordLog, consumers: [String] = [], store: Store? = nil) throws {
        self.log = log
        hasConsumers = !consumers.isEmpty
        cursors = try Cursors(log: log, receivers: hasConsumers ? consumers : [RecordLog.broker])
        mark = try SentWatermark(store: hasConsumers ? store : nil, log: log, acked: cursors.highest)
        sent = cursors.lowest
    }

    /// The position up to which every receiver has everything.
    package var acked: Int64 { cursors.lowest }

    /// Starts over on a new connection: records that were in flight on the last one are sent again.
    package mutating func begin() {
        inFlight = []
        replays.begin()
        sent = acked
        mayHaveMore = true
        pausedUntil = nil
        limitedUntil = nil
        progressAt = nil
    }

    /// Signals that the log has new records.
    package mutating func recordsAvailable() { mayHaveMore = true }

    /// Whether all records so far were sent and acknowledged by the broker.
    package var isDone: Bool { inFlight.isEmpty && !mayHaveMore }

    /// Whether the broker has acknowledgements outstanding.
    package var isWaiting: Bool { !inFlight.isEmpty || replays.isWaiting }

    /// The records to send now: first those of the log in order, then requested ones.
    ///
    /// - Throws: ``HistoryError`` when the log cannot be read.
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

    /// Records that libmosquitto accepted a record under this packet id.
    package mutating func sent(_ outbound: Outbound, mid: Int32) {
        guard !outbound.isReplay else { return replays.sent(outbound.record, mid: mid) }
        sent = outbound.record.seq
        inFlight.append((outbound.record.seq, mid, false))
    }

    /// Skips a record that can never be sent, for example because the broker accepts no message of its size.
    package mutating func skip(_ outbound: Outbound) {
        guard !outbound.isReplay else { return replays.skip(outbound.record) }
        sent = outbound.record.seq
        inFlight.append((outbound.record.seq, -1, true))
        advance()
    }

    /// Handles a PUBACK.
    ///
    /// - Returns: whether the packet id belongs to a record.
    @discardableResult
    package mutating func acknowledged(mid: Int32) -> Bool {
        if replays.acknowledged(mid: mid) { return true }
        guard let place = inFlight.firstIndex(where: { $0.mid == mid }) else { return false }
        inFlight[place].acked = true
        advance()
        return true
    }

    /// Handles a consumer's acknowledgement.
    ///
    /// - Throws: ``Cursors/Refusal`` for an impossible position; the cursor stays.
    /// - Returns: whether the cursor moved.
    @discardableResult
    package mutating func acknowledged(_ position: ConsumerPosition, by consumer: String) throws -> Bool {
        guard try cursors.move(consumer, to: position, sent: mark.position, hasConsumers: hasConsumers) else {
            return false
        }
        redelivery = Self.firstRedelivery
        limitedUntil = nil
        progressAt = nil
        return true
    }

    /// Queues a range for sending again; `false` when too many ranges wait already.
    package mutating func replay(_ range: ClosedRange<Int64>) -> Bool { replays.add(range) }

    /// Waits until `moment` after a refusal by the broker, then begins again after the last acknowledged record.
    package mutating func pause(until moment: ContinuousClock.Instant) {
        begin()
        pausedUntil = moment
    }

    /// Waits until `moment` before reading the log again, after it could not be read. Records in flight are not
    /// affected.
    package mutating func wait(until moment: ContinuousClock.Instant) { pausedUntil = moment }

    /// Whether the packet id belongs to a record.
    func isRecord(mid: Int32) -> Bool { inFlight.contains { $0.mid == mid } || replays.isRecord(mid: mid) }

    /// Stores the cursors if ``persistInterval`` has passed, or at once with `force`.
    ///
    /// - Throws: ``HistoryError``.
    package mutating func persist(_ now: ContinuousClock.Instant, wall: Date, force: Bool = false) throws {
        try cursors.persist(now, wall: wall, interval: force ? .zero : Self.persistInterval)
    }

    func outbox(wall: Date) throws -> HealthPayload.Outbox {
        try HealthPayload.Outbox(log, acked: cursors.positions, wall: wall)
    }
}

extension RecordSender {
    private mutating func nextOfLog(
        _ now: ContinuousClock.Instant, _ wall: Date, room: Int
    ) throws -> [Record] {
        if let limitedUntil, now < limitedUntil { return [] }
        guard mayHaveMore else { return [] }
        limitedUntil = nil
        let isFarAhead = hasConsumers && sent - cursors.highest >= Self.maximumAhead
        let most = isFarAhead ? 1 : room
        let records = try log.records(after: sent, limit: most)
        let allowed = records.prefix { record in
            let isOld = Timestamp.milliseconds(wall) - record.milliseconds > RecordEnvelope.historyAgeMs
            guard isOld else { return true }
            guard mayReplay(now) > 0 else { return false }
            count(replays: 1)
            if isFarAhead { limitedUntil = now + Self.aheadInterval }
            return true
        }
        if allowed.count < records.count { limitedUntil = replayWindow.map { $0.start + .seconds(1) } }
        mayHaveMore = records.count == most || allowed.count < records.count
        return Array(allowed)
    }

    /// How many old records may still be sent in the current second.
    private mutating func mayReplay(_ now: ContinuousClock.Instant) -> Int {
        if let window = replayWindow, now - window.start < .seconds(1) {
            return Self.replayPerSecond - window.count
        }
        replayWindow = (now, 0)
        return Self.replayPerSecond
    }

    private mutating func count(replays: Int) { replayWindow?.count += replays }

    /// A PUBACK moves the cursor only when all earlier records are acknowledged, too.
    private mutating func advance() {
        while let first = inFlight.first, first.acked {
            if !hasConsumers { cursors.advance(RecordLog.broker, to: first.seq) }
            inFlight.removeFirst()
        }
    }

    /// Records that no consumer acknowledged for a long time may have been lost with the broker; they are sent again.
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
