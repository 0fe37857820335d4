import CMosquitto
import Foundation

/// One life of a connection over libmosquitto, from CONNECT to its end; a new attempt is a new client.
///
/// So the library never carries a message from one life into the next: what has to survive stands in the history.
/// Belongs to one thread, which calls ``turn(timeout:wake:)`` again and again; callbacks run inside that call and only
/// note what happened.
final class MQTTClient {
    enum Event: Equatable {
        /// The broker accepted.
        case connected
        /// The broker declined with this MQTT 5 reason code (3.1.1 codes are translated).
        case refused(code: Int32, reason: String)
        case subscribed
        /// PUBACK for the message of this number; a `code` of 128 or more means that the broker did not take it.
        case acknowledged(mid: Int32, code: Int32)
        case arrived(ArrivedMessage)
        /// The connection is over. `code` is the library's error, or the broker's reason code from 128 on.
        case lost(code: Int32, reason: String)
    }

    enum ProtocolVersion: Sendable { case v5, v311 }

    let version: ProtocolVersion
    private let handle: OpaquePointer
    private let notes: Notes

    /// - Throws: ``MessagingError`` when the library refuses a setting or a file cannot be read.
    init(settings: MQTTSettings, clientId: String, will: MQTTMessage, version: ProtocolVersion) throws {
        _ = Self.library
        self.version = version
        notes = Notes()
        // The object given here comes back in every callback; it lives as long as this client, which frees the handle.
        let object = Unmanaged.passUnretained(notes).toOpaque()
        guard let handle = mosquitto_new(clientId, version == .v311, object) else {
            throw MessagingError.library(action: "making an MQTT client", reason: String(cString: strerror(errno)))
        }
        self.handle = handle
        do {
            try configure(settings, will: will)
        } catch {
            mosquitto_destroy(handle)
            throw error
        }
    }

    deinit { mosquitto_destroy(handle) }

    /// Begins to connect. Name lookup and the TCP handshake hold up the calling thread; CONNACK arrives as an event.
    ///
    /// - Throws: ``MessagingError/library(action:reason:)`` when no connection could be made, so that no CONNECT and
    ///   no will reached the broker.
    func connect(host: String, port: Int, keepaliveSeconds: Int) throws {
        var properties = PropertyList()
        if version == .v5 { properties.add(.sessionExpiry, 60) }
        let code = mosquitto_connect_bind_v5(
            handle, host, Int32(port), Int32(keepaliveSeconds), nil, properties.pointer)
        properties.free()
        try check(code, "connecting to \(host):\(port)")
    }

    /// Reads and writes what is there, waiting up to `timeout` for it.
    ///
    /// - Parameter wake: ends the wait when it is rung.
    /// - Returns: what happened, in order. After `lost` or `refused` the client is of no more use.
    func turn(timeout: Duration, wake: Wake) -> [Event] {
        let socket = mosquitto_socket(handle)
        if notes.events.isEmpty { wake.wait(timeout, alsoFor: socket, writable: mosquitto_want_write(handle)) }
        let code = mosquitto_loop(handle, 0, 1)
        if code != MOSQ_ERR_SUCCESS.value, !notes.hasEnded {
            notes.end(code, reason: notes.reason(or: String(cString: mosquitto_strerror(code))))
        }
        return notes.take()
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
        let bytes = Array(message.payload.utf8)
        let code = mosquitto_publish_v5(
            handle, &mid, message.topic, Int32(bytes.count), bytes, message.qos, message.retain, properties.pointer)
        guard code == MOSQ_ERR_SUCCESS.value else { throw PublishFailure(code: code) }
        return mid
    }

    func subscribe(_ topic: String) throws {
        try check(mosquitto_subscribe(handle, nil, topic, 1), "subscribing to \(topic)")
    }

    /// Says good-bye, so that the broker forgets the will. The end comes as an event.
    func disconnect() { _ = mosquitto_disconnect(handle) }

    /// Whether bytes wait for the network: the moment to send nothing that can be left out.
    var isCongested: Bool { mosquitto_want_write(handle) }

    private func check(_ code: Int32, _ action: @autoclosure () -> String) throws {
        guard code != MOSQ_ERR_SUCCESS.value else { return }
        let plain = code == MOSQ_ERR_ERRNO.value ? strerror(errno).map { String(cString: $0) } : nil
        let reason = plain ?? notes.reason(or: String(cString: mosquitto_strerror(code)))
        throw MessagingError.library(action: action(), reason: reason)
    }

