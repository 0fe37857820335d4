import CMosquitto
import Foundation

extension MQTTClient {
    func configure(_ settings: BrokerSettings, will: MQTTMessage?) throws {
        let wanted = version == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        try check(mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, wanted), "choosing the protocol version")
        _ = mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
        if let username = settings.username {
            try check(
                mosquitto_username_pw_set(handle, username, try settings.password()), "setting user and password")
        }
        callbacks.awaitsAcceptance = settings.tls?.certificateFile != nil
        if let will { try setWill(will) }
        setCallbacks()
    }

    /// With MQTT 5 the broker delays the will by ten seconds, so that a short gap in the Wi-Fi does not report the node
    /// as offline.
    private func setWill(_ will: MQTTMessage) throws {
        var properties = PropertyList()
        if version == .v5 {
            properties.describe(will)
            properties.add(.willDelay, 10)
        }
        let bytes = Array(will.payload.utf8)
        let code = mosquitto_will_set_v5(
            handle, will.topic, Int32(bytes.count), bytes, will.qos, will.retain, properties.pointer)
        // On success libmosquitto owns the list.
        if code != MOSQ_ERR_SUCCESS.value { properties.free() }
        try check(code, "setting the last will")
    }

    private func setCallbacks() {
        mosquitto_connect_v5_callback_set(handle) { _, object, code, _, properties in
            guard let events = CallbackEvents.from(object) else { return }
            events.awaitsAcceptance = false
            let text = String(cString: mosquitto_reason_string(ReasonCode.v5(connack: code)))
            let refusal = MQTTClient.Event.refused(code: ReasonCode.v5(connack: code), reason: text)
            events.add(code == 0 ? .connected(BrokerLimits(properties)) : refusal)
        }
        mosquitto_subscribe_callback_set(handle) { _, object, mid, count, codes in
            let list = UnsafeBufferPointer(start: codes, count: Int(count))
            CallbackEvents.from(object)?.add(.subscribed(mid: mid, codes: Array(list)))
        }
        mosquitto_publish_v5_callback_set(handle) { _, object, mid, code, _ in
            CallbackEvents.from(object)?.add(.acknowledged(mid: mid, code: code))
        }
        mosquitto_message_v5_callback_set(handle) { _, object, message, properties in
            guard let events = CallbackEvents.from(object), let message = message?.pointee, let topic = message.topic
            else {
                return
            }
            let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
            var arrived = ArrivedMessage(
                topic: String(cString: topic), payload: Array(payload), retained: message.retain)
            arrived.responseTopic = PropertyList.text(MQTT_PROP_RESPONSE_TOPIC, in: properties)
            arrived.correlation = PropertyList.bytes(MQTT_PROP_CORRELATION_DATA, in: properties)
            events.add(.arrived(arrived))
        }
        mosquitto_disconnect_v5_callback_set(handle) { _, object, code, _ in
            guard let events = CallbackEvents.from(object) else { return }
            let text = code >= 128 ? mosquitto_reason_string(code) : mosquitto_strerror(code)
            events.end(code, reason: events.reason(or: text.map { String(cString: $0) } ?? "code \(code)"))
        }
        mosquitto_log_callback_set(handle) { _, object, level, text in
            guard level == MOSQ_LOG_ERR || level == MOSQ_LOG_WARNING, let text else { return }
            CallbackEvents.from(object)?.complaint = String(cString: text)
        }
    }
}

/// Collects what libmosquitto's callbacks report between two turns. Only the client's thread touches it.
final class CallbackEvents {
    private(set) var events: [MQTTClient.Event] = []
    private(set) var hasEnded = false
    /// The library's last error line. It says more than the return code.
    var complaint: String?
    /// Whether the client shows a certificate that the broker has not accepted yet. With TLS 1.3 a refusal follows the
    /// handshake, and where the connection is cut meanwhile, nothing says why.
    var awaitsAcceptance = false

    func add(_ event: MQTTClient.Event) { events.append(event) }

    func end(_ code: Int32, reason: String) {
        guard !hasEnded else { return }
        hasEnded = true
        events.append(.lost(code: code, reason: reason))
    }

    func reason(or text: String) -> String {
        let guess = awaitsAcceptance ? "the broker may not accept this client's certificate" : nil
        return (complaint ?? guess).map { "\(text): \($0)" } ?? text
    }

    func drain() -> [MQTTClient.Event] {
        defer { events = [] }
        return events
    }

    static func from(_ object: UnsafeMutableRawPointer?) -> CallbackEvents? {
        object.map { Unmanaged<CallbackEvents>.fromOpaque($0).takeUnretainedValue() }
    }
}
