import Foundation
import Glibc

/// One TCP connection to a server on this machine, for requests that no library would send. Its methods block.
package final class TCPClient: Sendable {
    private let descriptor: Int32

    /// Connects.
    ///
    /// - Parameters:
    ///   - host: an IPv4 address of this machine.
    ///   - receiveBytes: the size of the receive buffer; a small one makes a slow reader.
    /// - Throws: `POSIXError` when nobody listens at this port.
    package init(port: Int, host: String = "127.0.0.1", receiveBytes: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBytes, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        // The descriptor is closed by `deinit`, which runs when a whole object's `init` throws.
        guard isConnected else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ECONNREFUSED) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The client's own port.
    package var port: Int { Self.port(of: descriptor, getsockname) ?? 0 }

    /// The port of a socket's own or other end, by `getsockname` or `getpeername`; `nil` if it has none.
    package static func port(
        of descriptor: Int32,
        _ read: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> Int? {
        var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        let isRead = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { read(descriptor, $0, &length) == 0 }
        }
        return isRead && address.sin_family == AF_INET ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }

    /// Sends a text.
    ///
    /// - Returns: the bytes that were sent. They are fewer when the server closes the connection, or reads nothing for
    ///   this long.
    @discardableResult
    package func send(_ text: String, within seconds: Int = 60) -> Int { send(Array(text.utf8), within: seconds) }

    /// Sends bytes; see the other method.
    @discardableResult
    package func send(_ bytes: [UInt8], within seconds: Int = 60) -> Int {
        limit(SO_SNDTIMEO, seconds)
        return bytes.withUnsafeBytes { bytes in
            var sent = 0
            while let base = bytes.baseAddress, sent < bytes.count {
                let count = Glibc.send(descriptor, base + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
                if count <= 0 { break }
                sent += count
            }
            return sent
        }
    }

    /// Tells the server that nothing more comes. It can still answer.
    package func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes the connection end with a reset instead of a farewell, once this object goes.
    package func reset() {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// What the server sends until it closes the connection, is silent for this long, or `isEnough`.
    package func read(within seconds: Int = 60, until isEnough: (String) -> Bool = { _ in false }) -> String {
        String(decoding: readBytes(within: seconds) { isEnough(String(decoding: $0, as: UTF8.self)) }, as: UTF8.self)
    }

    /// The same as bytes, such as a picture's.
    package func readBytes(within seconds: Int = 60, until isEnough: ([UInt8]) -> Bool = { _ in false }) -> [UInt8] {
        limit(SO_RCVTIMEO, seconds)
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while !isEnough(bytes) {
            let count = recv(descriptor, &part, part.count, 0)
            guard count > 0 else { break }
            bytes += part.prefix(count)
        }
        return bytes
    }

    /// Whether the server closes the connection within this time. What it sends before is thrown away.
    package func isClosed(within seconds: Int) -> Bool {
        let deadline = Date() + Double(seconds)
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while Date() < deadline {
            limit(SO_RCVTIMEO, 1)
            let count = recv(descriptor, &part, part.count, 0)
            if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { return true }
        }
        return false
    }

    private func limit(_ option: Int32, _ seconds: Int) {
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
}
