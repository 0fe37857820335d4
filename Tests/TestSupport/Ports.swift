import Glibc
import Synchronization

/// TCP ports of the loopback address.
package enum Ports {
    /// Below the range from which the kernel takes ports for outgoing connections and for "any free port" (32768 and above):
    /// neither another test nor a client that keeps trying to connect, possibly to itself, takes such a port in between.
    private static let range = 10_000..<32_000

    /// Each call returns another port; processes that run at the same time begin in different places.
    private static let next = Mutex(Int.random(in: range))

    /// A port on which nobody listens. No other call of this process returns it, until 22,000 were asked for.
    package static func free() -> Int {
        next.withLock { next in
            for _ in range {
                next = next + 1 < range.upperBound ? next + 1 : range.lowerBound
                if isFree(next) { return next }
            }
            fatalError("no port of \(range) is free")
        }
    }

    /// Whether somebody listens on a port.
    package static func answers(_ port: Int) -> Bool { withSocket(port) { connect($0, $1, $2) == 0 } }

    /// The loopback address with a port.
    package static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func isFree(_ port: Int) -> Bool { withSocket(port) { bind($0, $1, $2) == 0 } }

    private static func withSocket(_ port: Int, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(port)
        return withUnsafePointer(to: &address) { pointer in
            // sockaddr_in is laid out as a sockaddr, as every socket call expects.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
