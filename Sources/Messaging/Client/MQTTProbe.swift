import Foundation

/// A short visit at a broker, for a command line: listens and speaks, and leaves no session and no will behind.
///
/// Belongs to one thread. Speaks MQTT 5, and 3.1.1 where the broker refuses that.
public final class MQTTProbe {
    /// One message that was heard.
    public struct Message: Sendable, Equatable {
        public let topic: String
        public let payload: [UInt8]
        /// Whether the broker had kept it.
        public let isRetained: Bool

        public var text: String { String(decoding: payload, as: UTF8.self) }
    }

    private var client: MQTTClient
    private let wake: SelfPipe
    private var heard: [Message] = []

    /// Connects.
    ///
    /// - Throws: ``MessagingError``, with what to do.
    public init(_ settings: MQTTSettings, patience: Duration = .seconds(10)) throws {
        try settings.validate()
        wake = try SelfPipe()
        let deadline = ContinuousClock.now + patience
        do {
            client = try Self.connect(settings, .v5, deadline, wake)
        } catch let refusal as Refusal where refusal.code == ReasonCode.unsupportedVersion {
            client = try Self.connect(settings, .v311, deadline, wake)
        }
    }

    /// 5 or 3 (for 3.1.1).
    public var protocolVersion: Int { client.version == .v5 ? 5 : 3 }

    public func subscribe(_ topic: String) throws { try client.subscribe(topic) }

    /// Sends, and waits until the broker has it.
    ///
    /// - Throws: ``MessagingError/library(action:reason:)`` when it does not take it within ten seconds.
    public func publish(_ payload: String, to topic: String, retain: Bool = false) throws {
        let action = "sending to \(topic)"
        let mid: Int32
        do {
            mid = try client.publish(MQTTMessage(topic: topic, payload: payload, retain: retain))
        } catch {
            throw MessagingError.library(action: action, reason: error.reason)
        }
        let deadline = ContinuousClock.now + .seconds(10)
        while .now < deadline {
            for event in try turn(.milliseconds(100)) {
                guard case .acknowledged(mid, let code) = event else { continue }
                guard code < 128 else { throw MessagingError.library(action: action, reason: "declined, code \(code)") }
                return
            }
        }
        throw MessagingError.library(action: action, reason: "no acknowledgement within 10 s")
    }

    /// What is heard within a time; at once when something waits already.
    public func messages(within time: Duration) throws -> [Message] {
        let deadline = ContinuousClock.now + time
        while heard.isEmpty, .now < deadline { _ = try turn(min(.milliseconds(200), deadline - .now)) }
        defer { heard = [] }
        return heard
    }

    /// The first message that is as wished, within a time; what else was heard meanwhile is lost.
    public func message(within time: Duration, where isWished: (Message) -> Bool) throws -> Message? {
        let deadline = ContinuousClock.now + time
        while .now < deadline {
            if let found = try messages(within: deadline - .now).first(where: isWished) { return found }
        }
        return nil
    }

    /// Says good-bye.
    public func disconnect() {
        client.disconnect()
        _ = client.turn(timeout: .milliseconds(50), wake: wake)
    }

    private func turn(_ timeout: Duration) throws -> [MQTTClient.Event] {
        let events = client.turn(timeout: timeout, wake: wake)
        for event in events {
            switch event {
            case .arrived(let message):
                heard.append(Message(topic: message.topic, payload: message.payload, isRetained: message.retained))
            case .lost(let code, let reason): throw Refusal(code: code, reason: reason)
            default: break
            }
        }
        return events
    }

    private static func connect(
        _ settings: MQTTSettings, _ version: MQTTClient.ProtocolVersion, _ deadline: ContinuousClock.Instant,
        _ wake: SelfPipe
    ) throws -> MQTTClient {
        let id = "spotter-probe-\(UInt32.random(in: .min ... .max))"
        let client = try MQTTClient(settings: settings, clientId: id, will: nil, version: version)
        try client.connect(host: settings.host, port: settings.port, keepaliveSeconds: settings.keepaliveSeconds)
        while .now < deadline {
            for event in client.turn(timeout: .milliseconds(100), wake: wake) {
                switch event {
                case .connected: return client
                case .refused(let code, let reason), .lost(let code, let reason):
                    throw Refusal(code: code, reason: reason)
                default: break
                }
            }
        }
        throw MessagingError.library(
            action: "connecting to \(settings.host):\(settings.port)", reason: "no answer in time")
    }

    /// The broker let us not in, or threw us out.
    public struct Refusal: Error, CustomStringConvertible {
        let code: Int32
        let reason: String
        public var description: String {
            "the broker closed the connection (\(reason)): \(ConnectionTrouble(code: code, reason: reason).remedy)"
        }
    }
}
