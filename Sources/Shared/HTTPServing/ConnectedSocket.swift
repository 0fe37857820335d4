import Foundation

/// One connected TCP socket of this process, as the kernel describes it.
package struct ConnectedSocket: Sendable {
    let descriptor: Int32
    /// The local port.
    let port: UInt16
    /// The other end, `address:port`.
    let peer: String
    /// Bytes received so far.
    let received: UInt64
    /// Those of them that the server has read.
    let read: UInt64
    /// Bytes sent that the other end has acknowledged.
    let acknowledged: UInt64
    /// Bytes waiting to be sent or acknowledged.
    let unsent: Int32

    /// Whether the other end has closed its side. A client that only says that it sends no more cannot be told from one
    /// that has gone; no browser does so.
    let hasLeft: Bool

    /// The other end without its port.
    var client: ClientAddress { ClientAddress(peer: peer) }

    /// TCP_CLOSE_WAIT of net/tcp_states.h.
    private static let closeWait: UInt8 = 8

    /// All of them.
    package static func all() -> [ConnectedSocket] {
        // Several times a second, so without the names as strings.
        guard let folder = opendir("/proc/self/fd") else { return [] }
        defer { closedir(folder) }
        var sockets: [ConnectedSocket] = []
        while let entry = readdir(folder) {
            guard Int32(entry.pointee.d_type) == Int32(DT_LNK) else { continue }
            let descriptor = withUnsafePointer(to: &entry.pointee.d_name) {
                Int32(atoi(UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self)))
            }
            if let socket = ConnectedSocket(descriptor) { sockets.append(socket) }
        }
        return sockets
    }

    init?(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        guard let local = Self.address(descriptor, getsockname), let peer = Self.address(descriptor, getpeername) else {
            return nil
        }
        // struct tcp_info of linux/tcp.h: tcpi_state is at byte 0, tcpi_bytes_acked at byte 120, tcpi_bytes_received
        // behind it. The kernel never moves them; glibc's own struct ends before.
        var counters = [UInt8](repeating: 0, count: 136)
        var length = socklen_t(counters.count)
        guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &counters, &length) == 0 else { return nil }
        self.descriptor = descriptor
        port = local.port
        self.peer = "\(peer.host):\(peer.port)"
        acknowledged = counters.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 120, as: UInt64.self) }
        received = counters.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 128, as: UInt64.self) }
        hasLeft = counters[0] == Self.closeWait
        var (unread, unsent) = (0 as Int32, 0 as Int32)
        // FIONREAD comes after the counter: what arrives between the two must not make the difference negative.
        let isKnown = ioctl(descriptor, UInt(FIONREAD), &unread) == 0
        read = received - min(received, UInt64(isKnown ? max(0, unread) : 0))
        self.unsent = ioctl(descriptor, UInt(TIOCOUTQ), &unsent) == 0 ? unsent : 0
    }

    /// Children must not inherit the connection, old pictures must not queue in the kernel, and no packet may wait: the
    /// head and the body of an answer are two, and the body would wait 40 ms until the client has acknowledged the head.
    func prepare() {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var (bytes, isOn) = (32 << 10 as Int32, 1 as Int32)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Ends the connection, and throws away what it has received: the server would read all of it first.
    ///
    /// - Parameter text: a response to send before.
    func end(saying text: String = "") {
        // A copy stays this connection, although the server may close it now and its number may go to another file.
        // Without a descriptor for the copy the connection itself must do.
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        let own = copy < 0 ? descriptor : copy
        defer { if copy >= 0 { close(copy) } }
        guard ConnectedSocket(own)?.peer == peer else { return }
        if !text.isEmpty { send(own, text, text.utf8.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) }
        shutdown(own, Int32(SHUT_RDWR))
        // After the shutdown nothing new arrives.
        var rest = [UInt8](repeating: 0, count: 16 << 10)
        while recv(own, &rest, rest.count, Int32(MSG_DONTWAIT)) > 0 {}
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
