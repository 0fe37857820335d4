import CMosquitto
import Foundation

/// The connection between libmosquitto and this process, over the loopback address: the library takes no socket that is
/// open already, and nothing but a socket.
///
/// Both ends belong to the client's thread, so each call moves what it can and never waits.
final class LibraryLink {
    /// Bytes on their way in each direction; what is beyond shows as congestion.
    private static let roomBytes: Int32 = 64 << 10

    private let handle: OpaquePointer
    /// This process's end; -1 before the library connects, and after it has closed its own.
    private(set) var descriptor: Int32 = -1
    /// What the library has not read yet.
    private var arriving: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 16 << 10)

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Lets the library connect.
    ///
    /// - Parameter connect: connects it to this port of 127.0.0.1, and returns libmosquitto's error.
    /// - Returns: libmosquitto's error.
    func open(_ connect: (_ port: Int32) -> Int32) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let listener = socket(AF_INET, kind, 0)
        guard listener >= 0 else { return MOSQ_ERR_ERRNO.value }
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard isBound == 0, listen(listener, 4) == 0, let port = Self.port(of: listener) else {
            return MOSQ_ERR_ERRNO.value
        }
        let code = connect(Int32(port))
        guard code == MOSQ_ERR_SUCCESS.value else { return code }
        return accept(from: listener) ? code : MOSQ_ERR_ERRNO.value
    }

    /// Takes the library's connection. Another program may have connected to the port as well.
    private func accept(from listener: Int32) -> Bool {
        let wanted = Self.port(of: mosquitto_socket(handle))
        for _ in 0..<8 {
            let end = Glibc.accept(listener, nil, nil)
            guard end >= 0 else { return false }
            guard wanted != nil, Self.peerPort(of: end) == wanted else {
                close(end)
                continue
            }
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            descriptor = end
            var room = Self.roomBytes
            let size = socklen_t(MemoryLayout<Int32>.size)
            setsockopt(end, SOL_SOCKET, SO_RCVBUF, &room, size)
            setsockopt(mosquitto_socket(handle), SOL_SOCKET, SO_SNDBUF, &room, size)
            return true
        }
        return false
    }

    /// Hands sound packets to the library, which carries out its callbacks. What arrives after the library has closed its end
    /// is left out: having disconnected it reads no more, and reports no error either.
    ///
    /// - Returns: libmosquitto's error.
    func deliver(_ bytes: [UInt8]) -> Int32 {
        arriving += bytes
        var code = MOSQ_ERR_SUCCESS.value
        var before: (arriving: Int, unread: Int32)
        repeat {
            before = (arriving.count, unread)
            if mosquitto_socket(handle) < 0 || descriptor < 0 {
                arriving = []
            } else if !arriving.isEmpty {
                let count = send(descriptor, arriving, arriving.count, Int32(MSG_NOSIGNAL))
                if count > 0 { arriving.removeFirst(count) }
            }
            code = mosquitto_loop_read(handle, 1)
            // A library that takes nothing gets its next turn later.
        } while code == MOSQ_ERR_SUCCESS.value && (!arriving.isEmpty || unread > 0)
            && (arriving.count, unread) != before
        return code
    }

    /// What the library wants to send; empty when there is nothing.
    func take() -> [UInt8] {
        guard descriptor >= 0 else { return [] }
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count == 0 {
            close(descriptor)
            descriptor = -1
        }
        return count > 0 ? Array(buffer.prefix(count)) : []
    }

    /// The bytes that the library has not read.
    private var unread: Int32 {
        var count: Int32 = 0
        return ioctl(mosquitto_socket(handle), UInt(FIONREAD), &count) == 0 ? count : 0
    }

    private static func port(of descriptor: Int32) -> UInt16? { port(of: descriptor, getsockname) }

    private static func peerPort(of descriptor: Int32) -> UInt16? { port(of: descriptor, getpeername) }

    private static func port(
        of descriptor: Int32,
        _ read: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { read(descriptor, $0, &length) }
        }
        return code == 0 ? UInt16(bigEndian: address.sin_port) : nil
    }
}
