import Foundation

/// Tests whether a TCP port accepts connections.
enum Reachability {
    /// Connects to each of the host's addresses in turn until one accepts.
    static func answers(host: String, port: Int, within seconds: Int) -> Bool {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &found) == 0 else { return false }
        defer { freeaddrinfo(found) }
        return sequence(first: found) { $0?.pointee.ai_next }.prefix { $0 != nil }.contains { entry in
            entry.map { connects($0.pointee, within: seconds) } ?? false
        }
    }

    private static func connects(_ place: addrinfo, within seconds: Int) -> Bool {
        let descriptor = socket(place.ai_family, place.ai_socktype | Int32(SOCK_NONBLOCK.rawValue), place.ai_protocol)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        if connect(descriptor, place.ai_addr, place.ai_addrlen) == 0 { return true }
        guard errno == EINPROGRESS else { return false }
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&entry, 1, Int32(seconds * 1000)) == 1 else { return false }
        var failure: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &length) == 0 && failure == 0
    }
}
