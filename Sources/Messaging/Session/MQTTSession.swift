import Foundation
import History

/// One life of the node's connection: greets, tells what changes, sends the records, and says good-bye.
final class MQTTSession {
    /// How a life ended.
    struct End {
        /// The broker's reason code, or 0.
        var code: Int32
        var trouble: ConnectionTrouble
        var reason: String
        /// Whether the connection closed before the broker said anything at all.
        var wasSilent = false
        /// Whether the broker had accepted the connection.
        var wasEstablished = false
        /// Whether an established connection was closed from outside without a reason.
        var wasTornDown = false
        /// Whether the node itself wants a new connection at once.
        var isWanted = false
    }

    enum Phase: Equatable {
        case connecting(since: ContinuousClock.Instant)
        case online
        /// Everything is told; `stopped` is on its way.
        case leaving
    }

    /// Answers later than this are none.
    private static let connectPatience = Duration.seconds(20)
    /// An acknowledgement that takes longer than this will not come: a broker may answer pings and yet be stuck.
    private static let acknowledgementPatience = Duration.seconds(30)
    /// Most messages beside the records that may wait for their acknowledgement.
    static let maximumUnacked = 50

    let loop: MQTTReconnectLoop
    let client: MQTTClient
    let sid: Int64
    var records: RecordSender
    var phase: Phase
    /// Of whom the broker keeps something, until it is looked into.
    var keptCameras: Set<String> = []
    /// What the broker said of itself.
    var limits = BrokerLimits()
    /// Subscriptions by number, until they are answered.
    var subscriptions: [Int32: String] = [:]
    /// The number that stands for each live topic in this connection.
    var aliases: [String: UInt16] = [:]
    /// Topics by message number.
    var unacked: [Int32: String] = [:]
    var repairedAt: ContinuousClock.Instant?
    /// Whether another node was seen to use this node's id.
    var isDuplicate = false
    /// When the broker last acknowledged something, or owed nothing.
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
            settings: loop.settings, clientId: "spotter-\(loop.topics.node)", will: will, version: version)
    }

    func connect() throws {
        let settings = loop.settings
        try client.connect(
            host: settings.host, port: settings.port, keepaliveSeconds: settings.keepaliveSeconds)
    }

    /// Lives until the connection is lost or the node stops.
    ///
    /// - Returns: why it was lost; `nil` after a good-bye.
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
                case .connecting(let since): if let end = checkPatience(since) { return end }
                case .online:
                    try answer()
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

    private func checkPatience(_ since: ContinuousClock.Instant) -> End? {
        loop.outgoing.dropEphemeral(.now)
        guard .now - since > Self.connectPatience else { return nil }
        return End(code: 0, trouble: .unreachable, reason: "no answer within 20 s", wasSilent: true)
    }

    private func checkProgress() -> End? {
        let now = ContinuousClock.now
        if unacked.isEmpty, !records.isWaiting { progressAt = now }
        guard now - progressAt > Self.acknowledgementPatience else { return nil }
        return End(code: 0, trouble: .unreachable, reason: "no acknowledgement within 30 s")
    }

    /// What one event means. An end without a reason is a good-bye.
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

    /// Without DISCONNECT, so that the broker publishes the will if the other node goes away, too.
    private var duplicateEnd: End {
        End(
            code: 0, trouble: .duplicateClientId, reason: "another node wrote this node's status",
            wasEstablished: true)
    }

    /// A renewed certificate or another password counts from now on, not from the next accident on.
    private func checkFiles() -> End? {
        guard loop.files.haveChanged(.now) else { return nil }
        loop.log(.info, "certificates or password changed; connecting anew")
        disconnectCleanly()
        return End(code: 0, trouble: .unreachable, reason: "certificates or password changed", isWanted: true)
    }

    private func finish() {
        loop.shared.report.withLock { $0.isOnline = false }
        loop.remember(records)
        do {
            try records.persist(.now, wall: Date(), force: true)
        } catch {
            loop.log(.warning, "the position in the record log could not be stored, so some records go twice: \(error)")
        }
    }
}
