import Foundation

/// A short connection to a broker for a command line. It leaves no session and no will behind.
///
/// Belongs to one thread. Uses MQTT 5, or 3.1.1 where the broker refuses version 5.
public final class MQTTProbe {
    /// One received message.
    public struct Message: Sendable, Equatable {
        /// The topic it was published to.
        public let topic: String
        /// The payload's bytes.
        public let payload: [UInt8]
        /// Whether it was a retained message.
        public let isRetained: Bool

        /// The payload decoded as UTF-8.
        public var text: String { String(decoding: payload, as: UTF8.self) }
    }

    private var client: MQTTClient
    private let wake: SelfPipe
    private var received: [Message] = []
    /// How long an answer may take.
    private let patience: Duration

    /// Connects to the broker.
    ///
    /// - Parameter patience: how long each of the broker's answers may take.
    /// - Throws: ``BrokerError`` or ``Refusal``.
    public convenience init(_ settings: BrokerSettings, patience: Duration = .seconds(10)) throws {
        try self.init(settings, clientId: nil, will: nil, patience: patience)
    }

    /// Connects as a node does.
    ///
    /// - Parameters:
    ///   - clientId: `nil` for a random one.
    ///   - will: what the broker publishes when the connection is lost.
    ///   - patience: how long each of the broker's answers may take.
    /// - Throws: ``BrokerError`` or ``Refusal``.
    package init(_ settings: BrokerSettings, clientId: String?, will: MQTTMessage?, patience: Duration) throws {
        try settings.validate()
        wake = try SelfPipe()
        self.patience = patience
        let deadline = ContinuousClock.now + patience
        let id = clientId ?? "spotter-probe-\(UInt32.random(in: .min ... .max))"
        do {
            client = try Self.connect(settings, .v5, id, will, deadline, wake)
        } catch let refusal as Refusal where refusal.code == ReasonCode.unsupportedVersion || refusal.isUnanswered {
            // Some old brokers close the connection instead of an answer. If that was not the reason, the first refusal is.
            do { client = try Self.connect(settings, .v311, id, will, deadline, wake) } catch let second as Refusal {
                throw second.isUnanswered ? refusal : second
            }
        }
    }

    /// The MQTT version: 5, or 3 for 3.1.1.
    public var protocolVersion: Int { client.version == .v5 ? 5 : 3 }

    /// Subscribes to a topic or topic filter.
    ///
    /// - Throws: ``BrokerError/library(action:reason:)``.
    public func subscribe(_ topic: String) throws { try client.subscribe(topic) }

    /// Publishes a message and waits for the broker's acknowledgement.
    ///
    /// - Throws: ``BrokerError/library(action:reason:)`` when it does not arrive in time, ``Refusal``
    ///   when the connection is lost.
    public func publish(_ payload: String, to topic: String, retain: Bool = false) throws {
        guard let reason = try publication(payload, to: topic, retain: retain) else { return }
        throw BrokerError.library(action: "sending to \(topic)", reason: "declined, \(reason)")
    }

    /// Subscribes, and waits for the broker's answer.
    ///
    /// - Parameter deadline: until when to wait; `nil` for the probe's patience.
    /// - Returns: why it refused; `nil` when it did not.
    /// - Throws: ``BrokerError/library(action:reason:)`` without an answer in time, ``Refusal`` when the connection is
    ///   lost.
    package func subscription(to topic: String, until deadline: ContinuousClock.Instant? = nil) throws -> String? {
        let mid = try client.subscribe(topic)
        return try answer("subscribing to \(topic)", until: deadline) { event in
            guard case .subscribed(mid, let codes) = event, let code = codes.first else { return nil }
            return code
        }
    }

    /// Publishes with QoS 1, and waits for the broker's answer.
    ///
    /// - Returns: why it refused; `nil` when it did not.
    /// - Throws: as ``subscription(to:until:)``.
    package func publication(
        _ payload: String, to topic: String, retain: Bool, until deadline: ContinuousClock.Instant? = nil
    ) throws -> String? {
        let action = "sending to \(topic)"
        let mid: Int32
        do { mid = try client.publish(MQTTMessage(topic: topic, payload: payload, retain: retain)) } catch {
            if error.isTooLarge { return "too large" }
            throw BrokerError.library(action: action, reason: error.reason)
        }
        return try answer(action, until: deadline) { event in
            guard case .acknowledged(mid, let code) = event else { return nil }
            return code
        }
    }

