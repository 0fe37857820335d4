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

    /// Classifies the error or reason code of a failed connection.
    ///
    /// - Parameter reason: libmosquitto's text; TLS failures can be recognised only there.
    package init(code: Int32, reason: String) {
        switch code {
        case ReasonCode.badCredentials, ReasonCode.notAuthorized: self = .notAuthorized
        case ReasonCode.takenOver: self = .duplicateClientId
        default: self = reason.contains("A TLS error occurred") ? .tls : .unreachable
        }
    }

    /// What an operator can do about it.
    package var remedy: String {
        switch self {
        case .unreachable:
            "check host and port in config.toml and that the broker runs; the node goes on counting and retries"
        case .notAuthorized: "correct user and password, or allow this user the node's topics in the broker's ACL"
        case .duplicateClientId: "another client uses this node's id: give one of them another node id"
        case .tls:
            "check the CA file, that the certificate names this host and is not expired, and this machine's clock"
        case .badSettings: "correct the [mqtt] section of config.toml"
        }
    }
}
