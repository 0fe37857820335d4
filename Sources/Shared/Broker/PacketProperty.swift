/// The properties that a broker may put into a packet (MQTT 5, section 2.2.2.2).
enum PacketProperty: UInt32 {
    case payloadFormat = 0x01
    case messageExpiry = 0x02
    case contentType = 0x03
    case responseTopic = 0x08
    case correlation = 0x09
    case subscription = 0x0B
    case sessionExpiry = 0x11
    case assignedClientId = 0x12
    case serverKeepAlive = 0x13
    case authenticationMethod = 0x15
    case authenticationData = 0x16
    case responseInformation = 0x1A
    case serverReference = 0x1C
    case reasonString = 0x1F
    case receiveMaximum = 0x21
    case topicAliasMaximum = 0x22
    case topicAlias = 0x23
    case maximumQoS = 0x24
    case retainAvailable = 0x25
    case userProperty = 0x26
    case maximumPacketSize = 0x27
    case wildcardsAvailable = 0x28
    case subscriptionIdsAvailable = 0x29
    case sharedSubscriptionsAvailable = 0x2A

    /// How a value is written.
    enum Value {
        /// A byte that is 0 or 1.
        case flag
        /// Two bytes, and whether they may be 0.
        case short(mayBeZero: Bool)
        /// Four bytes, and whether they may be 0.
        case long(mayBeZero: Bool)
        case variable, text, textPair, binary
    }

    var value: Value {
        switch self {
        case .payloadFormat, .maximumQoS, .retainAvailable, .wildcardsAvailable, .subscriptionIdsAvailable,
            .sharedSubscriptionsAvailable:
            .flag
        case .serverKeepAlive, .topicAliasMaximum: .short(mayBeZero: true)
        case .receiveMaximum, .topicAlias: .short(mayBeZero: false)
        case .messageExpiry, .sessionExpiry: .long(mayBeZero: true)
        case .maximumPacketSize: .long(mayBeZero: false)
        case .subscription: .variable
        case .contentType, .responseTopic, .assignedClientId, .authenticationMethod, .responseInformation,
            .serverReference, .reasonString:
            .text
        case .userProperty: .textPair
        case .correlation, .authenticationData: .binary
        }
    }

    /// Whether a packet of this kind may have the property.
    func belongs(in kind: PacketKind) -> Bool {
        switch self {
        case .userProperty: kind != .pingresp
        case .reasonString: kind != .publish && kind != .pingresp
        case .sessionExpiry, .serverReference: kind == .connack || kind == .disconnect
        // This client announces no aliases, so none may be used.
        case .topicAlias: false
        case .payloadFormat, .messageExpiry, .contentType, .responseTopic, .correlation, .subscription:
            kind == .publish
        default: kind == .connack
        }
    }

    /// Whether a packet may have several of it.
    var repeats: Bool { self == .userProperty || self == .subscription }
}
