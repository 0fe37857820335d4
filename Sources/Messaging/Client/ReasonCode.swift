/// What a broker's answer means for the next attempt.
enum ReasonCode {
    static let unsupportedVersion: Int32 = 0x84
    static let badCredentials: Int32 = 0x86
    static let notAuthorized: Int32 = 0x87
    static let takenOver: Int32 = 0x8E
    static let packetTooLarge: Int32 = 0x95
    static let quotaExceeded: Int32 = 0x97

    /// MQTT 3.1.1 numbers its refusals 1 to 5; from here on everything speaks MQTT 5.
    static func v5(connack code: Int32) -> Int32 {
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

/// Why there is no connection, under the code that `health` shows.
package enum ConnectionTrouble: String, Sendable, Equatable {
    case unreachable = "mqtt_unreachable"
    case notAuthorized = "not_authorized"
    case duplicateClientId = "duplicate_client_id"
    case tls = "mqtt_tls"
    case badSettings = "mqtt_config"

    /// - Parameter reason: the library's words; TLS failures show only there.
    package init(code: Int32, reason: String) {
        switch code {
        case ReasonCode.badCredentials, ReasonCode.notAuthorized: self = .notAuthorized
        case ReasonCode.takenOver: self = .duplicateClientId
        default: self = reason.contains("TLS") || reason.contains("OpenSSL") ? .tls : .unreachable
        }
    }

    /// What an operator can do.
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
