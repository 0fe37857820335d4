import Foundation
import Synchronization

/// A minimal HTTP server for programs on this machine.
///
/// The HTTP libraries for Swift bring curl or an event loop of twenty packages, but a scraper needs a single GET. Each
/// client has its own thread and two seconds for its whole request and answer. At most ``maximumClients`` are served at
/// a time; others wait.
package final class LoopbackServer: Sendable {
    /// The status line without the version, the content type and the body.
    package typealias Answer = (status: String, type: String, body: String)

    /// The number of clients served at a time.
    package static let maximumClients = 8
    private static let timeout = Duration.seconds(2)

    private let descriptor: Int32
    private let isStopped = Atomic(false)

    /// Starts to listen on 127.0.0.1.
    ///
    /// - Parameter answer: receives the path of a GET; called on the server's threads, several at a time.
    /// - Throws: `POSIXError` when the port is not available.
    package init(port: UInt16, answer: @escaping @Sendable (_ path: String) -> Answer) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Self.failure }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let descriptor = descriptor
        let isListening = withUnsafePointer(to: address) { pointer in
            // sockaddr_in begins like sockaddr, as every socket call expects.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 && listen(descriptor, 16) == 0
            }
        }
        guard isListening else {
            let failure = Self.failure
            close(descriptor)
            throw failure
        }
        let thread = Thread { [self] in acceptClients(answer) }
        thread.name = "metrics"
        thread.start()
    }

    /// Stops accepting clients. Requests in progress are finished.
    package func stop() {
        guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // Ends the wait in accept(2); the thread closes the socket.
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    private func acceptClients(_ answer: @escaping @Sendable (String) -> Answer) {
        let room = DispatchSemaphore(value: Self.maximumClients)
        while !isStopped.load(ordering: .acquiring) {
            room.wait()
            let client = accept(descriptor, nil, nil)
            guard client >= 0 else {
                room.signal()
                // For instance out of descriptors, which passes.
                Thread.sleep(forTimeInterval: 0.1)
                continue
            }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            Thread.detachNewThread {
                Self.serve(client, answer)
                close(client)
                room.signal()
            }
        }
        close(descriptor)
    }

    private static func serve(_ client: Int32, _ answer: (String) -> Answer) {
        let deadline = ContinuousClock.now + timeout
        guard let head = readHead(client, until: deadline) else { return }
        let reply: Answer
        switch LoopbackRequest.read(head) {
        case .path(let path): reply = answer(path)
        case .refused(let status, let reason): reply = (status, "text/plain", reason + "\n")
        }
        let text = """
            HTTP/1.1 \(reply.status)\r\nContent-Type: \(reply.type)\r\nContent-Length: \(reply.body.utf8.count)\r\n\
            Connection: close\r\n\r\n
            """
        var bytes = Array((text + reply.body).utf8)[...]
        while !bytes.isEmpty, wait(for: POLLOUT, client, until: deadline) {
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            let sent = bytes.withUnsafeBytes { send(client, $0.baseAddress, $0.count, flags) }
            guard sent > 0 else { return }
            bytes = bytes.dropFirst(sent)
        }
    }

    /// Reads up to the empty line; `nil` if that does not arrive in time or exceeds 16 KiB.
    private static func readHead(_ client: Int32, until deadline: ContinuousClock.Instant) -> String? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 2048)
        while bytes.count < 16_384, wait(for: POLLIN, client, until: deadline) {
            let count = recv(client, &part, part.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return nil }
            bytes += part.prefix(count)
            let text = String(decoding: bytes, as: UTF8.self)
            if text.contains("\r\n\r\n") || text.contains("\n\n") { return text }
        }
        return nil
    }

    /// - Returns: whether the socket is ready before the deadline.
    private static func wait(
        for event: Int32, _ client: Int32, until deadline: ContinuousClock.Instant
    ) -> Bool {
        var waited = pollfd(fd: client, events: Int16(event), revents: 0)
        while true {
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else { return false }
            let ready = poll(&waited, 1, Int32(left.rounded(.up)))
            if ready < 0, errno == EINTR { continue }
            return ready > 0
        }
    }
}
