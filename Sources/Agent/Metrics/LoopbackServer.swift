import Foundation

/// Answers HTTP requests of programs on this machine, one after the other: a listening socket and nothing around it.
///
/// The HTTP libraries for Swift bring curl or an event loop of twenty packages; what a scraper needs is one GET.
final class LoopbackServer {
    /// Status line's words, content type, body.
    typealias Answer = (status: String, type: String, body: String)

    private let source: any DispatchSourceRead

    /// Listens on 127.0.0.1.
    ///
    /// - Parameter answer: given the path of a GET; called on a queue of the server's own.
    /// - Throws: `POSIXError` when the port cannot be had.
    init(port: UInt16, answer: @escaping @Sendable (_ path: String) -> Answer) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Self.failure }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isListening = withUnsafePointer(to: address) { pointer in
            // sockaddr_in is laid out as a sockaddr, as every socket call expects.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 && listen(descriptor, 8) == 0
            }
        }
        guard isListening else {
            let failure = Self.failure
            close(descriptor)
            throw failure
        }
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "metrics", qos: .utility))
        source.setEventHandler {
            let client = accept(descriptor, nil, nil)
            guard client >= 0 else { return }
            defer { close(client) }
            Self.serve(client, answer)
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }

    func stop() { source.cancel() }

    private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    private static func serve(_ client: Int32, _ answer: (String) -> Answer) {
        // Who says nothing, or does not listen, is not waited for.
        var patience = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        guard let request = readHead(client) else { return }
        let words = request.prefix { $0 != "\r" && $0 != "\n" }.split(separator: " ")
        let reply: Answer =
            if words.count < 2 {
                ("400 Bad Request", "text/plain", "not HTTP\n")
            } else if words[0] != "GET" {
                ("405 Method Not Allowed", "text/plain", "only GET\n")
            } else {
                answer(String(words[1].prefix { $0 != "?" }))
            }
        let head = """
            HTTP/1.1 \(reply.status)\r\nContent-Type: \(reply.type)\r\nContent-Length: \(reply.body.utf8.count)\r\n\
            Connection: close\r\n\r\n
            """
        var bytes = Array((head + reply.body).utf8)[...]
        while !bytes.isEmpty {
            let sent = bytes.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { return }
            bytes = bytes.dropFirst(sent)
        }
    }

    /// Everything up to the empty line; `nil` if it does not come, or is longer than a request of a scraper.
    private static func readHead(_ client: Int32) -> Substring? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 2048)
        while bytes.count < 16_384 {
            let count = recv(client, &part, part.count, 0)
            guard count > 0 else { return nil }
            bytes += part.prefix(count)
            let text = String(decoding: bytes, as: UTF8.self)
            if text.contains("\r\n\r\n") || text.contains("\n\n") { return Substring(text) }
        }
        return nil
    }
}
