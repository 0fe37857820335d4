import CMosquitto

/// The limits a broker announced in CONNACK. libmosquitto itself keeps to the maximum packet size and to the number of
/// messages in flight.
struct BrokerLimits: Equatable {
    /// How many topic aliases the broker accepts.
    var topicAliases: UInt16 = 0
    /// How many QoS 1 messages the broker accepts before it has acknowledged the first.
    var receiveMaximum = UInt16.max

    init() {}

    /// - Parameter properties: the properties of CONNACK; `nil` with MQTT 3.1.1.
    init(_ properties: OpaquePointer?) {
        _ = mosquitto_property_read_int16(
            properties, Int32(MQTT_PROP_TOPIC_ALIAS_MAXIMUM.rawValue), &topicAliases, false)
        _ = mosquitto_property_read_int16(
            properties, Int32(MQTT_PROP_RECEIVE_MAXIMUM.rawValue), &receiveMaximum, false)
    }
}

/// What a subscription does with messages that have the retain flag.
enum RetainedMessages {
    /// The broker sends its retained messages first, with the retain flag. Later messages arrive without it.
    case send
    /// The broker sends no retained messages. Later messages published with the retain flag arrive with it, so that the
    /// node can refuse them.
    case refuse

    var option: Int32 {
        switch self {
        case .send: Int32(MQTT_SUB_OPT_SEND_RETAIN_ALWAYS.rawValue)
        case .refuse:
            Int32(MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue | MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue)
        }
    }
}
