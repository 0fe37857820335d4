/// The address of a client, without its port.
package struct ClientAddress: Hashable, Sendable {
    /// In figures; empty when it is unknown.
    package let text: String

    /// - Parameter address: such as `192.0.2.7` or `::1`. A socket for IPv6 has IPv4 addresses with a prefix.
    package init(_ address: String) {
        let prefix = "::ffff:"
        text = address.hasPrefix(prefix) && address.contains(".") ? String(address.dropFirst(prefix.count)) : address
    }

    /// Whether it is on this machine. It may be a proxy, behind which are many people.
    package var isLoopback: Bool { text == "::1" || text.hasPrefix("127.") }
}
