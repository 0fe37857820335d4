import Foundation
import History

/// Reads the record log forward and hands out what is to be sent; the broker's acknowledgements move the cursor.
///
/// At most twenty records are on the way at a time, and an old backlog goes at fifty a second, so that what happens now
/// is not held up by what happened yesterday.
package struct RecordSender {
    package static let maximumInFlight = 20
    package static let replayPerSecond = 50
    /// Cursor commits are rare, to spare the card: a record sent twice after a crash is known by its id and revision.
    package static let persistInterval = Duration.seconds(5)

    private let log: RecordLog
    /// Up to here everything is acknowledged.
    package private(set) var acked: Int64 = 0
    /// Up to here everything was handed out in this connection.
    private var sent: Int64 = 0
    private var inFlight: [(seq: Int64, mid: Int32, acked: Bool)] = []
    private var persisted: Int64 = 0
    private var persistedAt: ContinuousClock.Instant?
    private var mayHaveMore = true
    private var pausedUntil: ContinuousClock.Instant?
    private var replayWindow: (start: ContinuousClock.Instant, count: Int)?

    /// - Throws: ``HistoryError`` when the cursor cannot be read.
    package init(log: RecordLog) throws {
        self.log = log
        acked = try log.cursor()
        persisted = acked
        sent = acked
    }

    /// A new connection: what was on the way in the last one is sent again.
    package mutating func begin() {
        inFlight = []
        sent = acked
        mayHaveMore = true
        pausedUntil = nil
    }

    package mutating func recordsAvailable() { mayHaveMore = true }

    /// Whether everything written so far was sent and acknowledged.
    package var isDone: Bool { inFlight.isEmpty && !mayHaveMore }

    /// Whether the broker owes an acknowledgement.
    package var isWaiting: Bool { !inFlight.isEmpty }

    /// The next records to send now, in order.
    package mutating func next(_ now: ContinuousClock.Instant, wall: Date) throws -> [Record] {
        if let pausedUntil, now < pausedUntil { return [] }
        let room = Self.maximumInFlight - inFlight.count
        guard mayHaveMore, room > 0 else { return [] }
        let records = try log.records(after: sent, limit: room)
        mayHaveMore = records.count == room
        let allowed = records.prefix { isAllowed($0, now, wall) }
        if allowed.count < records.count { mayHaveMore = true }
        return Array(allowed)
    }

    /// The record was handed to the library under this number.
    package mutating func sent(_ record: Record, mid: Int32) {
        sent = record.seq
        inFlight.append((record.seq, mid, false))
    }

    /// The record can never be sent, as when the broker takes nothing of its size: the stream goes on without it.
    package mutating func skip(_ record: Record) {
        sent = record.seq
        inFlight.append((record.seq, -1, true))
        advance()
    }

    /// - Returns: whether the acknowledgement was for a record.
    package mutating func acknowledged(mid: Int32) -> Bool {
        guard let place = inFlight.firstIndex(where: { $0.mid == mid }) else { return false }
        inFlight[place].acked = true
        advance()
        return true
    }

    /// The broker declined: waits, then begins again behind the last acknowledged record.
    package mutating func pause(until moment: ContinuousClock.Instant) {
        begin()
        pausedUntil = moment
    }

    /// Whether the library's number belongs to a record.
    func isRecord(mid: Int32) -> Bool { inFlight.contains { $0.mid == mid } }

    func seq(mid: Int32) -> Int64? { inFlight.first { $0.mid == mid }?.seq }

    /// Writes the cursor down when it is time.
    package mutating func persist(_ now: ContinuousClock.Instant, wall: Date, force: Bool = false) throws {
        guard acked > persisted else { return }
        if let persistedAt, !force, now - persistedAt < Self.persistInterval { return }
        persistedAt = now
        try log.advance(to: acked, wall: wall)
        persisted = acked
    }

    func outbox(wall: Date) throws -> HealthPayload.Outbox {
        let (count, oldest) = try log.pending(after: acked)
        let age = oldest.map { max(0, Timestamp.milliseconds(wall) - $0) / 1000 } ?? 0
        return HealthPayload.Outbox(pending: count, oldestSeconds: Int(age), acked: [RecordLog.broker: acked])
    }

    /// The cursor stands before the first record that is still on the way.
    private mutating func advance() {
        while let first = inFlight.first, first.acked {
            acked = first.seq
            inFlight.removeFirst()
        }
    }

    private mutating func isAllowed(_ record: Record, _ now: ContinuousClock.Instant, _ wall: Date) -> Bool {
        guard Timestamp.milliseconds(wall) - record.milliseconds > RecordEnvelope.historyAgeMs else { return true }
        var window = replayWindow ?? (now, 0)
        if now - window.start >= .seconds(1) { window = (now, 0) }
        guard window.count < Self.replayPerSecond else { return false }
        window.count += 1
        replayWindow = window
        return true
    }
}
