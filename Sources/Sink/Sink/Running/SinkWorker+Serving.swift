import Broker
import Foundation
import Records

extension SinkWorker {
    /// What is done beside the records, and when next.
    struct Upkeep {
        /// Acknowledgements and requests.
        var answerAt: ContinuousClock.Instant
        /// The sums of changed days.
        var sumsAt: ContinuousClock.Instant
        /// A look at the connection to PostgreSQL.
        var pingAt: ContinuousClock.Instant
        /// Partitions and retention.
        var partitionsAt: ContinuousClock.Instant
        /// When the last message came.
        var quietSince: ContinuousClock.Instant

        init(now: ContinuousClock.Instant) {
            answerAt = now
            sumsAt = now
            pingAt = now + .seconds(5)
            partitionsAt = now + .seconds(21_600)
            quietSince = now
        }
    }

    /// The most days whose sums are computed in one step, so that records never wait for long.
    private static let daysPerStep = 50

    /// Serves one connection to the hub.
    ///
    /// - Returns: whether everything is done, see ``Mode/endsWhenQuietFor``.
    /// - Throws: when the hub or PostgreSQL is gone.
    func serve(_ hub: HubConnection, _ database: SinkDatabase, _ upkeep: inout Upkeep) throws -> Bool {
        let flush = Duration.milliseconds(configuration.sink.flushMilliseconds)
        upkeep.quietSince = .now
        while !stop.isSet {
            do {
                let wait = batch.isEmpty ? Duration.milliseconds(50) : flush - (.now - batchBegan)
                let messages = try hub.messages(timeout: max(.zero, min(wait, .milliseconds(50))))
                if !messages.isEmpty { upkeep.quietSince = .now }
                receive(messages)
            } catch {
                receive(hub.rest())
                throw error
            }
            if batch.count >= configuration.sink.batch || !batch.isEmpty && .now - batchBegan >= flush {
                try store(in: database)
                upkeep.pingAt = .now + .seconds(5)
            }
            // A turn may bring a single message; looking at all nodes after each would take longer than the message.
            if .now >= upkeep.answerAt {
                try answer(hub)
                upkeep.answerAt = .now + .milliseconds(50)
            }
            try keepUp(database, &upkeep)
            if try isOver(hub, database, upkeep) {
                hub.disconnect()
                return true
            }
        }
        if !batch.isEmpty { try store(in: database) }
        // What was just stored is acknowledged before the sink goes.
        let deadline = ContinuousClock.now + .seconds(2)
        while acks.count > 0, .now < deadline {
            try answer(hub)
            receive(try hub.messages(timeout: .milliseconds(50)))
        }
        hub.disconnect()
        if !batch.isEmpty { try store(in: database) }
        return true
    }

    private func isOver(_ hub: HubConnection, _ database: SinkDatabase, _ upkeep: Upkeep) throws -> Bool {
        guard let time = mode.endsWhenQuietFor, batch.isEmpty, acks.count == 0, .now - upkeep.quietSince >= time
        else { return false }
        while try database.refreshDays(limit: Self.daysPerStep) > 0 {}
        return true
    }

    private func receive(_ messages: [ArrivedMessage]) {
        guard !messages.isEmpty else { return }
        let (now, wall) = (ContinuousClock.now, Date())
        for message in messages {
            let incoming = IncomingMessage(
                topic: message.topic, payload: message.payload, prefix: configuration.mqtt.prefix, received: wall)
            switch incoming {
            case .record(let record) where !configuration.shard.has(node: record.node): continue
            case .node(let node) where !configuration.shard.has(node: node.node): continue
            case .node(let node): note(node, isRetained: message.retained, at: now)
            default: break
            }
            if batch.isEmpty { batchBegan = now }
            batch.add(incoming)
        }
        let count = batch.count
        metrics.update { $0.buffered = count }
    }