    private func answer(
        _ action: String, until deadline: ContinuousClock.Instant?, _ code: (MQTTClient.Event) -> Int32?
    ) throws -> String? {
        let deadline = deadline ?? .now + patience
        while .now < deadline {
            for event in try turn(.milliseconds(100)) {
                if let code = code(event) { return code < 128 ? nil : "code \(code)" }
            }
        }
        throw BrokerError.library(action: action, reason: "no answer in time")
    }

    /// Waits up to `time` for messages and returns all that have arrived. Returns at once when some wait already.
    ///
    /// - Throws: ``Refusal`` when the connection is lost.
    public func messages(within time: Duration) throws -> [Message] {
        let deadline = ContinuousClock.now + time
        while received.isEmpty, .now < deadline { _ = try turn(min(.milliseconds(200), deadline - .now)) }
        defer { received = [] }
        return received
    }

    /// Waits up to `time` for the first message that `isWished` accepts. All other messages received meanwhile are
    /// discarded.
    ///
    /// - Throws: ``Refusal`` when the connection is lost.
    public func message(within time: Duration, where isWished: (Message) -> Bool) throws -> Message? {
        let deadline = ContinuousClock.now + time
        while .now < deadline {
            if let found = try messages(within: deadline - .now).first(where: isWished) { return found }
        }
        return nil
    }

    /// Disconnects.
    public func disconnect() {
        client.disconnect()
        _ = client.turn(timeout: .milliseconds(50), wake: wake)
    }

    private func turn(_ timeout: Duration) throws -> [MQTTClient.Event] {
        let events = client.turn(timeout: timeout, wake: wake)
        for event in events {
            switch event {
            case .arrived(let message):
                received.append(Message(topic: message.topic, payload: message.payload, isRetained: message.retained))
            case .lost(let code, let reason): throw Refusal(code: code, reason: reason)
            default: break
            }
        }
        return events
    }

    private static func connect(
        _ settings: BrokerSettings, _ version: MQTTClient.ProtocolVersion, _ id: String, _ will: MQTTMessage?,
        _ deadline: ContinuousClock.Instant, _ wake: SelfPipe
    ) throws -> MQTTClient {
        let client = try MQTTClient(settings: settings, clientId: id, will: will, version: version, session: .none)
        try client.connect(host: settings.host, port: settings.port, keepaliveSeconds: settings.keepaliveSeconds)
        while .now < deadline {
            for event in client.turn(timeout: .milliseconds(100), wake: wake) {
                switch event {
                case .connected: return client
                case .refused(let code, let reason): throw Refusal(code: code, reason: reason)
                // A broker that understood the greeting would have answered it.
                case .lost(let code, let reason):
                    throw Refusal(code: code, reason: reason, isUnanswered: true, hasTLS: settings.tls != nil)
                default: break
                }
            }
        }
        throw BrokerError.library(
            action: "connecting to \(settings.host):\(settings.port)", reason: "no answer in time")
    }

    /// The broker refused or closed the connection.
    public struct Refusal: Error, CustomStringConvertible {
        /// The reason code.
        package let code: Int32
        /// The broker's words.
        package let reason: String
        /// Whether the connection was cut before the broker said anything.
        package var isUnanswered = false
        /// Whether this side spoke TLS.
        package var hasTLS = false

        public var description: String {
            "the broker closed the connection (\(reason)): \(remedy)"
        }

        private var remedy: String {
            let trouble = ConnectionTrouble(code: code, reason: reason)
            guard isUnanswered, trouble == .unreachable else { return trouble.remedy(code: code, reason: reason) }
            return hasTLS
                ? "the port may not speak TLS: empty mqtt.ca_file, or take the port with TLS, often 8883"
                : "the port may speak TLS: set mqtt.ca_file, or take the port without TLS, often 1883"
        }
    }
}
