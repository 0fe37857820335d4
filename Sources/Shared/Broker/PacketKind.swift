/// The kinds of packet that a broker may send to a client (MQTT 5, section 2.1.2).
enum PacketKind: UInt8 {
    case connack = 2
    case publish = 3
    case puback = 4
    case pubrec = 5
    case pubrel = 6
    case pubcomp = 7
    case suback = 9
    case unsuback = 11
    case pingresp = 13
    case disconnect = 14

    /// The name in the specification.
    var name: String { "\(self)".uppercased() }

    /// Whether it says of a message how far it is delivered.
    var isAcknowledgement: Bool { [.puback, .pubrec, .pubrel, .pubcomp].contains(self) }

    /// The lower half of the first byte; `nil` where it says something.
    var flags: UInt8? {
        switch self {
        case .publish: nil
        case .pubrel: 2
        default: 0
        }
    }
}
