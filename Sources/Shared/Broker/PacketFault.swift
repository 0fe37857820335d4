/// What a broker sent that is not MQTT.
package struct PacketFault: Error, Equatable, CustomStringConvertible {
    /// What is wrong, such as `unknown property 0x7F in CONNACK`.
    package let reason: String

    /// A fault with this reason.
    init(_ reason: String) { self.reason = reason }

    package var description: String { "the broker sent something that is not MQTT: \(reason)" }
}
