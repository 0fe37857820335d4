import Foundation
import Synchronization

/// What the server knows of its connections: which of them wait for an answer, and which waste its time.
///
/// FlyingFox reads a request's head without limits of size or time. The kernel's own counters show connections that
/// send too much or too slowly, so they are closed here.
final class ConnectionTable: Sendable {
    /// The most connections at a time.
    static let maximumConnections = 32
    /// A request must be complete, and an idle connection is closed, after this time.
    static let patience = Duration.seconds(10)
    /// The most bytes of a request with its body.
    static let maximumRequestBytes: UInt64 = 256 << 10

    fileprivate struct Entry {
        /// Tells a connection from a later one on the same descriptor.
        var peer: String
        /// Since when the server has waited for this client.
        var since: ContinuousClock.Instant
        var received: UInt64
        var acknowledged: UInt64
        /// Answers under way; while there are any, the client need not send.
        var answers = 0
    }
    private let entries = Mutex<[Int32: Entry]>([:])

    /// A request of this client has arrived, and its answer begins.
    func begin(_ peer: String) { change(peer) { $0.answers += 1 } }

    /// An answer to this client has been sent, or abandoned.
    func end(_ peer: String) {
        change(peer) { entry in
            entry.answers = max(0, entry.answers - 1)
            entry.since = .now
        }
    }

    private func change(_ peer: String, _ change: (inout Entry) -> Void) {
        let sockets = ConnectedSocket.all().filter { $0.peer == peer }
        entries.withLock { entries in
            for socket in sockets {
                var entry = entries[socket.descriptor].flatMap { $0.peer == peer ? $0 : nil } ?? Entry(socket)
                entry.received = socket.received
                change(&entry)
                entries[socket.descriptor] = entry
            }
        }
    }

    /// Closes connections that overstep the limits. Call it several times a second.
    ///
    /// - Parameter port: the server's own port.
    func check(port: UInt16, now: ContinuousClock.Instant = .now) {
        let sockets = ConnectedSocket.all().filter { $0.port == port }
        let closing = entries.withLock { entries -> [Int32] in
            let open = Set(sockets.map(\.descriptor))
            entries = entries.filter { open.contains($0.key) }
            return sockets.filter { Self.isOverstepping($0, &entries, now) }.map(\.descriptor)
        }
        // The server sees the end of the connection, and closes it.
        for descriptor in closing { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    private static func isOverstepping(
        _ socket: ConnectedSocket, _ entries: inout [Int32: Entry], _ now: ContinuousClock.Instant
    ) -> Bool {
        guard var entry = entries[socket.descriptor], entry.peer == socket.peer else {
            socket.prepare()
            entries[socket.descriptor] = Entry(socket)
            return false
        }
        // A client that takes what it is sent is not slow, however long the answer is.
        if socket.acknowledged != entry.acknowledged || (entry.answers > 0 && socket.unsent == 0) { entry.since = now }
        entry.acknowledged = socket.acknowledged
        entries[socket.descriptor] = entry
        return now - entry.since > patience || socket.received - min(entry.received, socket.received) > maximumRequestBytes
    }
}

extension ConnectionTable.Entry {
    fileprivate init(_ socket: ConnectedSocket) {
        self.init(
            peer: socket.peer, since: .now, received: 0, acknowledged: socket.acknowledged)
    }
}

/// One connected TCP socket of this process, as the kernel describes it.
struct ConnectedSocket {
    let descriptor: Int32
    /// The local port.
    let port: UInt16
    /// The other end, `address:port`.
    let peer: String
    /// Bytes received so far.
    let received: UInt64
    /// Bytes sent that the other end has acknowledged.
    let acknowledged: UInt64
    /// Bytes waiting to be sent or acknowledged.
    let unsent: Int32

    /// All of them.
    static func all() -> [ConnectedSocket] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { Int32($0) }.compactMap(ConnectedSocket.init)
    }

    init?(_ descriptor: Int32) {
        guard let local = Self.address(descriptor, getsockname), let peer = Self.address(descriptor, getpeername) else {
            return nil
        }
        // struct tcp_info of linux/tcp.h: tcpi_bytes_acked is at byte 120, tcpi_bytes_received behind it. The kernel
        // never moves them; glibc's own struct ends before.
        var counters = [UInt8](repeating: 0, count: 136)
        var length = socklen_t(counters.count)
        guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &counters, &length) == 0 else { return nil }
        self.descriptor = descriptor
        port = local.port
        self.peer = "\(peer.host):\(peer.port)"
        acknowledged = counters.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 120, as: UInt64.self) }
        received = counters.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 128, as: UInt64.self) }
        var unsent: Int32 = 0
        self.unsent = ioctl(descriptor, UInt(TIOCOUTQ), &unsent) == 0 ? unsent : 0
    }

    /// Children must not inherit the connection, and old pictures must not queue in the kernel.
    func prepare() {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var bytes: Int32 = 32 << 10
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func address(
        _ descriptor: Int32, _ read: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> (host: String, port: UInt16)? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes -> (String, UInt16)? in
            guard let base = bytes.baseAddress else { return nil }
            let address = base.assumingMemoryBound(to: sockaddr.self)
            guard read(descriptor, address, &length) == 0 else { return nil }
            let family = Int32(address.pointee.sa_family)
            guard family == AF_INET || family == AF_INET6 else { return nil }
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            // The address follows the port: at byte 4 for IPv4, at byte 8 for IPv6.
            inet_ntop(family, base + (family == AF_INET ? 4 : 8), &text, socklen_t(text.count))
            let port = UInt16(bigEndian: (base + 2).load(as: UInt16.self))
            return (String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self), port)
        }
    }
}