    /// Process-wide, once; the library is never cleaned up because other lives may be about.
    private static let library: Int32 = mosquitto_lib_init()
}

extension MQTTClient {
    private func configure(_ settings: MQTTSettings, will: MQTTMessage) throws {
        let wanted = version == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        try check(mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, wanted), "choosing the protocol version")
        _ = mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
        if let username = settings.username {
            try check(
                mosquitto_username_pw_set(handle, username, try settings.password()), "setting user and password")
        }
        if let tls = settings.tls { try configure(tls) }
        try setWill(will)
        setCallbacks()
    }

    private func configure(_ tls: MQTTSettings.TLS) throws {
        let files = [("CA certificates", tls.caFile), ("certificate", tls.certificateFile), ("key", tls.keyFile)]
        for (purpose, path) in files {
            guard let path, access(path, R_OK) != 0 else { continue }
            throw MessagingError.unreadableFile(purpose: purpose, path: path, reason: String(cString: strerror(errno)))
        }
        let systemStore = tls.caFile == nil ? "/etc/ssl/certs" : nil
        try check(
            mosquitto_tls_set(handle, tls.caFile, systemStore, tls.certificateFile, tls.keyFile, nil),
            "setting up TLS")
    }

    /// The broker waits ten seconds with the will, so that a short gap in the Wi-Fi is no death (MQTT 5 only).
    private func setWill(_ will: MQTTMessage) throws {
        var properties = PropertyList()
        if version == .v5 {
            properties.describe(will)
            properties.add(.willDelay, 10)
        }
        let bytes = Array(will.payload.utf8)
        let code = mosquitto_will_set_v5(
            handle, will.topic, Int32(bytes.count), bytes, will.qos, will.retain, properties.pointer)
        // On success the library owns the list.
        if code != MOSQ_ERR_SUCCESS.value { properties.free() }
        try check(code, "setting the last will")
    }

    private func setCallbacks() {
        mosquitto_connect_v5_callback_set(handle) { _, object, code, _, _ in
            guard let notes = Notes.from(object) else { return }
            let text = String(cString: mosquitto_reason_string(ReasonCode.v5(connack: code)))
            notes.add(code == 0 ? .connected : .refused(code: ReasonCode.v5(connack: code), reason: text))
        }
        mosquitto_subscribe_callback_set(handle) { _, object, _, _, _ in Notes.from(object)?.add(.subscribed) }
        mosquitto_publish_v5_callback_set(handle) { _, object, mid, code, _ in
            Notes.from(object)?.add(.acknowledged(mid: mid, code: code))
        }
        mosquitto_message_callback_set(handle) { _, object, message in
            guard let notes = Notes.from(object), let message = message?.pointee, let topic = message.topic else {
                return
            }
            let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
            notes.add(
                .arrived(
                    ArrivedMessage(topic: String(cString: topic), payload: Array(payload), retained: message.retain)))
        }
        mosquitto_disconnect_v5_callback_set(handle) { _, object, code, _ in
            guard let notes = Notes.from(object) else { return }
            let text = code >= 128 ? mosquitto_reason_string(code) : mosquitto_strerror(code)
            notes.end(code, reason: notes.reason(or: text.map { String(cString: $0) } ?? "code \(code)"))
        }
        mosquitto_log_callback_set(handle) { _, object, level, text in
            guard level == MOSQ_LOG_ERR || level == MOSQ_LOG_WARNING, let text else { return }
            Notes.from(object)?.complaint = String(cString: text)
        }
    }
}

/// What the library's callbacks noted since the last turn. Touched only by the client's thread.
private final class Notes {
    private(set) var events: [MQTTClient.Event] = []
    private(set) var hasEnded = false
    /// The last error line of the library: it knows why TLS failed, its return code does not.
    var complaint: String?

    func add(_ event: MQTTClient.Event) { events.append(event) }

    func end(_ code: Int32, reason: String) {
        guard !hasEnded else { return }
        hasEnded = true
        events.append(.lost(code: code, reason: reason))
    }

    func reason(or text: String) -> String { complaint.map { "\(text): \($0)" } ?? text }

    func take() -> [MQTTClient.Event] {
        defer { events = [] }
        return events
    }

    static func from(_ object: UnsafeMutableRawPointer?) -> Notes? {
        object.map { Unmanaged<Notes>.fromOpaque($0).takeUnretainedValue() }
    }
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
