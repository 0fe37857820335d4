import CMosquitto

/// The MQTT 5 properties of one packet. A list that the library did not take over must be freed.
struct PropertyList {
    enum Number: Sendable {
        case messageExpiry, sessionExpiry, willDelay

        var identifier: Int32 {
            switch self {
            case .messageExpiry: Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue)
            case .sessionExpiry: Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue)
            case .willDelay: Int32(MQTT_PROP_WILL_DELAY_INTERVAL.rawValue)
            }
        }
    }

    private(set) var pointer: OpaquePointer?

    /// Seconds.
    mutating func add(_ number: Number, _ value: UInt32) {
        _ = mosquitto_property_add_int32(&pointer, number.identifier, value)
    }

    /// Says that the payload is JSON, when it stops being of use, and what it is about.
    mutating func describe(_ message: MQTTMessage) {
        _ = mosquitto_property_add_byte(&pointer, Int32(MQTT_PROP_PAYLOAD_FORMAT_INDICATOR.rawValue), 1)
        _ = mosquitto_property_add_string(&pointer, Int32(MQTT_PROP_CONTENT_TYPE.rawValue), "application/json")
        if let expiry = message.expirySeconds { add(.messageExpiry, expiry) }
        for (name, value) in message.userProperties {
            _ = mosquitto_property_add_string_pair(&pointer, Int32(MQTT_PROP_USER_PROPERTY.rawValue), name, value)
        }
    }

    mutating func free() { mosquitto_property_free_all(&pointer) }
}
