import Glibc
import NIOCore

/// An address to listen on, such as `127.0.0.1:8080` or `[::]:8080`.
package struct ListenAddress: Sendable, Equatable {
    /// The numeric address, without brackets.
    package let host: String
    /// The port; 0 lets the system choose one.
    package let port: UInt16

    /// Reads `host:port`; `nil` when that is not a numeric address and a port.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard host == "localhost" || HostName(String(host)).isNumeric else { return nil }
        self.host = host == "localhost" ? "127.0.0.1" : String(host)
        self.port = port
    }

    /// Whether only programs on this machine reach the address.
    package var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

    /// Whether it is an IPv6 address.
    package var isIPv6: Bool { host.contains(":") }

    /// - Throws: `SocketAddressError` when the address cannot be parsed.
    func socketAddress() throws -> SocketAddress { try SocketAddress(ipAddress: host, port: Int(port)) }
}

/// The host of a `Host` or `Origin` header, without the port, in lower case and without brackets.
package struct HostName: Equatable {
    /// The name or address.
    package let text: String

    /// - Parameter text: a name or address without a port.
    package init(_ text: String) { self.text = text.lowercased() }

    /// Reads `name`, `name:port`, `[::1]` or `[::1]:port`; `nil` for anything else.
    package init?(header: String) {
        var name = header[...]
        var rest = Substring()
        if name.hasPrefix("[") {
            guard let end = name.firstIndex(of: "]") else { return nil }
            rest = name[name.index(after: end)...]
            name = name[name.index(after: name.startIndex)..<end]
        } else if let colon = name.firstIndex(of: ":") {
            rest = name[colon...]
            name = name[..<colon]
        }
        guard !name.isEmpty, rest.isEmpty || UInt16(rest.dropFirst()) != nil && rest.first == ":" else { return nil }
        text = name.lowercased()
    }

    /// Whether it is an IPv4 or IPv6 address.
    package var isNumeric: Bool {
        var (four, six) = (in_addr(), in6_addr())
        return inet_pton(AF_INET, text, &four) == 1 || inet_pton(AF_INET6, text, &six) == 1
    }

    /// Whether it names this machine for programs on it.
    package var isLoopback: Bool { ["127.0.0.1", "localhost", "::1"].contains(text) }
}
