import CMosquitto
import Glibc

/// The MQTT 5 properties of one packet. A list that libmosquitto did not take over must be freed with ``free()``.
package struct PropertyList {
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

    /// libmosquitto's list; `nil` while it is empty.
    package private(set) var pointer: OpaquePointer?

    /// An empty list.
    package init() {}

    /// Adds an interval in seconds.
    mutating func add(_ number: Number, _ value: UInt32) {
        _ = mosquitto_property_add_int32(&pointer, number.identifier, value)
    }

    /// Adds the message's content type, expiry, correlation data, topic alias and user properties.
    package mutating func describe(_ message: MQTTMessage) {
        let isText: UInt8 = message.picture == nil ? 1 : 0
        _ = mosquitto_property_add_byte(&pointer, Int32(MQTT_PROP_PAYLOAD_FORMAT_INDICATOR.rawValue), isText)
        _ = mosquitto_property_add_string(&pointer, Int32(MQTT_PROP_CONTENT_TYPE.rawValue), message.contentType)
        if let expiry = message.expirySeconds { add(.messageExpiry, expiry) }
        if let correlation = message.correlation {
            _ = mosquitto_property_add_binary(
                &pointer, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), correlation, UInt16(clamping: correlation.count))
        }
        if let alias = message.topicAlias {
            _ = mosquitto_property_add_int16(&pointer, Int32(MQTT_PROP_TOPIC_ALIAS.rawValue), alias)
        }
        for (name, value) in message.userProperties {
            _ = mosquitto_property_add_string_pair(&pointer, Int32(MQTT_PROP_USER_PROPERTY.rawValue), name, value)
        }
    }

    /// Frees a list that libmosquitto did not take over.
    package mutating func free() { mosquitto_property_free_all(&pointer) }

    /// One text property of a received list.
    package static func text(_ property: mqtt5_property, in list: OpaquePointer?) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard mosquitto_property_read_string(list, Int32(property.rawValue), &text, false) != nil, let text else {
            return nil
        }
        defer { Glibc.free(text) }
        return String(cString: text)
    }

    /// One binary property of a received list.
    package static func bytes(_ property: mqtt5_property, in list: OpaquePointer?) -> [UInt8]? {
        var start: UnsafeMutableRawPointer?
        var count: UInt16 = 0
        guard mosquitto_property_read_binary(list, Int32(property.rawValue), &start, &count, false) != nil else {
            return nil
        }
        defer { Glibc.free(start) }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }
}
