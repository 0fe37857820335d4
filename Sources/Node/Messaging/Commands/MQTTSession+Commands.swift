import Contract
import Foundation
import History
import Records

extension MQTTSession {
    /// Carries out a command that needs only the history and the messaging thread.
    ///
    /// - Returns: the data of the response.
    /// - Throws: ``CommandError``, or ``HistoryError`` from the history.
    func answer(_ command: SessionCommand) throws -> JSONValue {
        switch command {
        case .ping: ["sid": .integer(sid), "sw": .text(loop.outgoing.info?.sw ?? "")]
        case .info: try json(loop.outgoing.completeInfo(lastSeq: loop.store.records.lastSeq))
        case .health: try json(currentHealth())
        case .sync(let epoch, let from, let to): try sync(epoch, from, to)
        case .deleteSession(let id): try deleteSession(id)
        case .correctSet(let number, let session, let change): try correctSet(number, session, change)
        }
    }

    /// The cameras that a command may name.
    var knownCameras: [String] { loop.outgoing.info?.cameras.map(\.id) ?? [] }

    /// Queues a range of records for sending again. Positions that no longer hold a record are declared in gap records,
    /// which are sent, too.
    private func sync(_ epoch: String, _ from: Int64, _ end: Int64?) throws -> JSONValue {
        let log = loop.store.records
        guard epoch == log.epoch else {
            throw CommandError(.unknownEpoch, "this history's epoch is \(log.epoch); records of other epochs are lost")
        }
        let last = try log.lastSeq()
        if let end, end < from {
            throw CommandError(.invalidArguments, "to_seq \(end) is before from_seq \(from): give the first one first")
        }
        let to = min(end ?? last, last)
        guard from <= to else {
            let (first, end) = (JSONValue.integer(from), JSONValue.integer(end ?? from))
            return ["records": 0, "gaps_found": 0, "gaps": [], "from_seq": first, "to_seq": end]
        }
        guard records.replay(from...to) else {
            throw CommandError(.busy, "\(ReplayQueue.maximumRanges) ranges are waiting already", retryable: true)
        }
        let gaps = try log.declareHoles(in: from...to, wall: Date())
        for gap in gaps where !(from...to).contains(gap.seq) { _ = records.replay(gap.seq...gap.seq) }
        records.recordsAvailable()
        let holes = try log.holes(in: from...to)
        let missing = holes.reduce(Int64(0)) { $0 + Int64($1.count) }
        return [
            "records": .integer(to - from + 1 - missing), "from_seq": .integer(from), "to_seq": .integer(to),
            // A list that ends at a hundred says so.
            "gaps_found": .integer(Int64(holes.count)),
            "gaps": .list(
                holes.prefix(100).map { ["from_seq": .integer($0.lowerBound), "to_seq": .integer($0.upperBound)] }),
        ]
    }

    private func deleteSession(_ id: String) throws -> JSONValue {
        switch try loop.store.deleteSession(id, wall: Date()) {
        case .unknown(let missing): throw CommandError(.unknownSession, missing.description)
        case .open: throw CommandError(.sessionOpen, "the session is open: send session_end first", retryable: true)
        case .deleted:
            records.recordsAvailable()
            return ["id": .text(id), "deleted": true]
        }
    }

    /// Corrects a set, or enters its load and exertion. A label must be known.
    private func correctSet(_ number: Int, _ session: String, _ change: SetChange) throws -> JSONValue {
        let model = loop.outgoing.info?.model
        let known = try loop.store.query.storedNames().labels + (model.map { $0.labels } ?? [])
        let days: [DayRow]
        do {
            days = try loop.store.correctSet(number, of: session, to: change, known: known, wall: Date())
        } catch let refusal as CorrectionError {
            switch refusal {
            case .unknownSession: throw CommandError(.unknownSession, refusal.description)
            case .sessionOpen: throw CommandError(.sessionOpen, refusal.description, retryable: true)
            default: throw CommandError(.invalidArguments, refusal.description)
            }
        }
        // The topic of a camera's totals holds today's, so those of earlier days stay off it.
        let today = Calendar.gregorian(in: loop.store.settings.timeZone).dayText(of: Date())
        for day in days where day.day == today { loop.outgoing.retained.set(.counts(day), camera: day.camera) }
        records.recordsAvailable()
        return ["session": .text(session), "set": .integer(Int64(number)), "changed": .bool(!days.isEmpty)]
    }

    private func currentHealth() throws -> HealthPayload? {
        guard var health = loop.outgoing.lastHealth else { return nil }
        health.outbox = try records.outbox(wall: Date())
        health.mqtt = connectionHealth()
        return health
    }

    private func json(_ value: (some Encodable)?) throws -> JSONValue {
        guard let value else { throw CommandError(.failed, "not known yet: ask again in a second", retryable: true) }
        return try JSONDecoder().decode(JSONValue.self, from: Data(try JSONText.encode(value).utf8))
    }
}
