import CMosquitto
import Foundation

/// One life of a connection over libmosquitto, from CONNECT to its end; a new attempt is a new client.
///
/// So the library never carries a message from one life into the next: what has to survive stands in the history.
/// Belongs to one thread, which calls ``turn(timeout:wake:)`` again and again; callbacks run inside that call and only
/// note what happened.
final class MQTTClient {
    enum Event: Equatable {
        /// The broker accepted, and said what it can take.
        case connected(BrokerLimits)
        /// The broker declined with this MQTT 5 reason code (3.1.1 codes are translated).
        case refused(code: Int32, reason: String)
        /// The broker's answers to the subscription of this number; 128 and more are refusals.
        case subscribed(mid: Int32, codes: [Int32])
        /// PUBACK for the message of this number; a `code` of 128 or more means that the broker did not take it.
        case acknowledged(mid: Int32, code: Int32)
        case arrived(ArrivedMessage)
        /// The connection is over. `code` is the library's error, or the broker's reason code from 128 on.
        case lost(code: Int32, reason: String)
    }

    enum ProtocolVersion: Sendable { case v5, v311 }

    let version: ProtocolVersion
    private let isVisitor: Bool
    let handle: OpaquePointer
    let events: CallbackEvents

    /// - Parameter will: what the broker says when the connection breaks; `nil` for a visitor, who leaves no trace.
    /// - Throws: ``MessagingError`` when the library refuses a setting or a file cannot be read.
    init(settings: MQTTSettings, clientId: String, will: MQTTMessage?, version: ProtocolVersion) throws {
        _ = Self.library
        self.version = version
        isVisitor = will == nil
        let events = CallbackEvents()
        self.events = events
        // The object given here comes back in every callback; it lives as long as this client, which frees the handle.
        let object = Unmanaged.passUnretained(events).toOpaque()
        guard let handle = mosquitto_new(clientId, version == .v311 || will == nil, object) else {
            throw MessagingError.library(action: "making an MQTT client", reason: String(cString: strerror(errno)))
        }
        self.handle = handle
        // Everything is initialised from here on: `deinit` runs also when this throws.
        try configure(settings, will: will)
    }

    deinit { mosquitto_destroy(handle) }

    /// Begins to connect. Name lookup and the TCP handshake hold up the calling thread; CONNACK arrives as an event.
    ///
    /// - Throws: ``MessagingError/library(action:reason:)`` when no connection could be made, so that no CONNECT and
    ///   no will reached the broker.
    func connect(host: String, port: Int, keepaliveSeconds: Int) throws {
        var properties = PropertyList()
        if version == .v5, !isVisitor { properties.add(.sessionExpiry, 60) }
        let code = mosquitto_connect_bind_v5(
            handle, host, Int32(port), Int32(keepaliveSeconds), nil, properties.pointer)
        properties.free()
        try check(code, "connecting to \(host):\(port)")
    }

    /// Reads and writes what is there, waiting up to `timeout` for it.
    ///
    /// - Parameter wake: ends the wait when it is rung.
    /// - Returns: what happened, in order. After `lost` or `refused` the client is of no more use.
    func turn(timeout: Duration, wake: SelfPipe) -> [Event] {
        let socket = mosquitto_socket(handle)
        if events.events.isEmpty { wake.wait(timeout, alsoFor: socket, writable: mosquitto_want_write(handle)) }
        let code = mosquitto_loop(handle, 0, 1)
        if code != MOSQ_ERR_SUCCESS.value, !events.hasEnded {
            events.end(code, reason: events.reason(or: String(cString: mosquitto_strerror(code))))
        }
        return events.drain()
    }

    /// Hands a message to the library.
    ///
    /// - Returns: its number, which comes back with the PUBACK.
    /// - Throws: ``PublishFailure``.
    func publish(_ message: MQTTMessage) throws(PublishFailure) -> Int32 {
        var properties = PropertyList()
        if version == .v5 { properties.describe(message) }
        defer { properties.free() }
        var mid: Int32 = 0
        let bytes = message.picture ?? Array(message.payload.utf8)
        let code = mosquitto_publish_v5(
            handle, &mid, message.topic, Int32(bytes.count), bytes, message.qos, message.retain, properties.pointer)
        guard code == MOSQ_ERR_SUCCESS.value else { throw PublishFailure(code: code) }
        return mid
    }

    /// - Parameter retained: what to do with messages the broker kept from before; 3.1.1 knows only `.send`.
    /// - Returns: the subscription's number, which comes back with the broker's answer.
    @discardableResult
    func subscribe(_ topic: String, retained: RetainedMessages = .send) throws -> Int32 {
        var mid: Int32 = 0
        let options = version == .v5 ? retained.option : 0
        try check(mosquitto_subscribe_v5(handle, &mid, topic, 1, options, nil), "subscribing to \(topic)")
        return mid
    }

    /// Says good-bye, so that the broker forgets the will. The end comes as an event.
    func disconnect() { _ = mosquitto_disconnect(handle) }

    /// Whether bytes wait for the network: the moment to send nothing that can be left out.
    var isCongested: Bool { mosquitto_want_write(handle) }

    func check(_ code: Int32, _ action: @autoclosure () -> String) throws {
        guard code != MOSQ_ERR_SUCCESS.value else { return }
        let plain = code == MOSQ_ERR_ERRNO.value ? strerror(errno).map { String(cString: $0) } : nil
        let reason = plain ?? events.reason(or: String(cString: mosquitto_strerror(code)))
        throw MessagingError.library(action: action(), reason: reason)
    }

    /// Process-wide, once; the library is never cleaned up because other lives may be about.
    private static let library: Int32 = mosquitto_lib_init()
}

/// Why the library did not take a message.
struct PublishFailure: Error, Equatable {
    let code: Int32

    /// The broker takes no message of this size.
    var isTooLarge: Bool {
        code == MOSQ_ERR_OVERSIZE_PACKET.value || code == MOSQ_ERR_PAYLOAD_SIZE.value
    }

    var reason: String { String(cString: mosquitto_strerror(code)) }
}

extension mosq_err_t {
    var value: Int32 { Int32(rawValue) }
}
