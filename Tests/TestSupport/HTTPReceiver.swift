import Foundation
import Glibc
import Synchronization

/// An HTTP server on a free port that keeps every request and answers as it is told.
package final class HTTPReceiver: Sendable {
    /// A whole request.
    package struct Request: Sendable {
        package let method: String
        package let path: String
        /// By name in lower case.
        package let headers: [String: String]
        package let body: String
    }

    /// What it answers.
    package enum Answer: Sendable {
        case status(Int, String)
        /// Nothing, for as long as the client waits.
        case silence
    }

    private struct State {
        var requests: [Request] = []
        var answer: @Sendable (Request) -> Answer
    }

    /// Shared with the threads that serve.
    private final class Shared: Sendable {
        let state: Mutex<State>
        init(_ answer: @escaping @Sendable (Request) -> Answer) { state = Mutex(State(answer: answer)) }
    }

    private let shared: Shared
    private let server: LoopbackServer

    /// Starts, and answers each request as `answer` says.
    package init(_ answer: @escaping @Sendable (Request) -> Answer = { _ in .status(200, "thanks") }) throws {
        let shared = Shared(answer)
        self.shared = shared
        server = try LoopbackServer { connection in Self.serve(connection, shared) }
    }

    /// The address of a path.
    package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(server.port)\(path)" }

    /// All requests so far.
    package var requests: [Request] { shared.state.withLock { $0.requests } }

    /// Answers otherwise from now on.
    package func answer(_ answer: @escaping @Sendable (Request) -> Answer) {
        shared.state.withLock { $0.answer = answer }
    }

    private static func serve(_ connection: Int32, _ shared: Shared) {
        defer { close(connection) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 8192)
        while true {
            if let request = parsed(bytes) {
                let answer = shared.state.withLock { state in
                    state.requests.append(request)
                    return state.answer
                }(request)
                guard case .status(let status, let body) = answer else {
                    // Until the client gives up.
                    while recv(connection, &buffer, buffer.count, 0) > 0 {}
                    return
                }
                let head =
                    "HTTP/1.1 \(status) Answer\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
                let whole = Array((head + body).utf8)
                _ = send(connection, whole, whole.count, Int32(MSG_NOSIGNAL))
                return
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            bytes += buffer[..<count]
        }
    }

    private static func parsed(_ bytes: [UInt8]) -> Request? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                in: .whitespaces)
        }
        let body = bytes[end.upperBound...]
        guard words.count > 1, body.count >= headers["content-length"].flatMap({ Int($0) }) ?? 0 else { return nil }
        return Request(method: words[0], path: words[1], headers: headers, body: String(decoding: body, as: UTF8.self))
    }
}
