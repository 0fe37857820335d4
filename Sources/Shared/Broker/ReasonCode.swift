/// The MQTT 5 reason codes (section 2.4) that decide about the next attempt.
package enum ReasonCode {
    /// The broker does not speak this version.
    package static let unsupportedVersion: Int32 = 0x84
    /// Bad user name or password.
    package static let badCredentials: Int32 = 0x86
    /// Not authorized.
    package static let notAuthorized: Int32 = 0x87
    /// Another client with the same id has connected.
    package static let takenOver: Int32 = 0x8E
    /// The packet is larger than the broker accepts.
    package static let packetTooLarge: Int32 = 0x95
    /// The topic is not allowed.
    package static let invalidTopic: Int32 = 0x90
    /// The broker keeps no retained messages.
    package static let retainNotSupported: Int32 = 0x9A
    /// The broker does not know the quality of service.
    package static let qosNotSupported: Int32 = 0x9B
    /// With these in a DISCONNECT the broker refuses the packet that it got last.
    package static let ofPackets = [notAuthorized, invalidTopic, retainNotSupported, qosNotSupported]
    /// The quota is exceeded.
    package static let quotaExceeded: Int32 = 0x97

    /// Translates the return codes 1 to 5 of an MQTT 3.1.1 CONNACK to MQTT 5; other codes are returned as they are.
    package static func v5(connack code: Int32) -> Int32 {
        switch code {
        case 1: unsupportedVersion
        case 2: 0x85
        case 3: 0x88
        case 4: badCredentials
        case 5: notAuthorized
        default: code
        }
    }
}

/// Why there is no connection. The raw value is the problem code in `health`.
package enum ConnectionTrouble: String, Sendable, Equatable {
    case unreachable = "mqtt_unreachable"
    case notAuthorized = "not_authorized"
    case duplicateClientId = "duplicate_client_id"
    case tls = "mqtt_tls"
    case badSettings = "mqtt_config"
    /// The broker lacks something that the node needs, or has no room for it.
    case refused = "mqtt_refused"

    /// Classifies the error or reason code of a failed connection.
    ///
    /// - Parameter reason: libmosquitto's text; TLS failures can be recognised only there.
    package init(code: Int32, reason: String) {
        switch code {
        case ReasonCode.badCredentials, ReasonCode.notAuthorized: self = .notAuthorized
        case ReasonCode.takenOver: self = .duplicateClientId
        case 0x85, 0x8A, 0x8C, 0x90, 0x95, 0x97, 0x9A, 0x9B, 0x9C, 0x9D, 0x9F: self = .refused
        default:
            if reason.contains("Retain not supported") || reason.contains("QoS not supported") {
                self = .refused; return
            }
            self = reason.contains("A TLS error occurred") ? .tls : .unreachable
        }
    }

    /// What an operator can do about it.
    package var remedy: String { remedy(code: 0, reason: "") }

    /// What an operator can do about a refusal with this reason code.
    package func remedy(code: Int32, reason: String) -> String {
        switch self {
        case .refused:
            switch code {
            case 0x85: "this broker does not take the client id spotter-<node>: allow it, or give the node another id"
            case 0x8A: "the broker has banned this client: see the broker's log"
            case 0x8C:
                "the broker wants another way of authentication; Spotter knows user and password, and certificates"
            case 0x95: "raise the broker's limit for the size of a packet"
            case 0x97, 0x9F: "the broker's quota or rate limit is reached: raise it, or have fewer clients"
            case 0x9C, 0x9D: "the broker sends its clients to another server: set mqtt.host to that one"
            case ReasonCode.invalidTopic:
                "the broker does not take this topic: allow it, or choose a shorter mqtt.prefix"
            default:
                code == ReasonCode.qosNotSupported || reason.contains("QoS")
                    ? "the broker knows no QoS 1, which the node needs: use another broker"
                    : "the broker keeps no retained messages, which the node needs: switch them on "
                        + "(mosquitto: retain_available true), or use another broker"
            }
        case .unreachable:
            "check host and port in config.toml and that the broker runs; the node goes on counting and retries"
        case .notAuthorized: "correct user and password, or allow this user the node's topics in the broker's ACL"
        case .duplicateClientId: "another client uses this node's id: give one of them another node id"
        case .tls where reason.contains("certificate required"):
            "the broker wants a certificate of this node: name it and its key in mqtt.certificate_file and mqtt.key_file"
        case .tls:
            "check the CA file, that the certificate names this host and is not expired, and this machine's clock"
        case .badSettings: "correct the [mqtt] section of config.toml"
        }
    }
}
