import Broker
import Foundation
import Records

/// One connection to the hub. It belongs to one thread.
///
/// The session outlives the connection: the hub keeps records for an absent sink. What it loses all the same shows as a
/// hole, because a record counts as delivered only when the sink has acknowledged it to the node.
final class HubConnection {
    /// The most acknowledgements and requests on their way.
    private static let maximumUnanswered = 100
    /// Time to wait for the hub's answers.
    private static let patience = Duration.seconds(20)

    private let client: MQTTClient
    private let wake: SelfPipe
    private let prefix: String
    private let consumer: String
    private let qos: Int32
    private var unanswered: Set<Int32> = []
    private var progressAt = ContinuousClock.now
    private let files: CredentialFileWatch

    /// Connects and subscribes.
    ///
    /// - Throws: ``HubError``, `BrokerError`.
    init(
        _ configuration: SinkConfiguration, version: MQTTClient.ProtocolVersion, wake: SelfPipe,
        isStopping: () -> Bool
    ) throws {
        self.wake = wake
        prefix = configuration.mqtt.prefix
        consumer = configuration.sink.consumer
        qos = Int32(configuration.mqtt.qos)
        let settings = configuration.broker
        files = CredentialFileWatch(settings.files, interval: settings.fileCheckInterval)
        client = try MQTTClient(
            settings: settings, clientId: configuration.clientId, will: nil, version: version,
            session: .durable(seconds: UInt32(configuration.mqtt.sessionHours) * 3600))
        try client.connect(host: settings.host, port: settings.port, keepaliveSeconds: settings.keepaliveSeconds)
        try awaitAnswers(isStopping)
    }

    private var backlog: [ArrivedMessage] = []

    /// Waits for CONNACK, subscribes, and waits for SUBACK. Messages that arrive meanwhile are kept.
    private func awaitAnswers(_ isStopping: () -> Bool) throws {
        let deadline = ContinuousClock.now + Self.patience
        var missing: Set<Int32>?
        while missing?.isEmpty != true {
            guard !isStopping() else { throw HubError.stopping }
            guard .now < deadline else { throw HubError.silent }
            for event in client.turn(timeout: .milliseconds(200), wake: wake) {
                switch event {
                case .connected: missing = Set(try filters.map { try client.subscribe($0, qos: qos) })
                case .refused(let code, let reason): throw HubError.refused(code: code, reason: reason)
                case .lost(let code, let reason): throw HubError.lost(code: code, reason: reason)
                case .subscribed(let mid, let codes):
                    guard codes.allSatisfy({ $0 < 128 }) else { throw HubError.noRights }
                    missing?.remove(mid)
                case .arrived(let message): backlog.append(message)
                case .acknowledged: break
                }
            }
        }
        progressAt = .now
    }

    private var filters: [String] {
        ["rec/#", "status", "info", "health"].map { "\(prefix)/v1/+/+/\($0)" }
    }

    /// Waits for messages up to `timeout`.
    ///
    /// - Throws: ``HubError/lost(code:reason:)`` when the connection is over.
    func messages(timeout: Duration) throws -> [ArrivedMessage] {
        var messages = backlog
        backlog = []
        for event in client.turn(timeout: messages.isEmpty ? timeout : .zero, wake: wake) {
            switch event {
            case .arrived(let message): messages.append(message)
            case .acknowledged(let mid, _):
                unanswered.remove(mid)
                progressAt = .now
            case .lost(let code, let reason), .refused(let code, let reason):
                backlog = messages
                throw HubError.lost(code: code, reason: reason)
            case .connected, .subscribed: break
            }
        }
        if unanswered.isEmpty { progressAt = .now }
        guard .now - progressAt < Self.patience else {
            throw HubError.lost(code: 0, reason: "no acknowledgement within \(Self.patience.components.seconds) s")
        }
        if files.haveChanged(.now) { throw HubError.lost(code: 0, reason: "certificates or password changed") }
        return messages
    }

    /// Messages that came with the end of the connection.
    func rest() -> [ArrivedMessage] {
        defer { backlog = [] }
        return backlog
    }

    /// How many acknowledgements and requests may be sent now.
    var room: Int { client.isCongested ? 0 : max(0, Self.maximumUnanswered - unanswered.count) }

    /// Tells a node that its records up to a position are stored.
    ///
    /// - Throws: `PublishFailure`.
    func send(_ ack: AckQueue.Ack) throws {
        let topics = try Topics(prefix: prefix, site: ack.name.site, node: ack.name.node)
        let message = MQTTMessage(
            topic: topics.acknowledgement(of: consumer), payload: "{\"epoch\":\"\(ack.epoch)\",\"seq\":\(ack.seq)}",
            retain: true)
        unanswered.insert(try client.publish(message))
    }

    /// Asks a node for records.
    ///
    /// - Throws: `PublishFailure`.
    func send(_ request: MissingRecords.Request) throws {
        let topics = try Topics(prefix: prefix, site: request.name.site, node: request.name.node)
        let range = request.range
        let payload = """
            {"id":"\(consumer)-\(UUIDv7.string(at: Date()))","args":{"epoch":"\(request.epoch)",\
            "from_seq":\(range.lowerBound),"to_seq":\(range.upperBound)}}
            """
        unanswered.insert(try client.publish(MQTTMessage(topic: topics.command("sync"), payload: payload)))
    }

    /// Disconnects. The hub keeps the session.
    func disconnect() {
        client.disconnect()
        _ = client.turn(timeout: .milliseconds(100), wake: wake)
    }
}

/// Why there is no connection to the hub.
package enum HubError: Error, Equatable, CustomStringConvertible {
    /// The hub refused the connection.
    case refused(code: Int32, reason: String)
    /// The connection ended.
    case lost(code: Int32, reason: String)
    /// The hub did not answer in time.
    case silent
    /// The hub refused a subscription.
    case noRights
    /// The sink stops.
    case stopping

    package var description: String {
        switch self {
        case .refused(let code, let reason), .lost(let code, let reason):
            "no connection to the hub (\(reason)): \(ConnectionTrouble(code: code, reason: reason).remedyAtSink)"
        case .silent: "the hub did not answer in time: see that it runs and that [mqtt] names it"
        case .noRights:
            "the hub refused a subscription: allow the sink's user to read rec/#, status, info and health of all nodes"
        case .stopping: "the sink stops"
        }
    }

    /// Whether the hub speaks MQTT 3.1.1 only.
    var needsOlderVersion: Bool {
        if case .refused(let code, _) = self { code == ReasonCode.unsupportedVersion } else { false }
    }
}

extension ConnectionTrouble {
    fileprivate var remedyAtSink: String {
        switch self {
        case .unreachable: "see that the hub runs and that [mqtt] names it; the sink retries"
        case .notAuthorized: "correct user, password or certificate in [mqtt], or the hub's rights"
        case .duplicateClientId: "another client uses this client id: give each sink that works its own mqtt.client_id"
        case .tls:
            "check that the port speaks TLS, the CA file, the clock, and that the hub's certificate names mqtt.host and "
                + "is not expired"
        case .badSettings: "correct [mqtt]"
        case .refused: "the hub lacks something that the sink needs, or has no room for it: see its log"
        }
    }
}

extension SinkConfiguration {
    /// The client id; each shard has its own session at the hub.
    var clientId: String {
        sink.shard == "1/1" ? mqtt.clientId : "\(mqtt.clientId)-\(sink.shard.replacing("/", with: "-"))"
    }
}
