import CMosquitto

/// The limits a broker announced in CONNACK. libmosquitto itself keeps to the maximum packet size and to the number of
/// messages in flight.
package struct BrokerLimits: Equatable {
    /// How many topic aliases the broker accepts.
    package var topicAliases: UInt16 = 0
    /// How many QoS 1 messages the broker accepts before it has acknowledged the first.
    package var receiveMaximum = UInt16.max

    /// The limits of a broker that announces none.
    package init() {}

    /// The limits that a broker announced.
    ///
    /// - Parameter properties: the properties of CONNACK; `nil` with MQTT 3.1.1.
    package init(_ properties: OpaquePointer?) {
        _ = mosquitto_property_read_int16(
            properties, Int32(MQTT_PROP_TOPIC_ALIAS_MAXIMUM.rawValue), &topicAliases, false)
        _ = mosquitto_property_read_int16(
            properties, Int32(MQTT_PROP_RECEIVE_MAXIMUM.rawValue), &receiveMaximum, false)
    }
}

/// What a subscription does with messages that have the retain flag.
package enum RetainedMessages {
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
