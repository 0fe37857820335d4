import Broker
import Foundation
import History

extension MQTTSession {
    /// Announces the node in the contract's order: its own status first and `online` last, so that a subscriber that
    /// sees `online` finds everything else.
    func announceNode() {
        phase = .online
        loop.connected()
        do {
            try subscribe()
            try lookForLeftOvers()
            send(try status(.starting))
            _ = loop.absorb()
            loop.beginCameras(Date())
            if loop.isDescriptionLeft { send(Discovery.removal(of: loop.topics.node)) }
            // Home Assistant must know new labels and cameras from the description before their first message arrives.
            let isDescriptionNew = loop.describe()
            if isDescriptionNew { try sendDiscovery() }
            if let info = try loop.outgoing.nextInfo(lastSeq: loop.store.records.lastSeq) { send(info) }
            for message in try loop.outgoing.retained.dueMessages(.now, sid: sid, everything: true) { send(message) }
            if !isDescriptionNew { try sendDiscovery() }
            send(try status(.online))
            records.maximumInFlight = min(RecordSender.maximumInFlight, Int(limits.receiveMaximum))
            records.begin()
        } catch {
            loop.log(.warning, "announcing the node failed: \(error)")
        }
        loop.shared.report.withLock { report in
            if report.connections > 0 { report.reconnects += 1 }
            report.connections += 1
            report.isOnline = true
            report.problem = nil
            let passed: [ConnectionTrouble] = [.notAuthorized, .duplicateClientId]
            report.notices.removeAll { notice in passed.contains { $0.rawValue == notice.code } }
        }
        for topic in loop.closing.topics { notice(ConnectionTrouble.notAuthorized.rawValue, loop.leftOutText(topic)) }
    }

    /// Publishes everything that is due: current values before records.
    func publishDue(hurry: Bool = false) throws {
        let now = ContinuousClock.now
        if loop.describe() { try sendDiscovery() }
        if let info = try loop.outgoing.nextInfo(onlyIfNew: true, lastSeq: loop.store.records.lastSeq) { send(info) }
        if loop.discovery?.isBirthAnswerDue(now) == true { try answerBirth(now) }
        forgetCameras()
        clearLeftOvers(now)
        let room = Self.maximumUnacked - unacked.count
        if room > 0 {
            for message in try loop.outgoing.retained.dueMessages(now, sid: sid, hurry: hurry) { send(message) }
            for message in try loop.outgoing.drainEvents(now, limit: room) { send(message) }
        }
        // On a slow connection libmosquitto would queue these without limit.
        if client.isCongested {
            loop.outgoing.dropEphemeral(now)
        } else {
            for message in try loop.outgoing.drainLive() { sendLive(message) }
            for message in loop.outgoing.drainPreviews() { send(message) }
            try sendLog()
            try sendHealth()
        }
        try sendRecords(now)
    }

    /// Removes the retained messages of cameras this node no longer has. Cameras that are only switched off keep
    /// theirs.
    private func forgetCameras() {
        guard !keptCameras.isEmpty, let info = loop.outgoing.info else { return }
        for camera in keptCameras.sorted() {
            guard unacked.count < Self.maximumUnacked else { return }
            keptCameras.remove(camera)
            guard !info.cameras.contains(where: { $0.id == camera }) else { continue }
            for leaf in [CameraTopic.status, .state, .counts, .enabled, .workouts] {
                send(MQTTMessage(topic: loop.topics.camera(camera, leaf), payload: "", retain: true))
            }
            loop.log(.info, "\(camera) is no longer a camera of this node; its retained messages are removed")
        }
    }

    /// A log line that cannot be sent is counted and not logged again.
    private func sendLog() throws {
        for message in try loop.outgoing.drainLog() {
            do { _ = try client.publish(message) } catch { loop.outgoing.count(dropped: 1) }
        }
    }

    private func sendHealth() throws {
        let message = try loop.outgoing.nextHealth(
            outbox: outbox, connection: connectionHealth())
        if let message { send(message) }
    }

    /// The state of the record log for the heartbeat; `nil` when the log cannot be read, so that the heartbeat is sent
    /// all the same.
    func outbox() -> HealthPayload.Outbox? {
        do {
            return try records.outbox(wall: Date())
        } catch {
            loop.complain("the record log could not be read: \(error)", key: "outbox")
            return nil
        }
    }

    func connectionHealth() -> HealthPayload.Connection {
        var connection = HealthPayload.Connection(loop.shared.report.withLock { $0 })
        // A receiver that reads it has it from this connection.
        (connection.online, connection.sid) = (true, sid)
        return connection
    }

    private func sendRecords(_ now: ContinuousClock.Instant) throws {
        // Records come in order, so a topic that is left out holds up those behind it.
        let isLeftOut = RecordType.allCases.contains { loop.closing.isLeftOut(loop.topics.record($0.rawValue), now) }
        guard held.isEmpty, loop.closing.maySend, !isLeftOut else { return }
        let due: [RecordSender.Outbound]
        do {
            due = try records.next(now, wall: Date())
        } catch {
            records.wait(until: now + .seconds(5))
            throw error
        }
        let unsynced = due.contains { $0.record.clock == .unsynced } ? try loop.store.unsynced() : nil
        for outbound in due {
            let record = outbound.record
            let message = RecordEnvelope.message(
                outbound, identity: loop.store.identity, topics: loop.topics, wall: Date(), unsynced: unsynced)
            do {
                let mid = try client.publish(message)
                records.sent(outbound, mid: mid)
                recordsInFlight[mid] = (record.seq, message.payload.utf8.count)
                loop.closing.sent(message.topic, mid: mid, now)
            } catch  where error.isTooLarge {
                quarantine(seq: record.seq, bytes: message.payload.utf8.count)
                records.skip(outbound)
            } catch {
                records.pause(until: now + .seconds(5))
                throw BrokerError.library(action: "sending record \(record.seq)", reason: error.reason)
            }
        }
        try records.persist(now, wall: Date())
    }