    /// Looks at what a node says of itself for records that are missing.
    private func note(_ node: IncomingNode, isRetained: Bool, at now: ContinuousClock.Instant) {
        let name = AckQueue.NodeName(site: node.site, node: node.node)
        switch node.kind {
        case .status where node.content.state == "online" && !isRetained: missing.connected(name, at: now)
        case .health:
            guard let pending = node.content.pending, let acked = node.content.acked[configuration.sink.consumer] else {
                break
            }
            let isBehind = missing.note(name, acked: acked, pending: pending, stored: acks.newest(name), at: now)
            if isBehind { acks.repeatLast(name) }
        default: break
        }
    }

    /// Stores the batch, and notes the positions.
    ///
    /// - Throws: when PostgreSQL is gone; the batch is kept.
    func store(in database: SinkDatabase) throws {
        let began = ContinuousClock.now
        let outcome = try database.store(batch)
        let now = ContinuousClock.now
        let stored = batch
        batch = Batch()
        if stored.nodes.keys.contains(where: { $0.kind == .info }) { try tellZones(database) }
        for position in outcome.positions {
            acks.note(position)
            missing.note(position, at: now)
        }
        let wall = Timestamp.milliseconds(Date())
        let (nodes, holes) = (acks.nodes, missing.count)
        metrics.update { counts in
            counts.stored += outcome.stored
            counts.known += outcome.known
            counts.rejected += stored.rejections + outcome.refused
            counts.batches += 1
            counts.buffered = 0
            counts.nodes = nodes
            counts.missing = holes
            counts.batchSeconds.add((now - began).inSeconds)
            for record in stored.records where !record.isHistory {
                let made = Timestamp.milliseconds(text: record.made) ?? wall
                counts.delaySeconds.add(Double(max(0, wall - made)) / 1000)
            }
        }
        if stored.rejections > 0 {
            log.warning("\(stored.rejections) messages do not fit the contract: SELECT * FROM spotter.rejected")
        }
    }

    /// Logs each time zone that PostgreSQL does not know once: the gym's days would differ from the node's in silence.
    private func tellZones(_ database: SinkDatabase) throws {
        let problems = try database.zoneProblems()
        for problem in problems where !toldZones.contains(problem) { log.warning("\(problem)") }
        // One that was put right and comes again is told again.
        toldZones = Set(problems)
    }

    private func answer(_ hub: HubConnection) throws {
        var syncs = 0
        var acknowledged: [AckQueue.Ack] = []
        defer {
            acks.sent(acknowledged, at: .now)
            let sent = (acks: acknowledged.count, syncs: syncs)
            if sent.acks + sent.syncs > 0 {
                metrics.update { ($0.acks, $0.syncs) = ($0.acks + sent.acks, $0.syncs + sent.syncs) }
            }
        }
        do {
            for request in missing.due(.now, limit: hub.room) {
                try hub.send(request)
                syncs += 1
                log.info(
                    "asking \(request.name.node) for records \(request.range.lowerBound) to \(request.range.upperBound)"
                )
            }
            let room = hub.room
            guard room > 0 else { return }
            for ack in acks.due(.now, limit: room) {
                try hub.send(ack)
                acknowledged.append(ack)
            }
        } catch let error as PublishFailure {
            throw HubError.lost(code: error.code, reason: error.reason)
        }
    }

    /// Does what is due beside the records.
    ///
    /// - Throws: when PostgreSQL is gone.
    func keepUp(_ database: SinkDatabase, _ upkeep: inout Upkeep) throws {
        let now = ContinuousClock.now
        if now >= upkeep.sumsAt {
            let done = try database.refreshDays(limit: Self.daysPerStep)
            // Days that are left are done soon, but records come first.
            upkeep.sumsAt = now + (done == Self.daysPerStep ? .milliseconds(500) : .seconds(5))
            upkeep.pingAt = now + .seconds(5)
        }
        if now >= upkeep.partitionsAt {
            try database.maintain(keptMonths: configuration.sink.keepMonths)
            upkeep.partitionsAt = now + .seconds(21_600)
        }
        if now >= upkeep.pingAt {
            try database.ping()
            upkeep.pingAt = now + .seconds(5)
        }
    }
}

extension Duration {
    /// The whole duration in seconds.
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
