import Broker
import Foundation
import History
import Records

/// One session of the node at the broker: announces the node, publishes changes, sends records, and disconnects.
final class MQTTSession {
    /// How a session ended.
    struct End {
        /// The broker's reason code, or 0.
        var code: Int32
        var trouble: ConnectionTrouble
        var reason: String
        /// Whether the connection closed before the broker answered at all.
        var wasSilent = false
        /// Whether the broker had accepted the connection.
        var wasEstablished = false
        /// Whether an established connection was closed from outside without a reason.
        var wasTornDown = false
        /// Whether the node itself wants a new connection at once.
        var isWanted = false

        /// What an operator can do about it.
        var remedy: String { trouble.remedy(code: code, reason: reason) }
    }

    /// Something to send.
    enum Packet {
        case message(MQTTMessage)
        case subscription(Subscription)
    }

    enum Phase: Equatable {
        case connecting(since: ContinuousClock.Instant)
        case online
        /// Everything is sent; the status `stopped` is on its way.
        case leaving
    }

    /// Time to wait for CONNACK.
    private static let connectTimeout = Duration.seconds(20)
    /// Time to wait for an acknowledgement. A broker may answer pings and yet be stuck.
    private static let acknowledgementTimeout = Duration.seconds(30)
    /// The most messages, not counting records, that may wait for their acknowledgement.
    static let maximumUnacked = 50
    /// The most unacknowledged messages beside which commands are still answered.
    static let maximumAnswers = 2_000
    /// The most former cameras whose retained messages are removed in one connection.
    static let maximumKeptCameras = 64

    let loop: MQTTReconnectLoop
    let client: MQTTClient
    let sid: Int64
    var records: RecordSender
    /// The position and the size of each record that the broker has not acknowledged, by packet id.
    var recordsInFlight: [Int32: (seq: Int64, bytes: Int)] = [:]
    var phase: Phase
    /// Cameras with a retained status at the broker, until ``publishDue(hurry:)`` has compared them with the configured
    /// ones.
    var keptCameras: Set<String> = []
    /// What the broker retains at former homes of the node, until ``clearLeftOvers(_:)`` has removed it.
    var leftOvers: [TopicHome: HomeLeftOvers] = [:]
    /// When the last of it arrived; `nil` once it is dealt with.
    var leftOversAt: ContinuousClock.Instant?
    /// The limits the broker announced.
    var limits = BrokerLimits()
    /// What a careful connection sends when the packet before is acknowledged.
    var held: [Packet] = []
    /// Subscriptions by the packet id of their SUBSCRIBE, until they are answered.
    var subscriptions: [Int32: Subscription] = [:]
    /// Subscriptions that the broker refused, and when to ask for them again.
    var refusedSubscriptions: [(subscription: Subscription, dueAt: ContinuousClock.Instant)] = []
    /// The topic alias of each live topic in this connection.
    var aliases: [String: UInt16] = [:]
    /// Topics of unacknowledged messages, by packet id.
    var unacked: [Int32: String] = [:]
    var repairedAt: ContinuousClock.Instant?
    /// Whether another node uses this node's id.
    var isDuplicate = false
    /// When the broker last acknowledged something, or when nothing was unacknowledged.
    var progressAt = ContinuousClock.now
    let boot = BootId.current()

    init(loop: MQTTReconnectLoop, sid: Int64, version: MQTTClient.ProtocolVersion) throws {
        self.loop = loop
        self.sid = sid
        phase = .connecting(since: .now)
        records = try loop.records()
        let will = MQTTMessage(
            topic: loop.topics.status, payload: try JSONText.encode(StatusPayload(state: .offline, sid: sid)),
            retain: true)
        client = try MQTTClient(
            settings: loop.settings.broker, clientId: "spotter-\(loop.topics.node)", will: will, version: version,
            session: .brief)
    }

    func connect() throws {
        let settings = loop.settings
        try client.connect(
            host: settings.host, port: settings.port, keepaliveSeconds: settings.keepaliveSeconds)
    }

    /// Runs until the connection is lost or the node stops.
    ///
    /// - Returns: why the connection was lost; `nil` after a clean disconnect.
    func run() -> End? {
        defer { finish() }
        while true {
            for event in client.turn(timeout: .milliseconds(200), wake: loop.shared.wake) {
                if let end = handle(event) { return end.reason.isEmpty ? nil : end }
            }
            if isDuplicate { return duplicateEnd }
            if loop.absorb() { records.recordsAvailable() }
            loop.summarizeComplaints()
            do {
                switch phase {
                case .connecting(let since): if let end = checkConnectTimeout(since) { return end }
                case .online:
                    try sendHeld()
                    try answer()
                    try retrySubscriptions(.now)
                    try publishDue()
                    if let end = checkProgress() ?? checkFiles() { return end }
                case .leaving: break
                }
            } catch {
                loop.complain("a message could not be sent: \(error)", key: "turn")
            }
            if let stopBy = loop.stopBy, !isStaying(until: stopBy) { return nil }
        }
    }

    private func checkConnectTimeout(_ since: ContinuousClock.Instant) -> End? {
        loop.outgoing.dropEphemeral(.now)
        guard .now - since > Self.connectTimeout else { return nil }
        return End(code: 0, trouble: .unreachable, reason: "no answer within 20 s", wasSilent: true)
    }

    private func checkProgress() -> End? {
        let now = ContinuousClock.now
        if unacked.isEmpty, !records.isWaiting { progressAt = now }
        guard now - progressAt > Self.acknowledgementTimeout else { return nil }
        return End(code: 0, trouble: .unreachable, reason: "no acknowledgement within 30 s")
    }

    /// Handles one event.
    ///
    /// - Returns: the end of the session, if the event ends it. An empty reason means a clean disconnect.
    private func handle(_ event: MQTTClient.Event) -> End? {
        switch event {
        case .connected(let limits):
            self.limits = limits
            announceNode()
        case .refused(let code, let reason):
            return End(code: code, trouble: ConnectionTrouble(code: code, reason: reason), reason: reason)
        case .subscribed(let mid, let codes): subscribed(mid, codes)
        case .acknowledged(let mid, let code): acknowledged(mid, code: code)
        case .arrived(let message): receive(message)
        case .lost(let code, let reason):
            if phase == .leaving { return End(code: 0, trouble: .unreachable, reason: "") }
            var end = End(code: code, trouble: ConnectionTrouble(code: code, reason: reason), reason: reason)
            if case .connecting = phase { end.wasSilent = true } else { end.wasEstablished = true }
            end.wasTornDown = end.wasEstablished && code < 128
            return end
        }
        return nil
    }

    /// Sends no DISCONNECT. So the broker publishes the will, and subscribers notice when the other node is gone as well.
    private var duplicateEnd: End {
        End(
            code: 0, trouble: .duplicateClientId, reason: "another node wrote this node's status",
            wasEstablished: true)
    }

    /// Reconnects at once when a certificate or the password was renewed, so that mistakes show now and not at the next
    /// connection failure.
    private func checkFiles() -> End? {
        guard loop.files.haveChanged(.now) else { return nil }
        loop.log(.info, "certificates or password changed; reconnecting")
        disconnectCleanly()
        return End(code: 0, trouble: .unreachable, reason: "certificates or password changed", isWanted: true)
    }

    private func finish() {
        loop.shared.report.withLock { $0.isOnline = false }
        loop.remember(records)
        do {
            try records.persist(.now, wall: Date(), force: true)
        } catch {
            loop.log(
                .warning, "the record log's position could not be stored, so some records are sent twice: \(error)")
        }
    }
}
