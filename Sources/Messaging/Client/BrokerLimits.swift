import CMosquitto

/// What a broker said of itself when it accepted the connection. The library keeps to the packet size and to the number
/// of messages on their way by itself.
struct BrokerLimits: Equatable {
    /// Names of topics the broker will remember by a number.
    var topicAliases: UInt16 = 0
    /// QoS 1 messages it takes before it has acknowledged one.
    var receiveMaximum = UInt16.max

    init() {}

    /// - Parameter properties: those of CONNACK; `nil` on 3.1.1.
    init(_ properties: OpaquePointer?) {
        _ = mosquitto_property_read_int16(
            properties, Int32(MQTT_PROP_TOPIC_ALIAS_MAXIMUM.rawValue), &topicAliases, false)
        _ = mosquitto_property_read_int16(
            properties, Int32(MQTT_PROP_RECEIVE_MAXIMUM.rawValue), &receiveMaximum, false)
    }
}

/// What a subscription wants of messages with the retain flag.
enum RetainedMessages {
    /// The broker's kept ones come first, marked; later ones look like any other.
    case send
    /// The kept ones stay where they are, and whatever is sent to be kept comes marked, so that it can be refused.
    case refuse

    var option: Int32 {
        switch self {
        case .send: Int32(MQTT_SUB_OPT_SEND_RETAIN_ALWAYS.rawValue)
        case .refuse:
            Int32(MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue | MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue)
        }
    }
}
