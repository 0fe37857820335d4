import Foundation
import Glibc

/// Asks a server of this machine at its Unix socket.
package struct LocalClient: Sendable {
    /// Why there is no answer.
    package enum Failure: Error, Equatable {
        /// Nobody listens there, or the server ended before it read the request.
        case nobody
        /// This user may not connect.
        case notAllowed
        /// The server ended before it answered. It may have done what it was asked to do.
        case interrupted
        /// The server took longer than it was given.
        case tooLate
    }

    /// The longest path of a socket, `sun_path` of `unix(7)` without its last byte.
    package static let maximumPathBytes = 107

    private let path: String

    /// - Parameter path: the file of the socket.
    package init(path: String) { self.path = path }

    /// Sends a request and waits for the whole answer.
    ///
    /// - Parameters:
    ///   - body: JSON; `nil` for none.
    ///   - seconds: how long the answer may take.
    /// - Returns: the status, and the body.
    /// - Throws: ``Failure``.
    package func ask(_ method: String, _ route: String, _ body: String?, seconds: Double) throws(Failure) -> (
        status: Int, body: [UInt8]
    ) {
        let deadline = ContinuousClock.now + .seconds(seconds)
        let descriptor = try connected()
        defer { close(descriptor) }
        let content = body ?? ""
        let head = """
            \(method) \(route) HTTP/1.1\r
            Host: localhost\r
            Origin: http://localhost\r
            Content-Type: application/json\r
            Content-Length: \(content.utf8.count)\r
            Connection: close\r
            \r

            """
        try write(Array((head + content).utf8), to: descriptor)
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            try wait(for: descriptor, until: deadline)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            // The kernel says so where the server ended without reading.
            if count < 0, errno == ECONNRESET, answer.isEmpty { throw .nobody }
            guard count > 0 else { break }
            answer += buffer[..<count]
            if let whole = Self.parsed(answer) { return whole }
        }
        throw .interrupted
    }

    private func connected() throws(Failure) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .nobody }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8.prefix(Self.maximumPathBytes))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if result == 0 { return descriptor }
        let isRefusal = errno == EACCES || errno == EPERM
        close(descriptor)
        throw isRefusal ? .notAllowed : .nobody
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            // A part of a request is not obeyed.
            guard count > 0 else { throw .nobody }
            rest = rest.dropFirst(count)
        }
    }

    private func wait(for descriptor: Int32, until deadline: ContinuousClock.Instant) throws(Failure) {
        while true {
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else { throw .tooLate }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let found = poll(&entry, 1, Int32(min(left.rounded(.up), 1e6)))
            if found > 0 { return }
            if found < 0, errno != EINTR { throw .interrupted }
        }
    }

    /// The answer once all of it is there. The server says how long it is.
    private static func parsed(_ bytes: [UInt8]) -> (status: Int, body: [UInt8])? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let length =
            lines.lazy.map { $0.lowercased() }.first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces)) } ?? 0
        let body = bytes[end.upperBound...]
        return body.count >= length ? (status, Array(body.prefix(length))) : nil
    }
}