    private func quarantine(seq: Int64, bytes: Int) {
        let text =
            "record \(seq) has \(bytes) bytes, more than the broker takes, and is left out of the stream: "
            + "raise the broker's message size limit, then replay it"
        loop.log(.error, text)
        notice("record_too_large", text)
    }

    /// Passes a message to libmosquitto; a refusal is logged with the topic.
    func send(_ message: MQTTMessage) {
        guard !loop.closing.isLeftOut(message.topic, .now) else { return }
        guard held.isEmpty, loop.closing.maySend else { return hold(.message(message)) }
        do {
            let mid = try client.publish(message)
            if message.qos > 0 { unacked[mid] = message.topic }
            loop.closing.sent(message.topic, mid: message.qos > 0 ? mid : nil, .now)
        } catch {
            loop.outgoing.count(dropped: 1)
            loop.complain("a message to \(message.topic) was not sent (\(error.reason))", key: "send")
        }
    }

    /// The most packets that a careful connection holds back.
    private static let maximumHeld = 1_000

    func hold(_ packet: Packet) {
        guard held.count < Self.maximumHeld else { return loop.outgoing.count(dropped: 1) }
        held.append(packet)
    }

    /// Sends the next packets that a careful connection holds back.
    func sendHeld() throws {
        if loop.closing.survive(.now) { withdrawNotice(ConnectionTrouble.notAuthorized.rawValue, "is left out") }
        while loop.closing.maySend, !held.isEmpty {
            // What is sent now must not be held back again.
            let (packet, rest) = (held[0], held.dropFirst())
            held = []
            switch packet {
            case .message(let message): send(message)
            case .subscription(let subscription): try subscribe(subscription)
            }
            held = Array(rest)
        }
    }

    /// Adds a problem to the report.
    ///
    /// - Returns: whether it is new.
    @discardableResult
    func notice(_ code: String, _ text: String) -> Bool {
        loop.shared.report.withLock { $0.notice(Problem(code: code, since: Date(), message: text)) }
    }

    /// Takes back the notice with this code, if it names `subject`.
    func withdrawNotice(_ code: String, _ subject: String) {
        loop.shared.report.withLock { report in
            report.notices.removeAll { $0.code == code && $0.message?.contains(subject) == true }
        }
    }

    /// Publishes a prediction with a topic alias, if the broker accepts one: the topic itself is sent only once per
    /// connection.
    private func sendLive(_ message: MQTTMessage) {
        var message = message
        if let alias = aliases[message.topic] {
            message.topicAlias = alias
            message.topic = ""
        } else if aliases.count < Int(limits.topicAliases) {
            let alias = UInt16(aliases.count + 1)
            aliases[message.topic] = alias
            message.topicAlias = alias
        }
        send(message)
    }

    func acknowledged(_ mid: Int32, code: Int32) {
        progressAt = .now
        loop.closing.acknowledged(mid)
        let record = recordsInFlight.removeValue(forKey: mid)
        guard records.isRecord(mid: mid) else {
            let topic = unacked.removeValue(forKey: mid)
            if let topic { acknowledged(topic, code: code) }
            return
        }
        switch code {
        case ..<128: _ = records.acknowledged(mid: mid)
        case ReasonCode.packetTooLarge:
            if let record { quarantine(seq: record.seq, bytes: record.bytes) }
            _ = records.acknowledged(mid: mid)
        case ReasonCode.quotaExceeded: records.pause(until: .now + .seconds(5))
        default:
            declined(loop.topics.record("+"), code: code)
            records.pause(until: .now + .seconds(60))
        }
        let acked = records.acked
        loop.shared.report.withLock { $0.ackedSeq = acked }
    }

    private func acknowledged(_ topic: String, code: Int32) {
        if code >= 128 { return declined(topic, code: code) }
        guard loop.isDescriptionLeft, topic == Discovery.configTopic(node: loop.topics.node) else { return }
        do {
            try loop.forgetDescription()
        } catch {
            loop.complain("the removal from Home Assistant could not be stored: \(error)", key: "discovery")
        }
    }

    /// Reports that the broker does not let this node publish to a topic. Other topics are not affected.
    private func declined(_ topic: String, code: Int32) {
        let problem = ConnectionTrouble(code: code, reason: "")
        let text = "the broker declines messages to \(topic) (code \(code)): \(problem.remedy(code: code, reason: ""))"
        // A response topic was chosen by the sender of the command, so its refusal is no problem of this node.
        guard loop.topics.isOwn(topic) else { return loop.complain(text, key: "response") }
        if notice(problem.rawValue, text) { loop.log(.warning, text) }
    }
}
