import CMosquitto
import Foundation

/// One connection over libmosquitto, from CONNECT to its end. Every attempt to connect uses a new client.
///
/// The bytes go through this process: ``BrokerLink`` speaks to the broker, ``PacketFilter`` checks every packet, and
/// ``LibraryLink`` hands it to the library. So nothing that is not MQTT reaches the library, which would end the process.
///
/// The library therefore never carries a message over into the next connection: what must survive is in the history. A
/// client belongs to one thread, which calls ``turn(timeout:wake:)`` again and again. Callbacks run inside that call
/// and only collect events.
package final class MQTTClient {
    /// What happened on the connection.
    package enum Event: Equatable {
        /// The broker accepted the connection and announced its limits.
        case connected(BrokerLimits)
        /// The broker refused the connection with this MQTT 5 reason code; 3.1.1 codes are translated.
        case refused(code: Int32, reason: String)
        /// SUBACK for the subscription with this packet id; codes of 128 and more are refusals.
        case subscribed(mid: Int32, codes: [Int32])
        /// PUBACK for the message with this packet id; a `code` of 128 or more means that the broker did not accept it.
        case acknowledged(mid: Int32, code: Int32)
        case arrived(ArrivedMessage)
        /// The connection is closed. `code` is libmosquitto's error, or from 128 on the broker's reason code.
        case lost(code: Int32, reason: String)
    }

    /// The protocol's version.
    package enum ProtocolVersion: Sendable { case v5, v311 }

    /// What the broker keeps for this client while it is not connected.
    package enum Session: Sendable, Equatable {
        /// Nothing; for a short look.
        case none
        /// Subscriptions and unacknowledged messages for a minute, with MQTT 5 only. With 3.1.1 nothing.
        case brief
        /// Subscriptions and unacknowledged messages for this long; with 3.1.1 as long as the broker likes.
        case durable(seconds: UInt32)

        fileprivate func isClean(_ version: ProtocolVersion) -> Bool {
            switch self {
            case .none: true
            case .brief: version == .v311
            case .durable: false
            }
        }

        fileprivate var expirySeconds: UInt32? {
            switch self {
            case .none: nil
            case .brief: 60
            case .durable(let seconds): seconds
            }
        }
    }

    /// The protocol's version on this connection.
    package let version: ProtocolVersion
    private let session: Session
    let handle: OpaquePointer
    let callbacks: CallbackEvents
    private let library: LibraryLink
    private var filter: PacketFilter
    private let tls: TLSClient?
    private var link: BrokerLink?

    /// - Parameter will: the last will, which the broker publishes when the connection breaks; `nil` for none.
    /// - Throws: ``BrokerError`` when libmosquitto refuses a setting or a file cannot be read.
    package init(
        settings: BrokerSettings, clientId: String, will: MQTTMessage?, version: ProtocolVersion,
        session: Session
    ) throws {
        _ = Self.isInitialised
        self.version = version
        self.session = session
        let callbacks = CallbackEvents()
        self.callbacks = callbacks
        // libmosquitto passes this object to every callback. It lives as long as this client, whose `deinit` frees the
        // handle.
        let object = Unmanaged.passUnretained(callbacks).toOpaque()
        guard let handle = mosquitto_new(clientId, session.isClean(version), object) else {
            throw BrokerError.library(action: "making an MQTT client", reason: String(cString: strerror(errno)))
        }
        self.handle = handle
        library = LibraryLink(handle)
        filter = PacketFilter(version: version)
        do {
            tls = try settings.tls.map { try TLSClient($0, host: settings.host) }
        } catch {
            mosquitto_destroy(handle)
            throw error
        }
        // All properties are initialised from here on, so `deinit` runs also when this throws.
        try configure(settings, will: will)
    }

    deinit { mosquitto_destroy(handle) }

    /// Begins to connect. The name lookup and the TCP handshake block the calling thread; CONNACK arrives as an event.
    ///
    /// - Throws: ``BrokerError/library(action:reason:)`` when the TCP connection failed, so that neither CONNECT nor
    ///   the will reached the broker.
    package func connect(host: String, port: Int, keepaliveSeconds: Int) throws {
        try connect(over: BrokerLink(host: host, port: port, tls: tls), keepaliveSeconds: keepaliveSeconds)
    }

    /// Begins to connect over a socket that is connected to a broker.
    package func connect(socket: Int32, keepaliveSeconds: Int) throws {
        try connect(over: BrokerLink(descriptor: socket, tls: tls), keepaliveSeconds: keepaliveSeconds)
    }

    private func connect(over link: BrokerLink, keepaliveSeconds: Int) throws {
        self.link = link
        var properties = PropertyList()
        defer { properties.free() }
        if version == .v5, let seconds = session.expirySeconds { properties.add(.sessionExpiry, seconds) }
        let code = library.open { port in
            mosquitto_connect_bind_v5(handle, "127.0.0.1", port, Int32(keepaliveSeconds), nil, properties.pointer)
        }
        try check(code, "starting MQTT")
    }

    /// Reads and writes pending data, waiting up to `timeout` for it.
    ///
    /// - Parameter wake: ends the wait when it is rung.
    /// - Returns: the events, in order. After `lost` or `refused` the client cannot be used any more.
    package func turn(timeout: Duration, wake: SelfPipe) -> [Event] {
        if callbacks.events.isEmpty, let link {
            wake.wait(
                timeout,
                alsoFor: [
                    (link.descriptor, link.needsRoom), (mosquitto_socket(handle), mosquitto_want_write(handle)),
                    // What the library wants to send waits with it while the broker takes nothing.
                    (isCrowded ? -1 : library.descriptor, false),
                ])
        }
        exchange()
        return callbacks.drain()
    }

    /// Moves what has arrived to the library, and what the library sends to the broker.
    private func exchange() {
        guard let link else { return }
        let arrived = link.receive()
        let (sound, fault) = filter.take(arrived)
        var code = library.deliver(sound)
        if code == MOSQ_ERR_SUCCESS.value, mosquitto_want_write(handle) { code = mosquitto_loop_write(handle, 1) }
        if code == MOSQ_ERR_SUCCESS.value { code = mosquitto_loop_misc(handle) }
        sendPending()
        if let fault { callbacks.end(MOSQ_ERR_PROTOCOL.value, reason: fault.description) }
        if let end = link.end {
            callbacks.end(end.code, reason: end.isEarly ? end.reason : callbacks.reason(or: end.reason))
        }
        guard code != MOSQ_ERR_SUCCESS.value else { return }
        callbacks.end(code, reason: callbacks.reason(or: String(cString: mosquitto_strerror(code))))
    }

    /// Sends what the library has written, as far as the network takes it.
    private func sendPending() {
        guard let link else { return }
        link.advance()
        while !isCrowded {
            let bytes = library.take()
            guard !bytes.isEmpty else { return }
            link.send(bytes)
        }
    }

    /// Whether enough waits for the network.
    private var isCrowded: Bool { (link?.waitingBytes ?? 0) >= 64 << 10 }

    /// Passes a message to libmosquitto.
    ///
    /// - Returns: the packet id, which comes back with the PUBACK.
    /// - Throws: ``PublishFailure``.
    package func publish(_ message: MQTTMessage) throws(PublishFailure) -> Int32 {
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

    /// Subscribes.
    ///
    /// Where the session ends with the connection, QoS 1 would keep nothing. NATS, which speaks 3.1.1 only, makes a
    /// replicated queue for each QoS 1 subscription, and fails at a few hundred nodes.
    ///
    /// - Parameters:
    ///   - qos: the quality of service; `nil` for 1 where the broker keeps the session, else 0.
    ///   - retained: what to do with retained messages; with MQTT 3.1.1 always `.send`.
    /// - Returns: the packet id, which comes back with the SUBACK.
    @discardableResult
    package func subscribe(_ topic: String, qos: Int32? = nil, retained: RetainedMessages = .send) throws -> Int32 {
        var mid: Int32 = 0
        let options = version == .v5 ? retained.option : 0
        let qos = qos ?? (session.isClean(version) ? 0 : 1)
        try check(mosquitto_subscribe_v5(handle, &mid, topic, qos, options, nil), "subscribing to \(topic)")
        return mid
    }

    /// Sends DISCONNECT, so that the broker discards the will. The end arrives as an event.
    package func disconnect() {
        _ = mosquitto_disconnect(handle)
        sendPending()
    }

    /// Whether data waits for the network. While it does, ephemeral messages should not be sent.
    package var isCongested: Bool { mosquitto_want_write(handle) || (link?.waitingBytes ?? 0) > 0 }

    func check(_ code: Int32, _ action: @autoclosure () -> String) throws {
        guard code != MOSQ_ERR_SUCCESS.value else { return }
        let plain = code == MOSQ_ERR_ERRNO.value ? strerror(errno).map { String(cString: $0) } : nil
        let reason = plain ?? callbacks.reason(or: String(cString: mosquitto_strerror(code)))
        throw BrokerError.library(action: action(), reason: reason)
    }

    /// Initialises libmosquitto once per process. It is never cleaned up, because other clients may be in use.
    private static let isInitialised = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.value
}

/// Why libmosquitto did not accept a message.
package struct PublishFailure: Error, Equatable {
    /// libmosquitto's error.
    package let code: Int32

    /// Whether the message is larger than the broker accepts.
    package var isTooLarge: Bool {
        code == MOSQ_ERR_OVERSIZE_PACKET.value || code == MOSQ_ERR_PAYLOAD_SIZE.value
    }

    /// libmosquitto's text for it.
    package var reason: String { String(cString: mosquitto_strerror(code)) }
}

extension mosq_err_t {
    var value: Int32 { Int32(rawValue) }
}
