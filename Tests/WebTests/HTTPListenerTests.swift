import Foundation
import Glibc
import HTTPServing
import Synchronization
import TestSupport
import Testing
import Web

/// Runs a server on a free port while `body` uses it. The server is patient, since the tests share its threads.
func withServer(
    listen: String = "127.0.0.1:0", limit: Int = 32, patience: Duration = .seconds(120),
    answer: @escaping @Sendable (HTTPRequest) async -> HTTPAnswer,
    _ body: @escaping @Sendable (_ port: Int) async throws -> Void
) async throws {
    let address = try #require(ListenAddress(listen))
    let (ports, continuation) = AsyncStream.makeStream(of: UInt16.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            let listener = HTTPListener(address: address, limit: limit, patience: patience, answer: answer)
            try await listener.run {
                continuation.yield($0)
            } interrupted: {
                Issue.record("interrupted: \($0)")
            }
        }
        group.addTask {
            for await port in ports { return try await body(Int(port)) }
        }
        defer { group.cancelAll() }
        try await group.next()
    }
}

/// The server with slow clients, many clients, and requests that no library would send.
@Suite(.serialized) struct HTTPListenerTests {
    /// Answers with the path, and with events at `/events`.
    @Sendable static func answer(_ request: HTTPRequest) async -> HTTPAnswer {
        if request.path == "/events" {
            return .events([:], Viewer(camera: nil, first: [Array("data: first\n\n".utf8)]).events)
        }
        let size = request.body.count
        return .response(HTTPResponse(.ok, body: Data("path \(request.path) body \(size)\n".utf8)))
    }

    static func request(_ path: String, _ headers: String..., method: String = "GET") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// What comes back for a text, until the server closes the connection.
    static func ask(
        _ text: String, port: Int, isWhole: Bool = false, within seconds: Int = 60
    ) async throws -> String {
        try await apart {
            let client = try TCPClient(port: port)
            client.send(text)
            if isWhole { client.finish() }
            return client.read(within: seconds)
        }
    }

    static func ask(_ path: String, at port: Int) async throws -> String {
        try await ask(request(path, "Connection: close"), port: port)
    }

    @Test func `requests on one connection are answered in turn, without waiting for receipts`() async throws {
        try await withServer(answer: Self.answer) { (port: Int) async throws in
            let fastest = try await apart { () -> Double in
                let client = try TCPClient(port: port)
                var seconds: [Double] = []
                for index in 0..<60 {
                    let start = Date()
                    client.send(Self.request("/\(index)"))
                    let text = client.read { $0.hasSuffix("path /\(index) body 0\n") }
                    #expect(text.hasPrefix("HTTP/1.1 200 "))
                    seconds.append(Date().timeIntervalSince(start))
                }
                // At the beginning of a connection Linux acknowledges at once.
                return seconds.suffix(30).min() ?? 1
            }
            // With Nagle's algorithm every answer takes 40 ms.
            #expect(fastest < 0.03, "\(fastest)")
        }
    }

    @Test func `a connection is prepared before its first answer`() async throws {
        try await withServer(answer: Self.answer) { (port: Int) async throws in
            let (closesOnExec, sendsAtOnce) = try await apart { () -> (Bool, Bool) in
                let client = try TCPClient(port: port)
                client.send(Self.request("/first"))
                _ = client.read { $0.hasSuffix("path /first body 0\n") }
                let server = try #require(Self.descriptors(from: port, to: client.port).first)
                var (isOn, length) = (0 as Int32, socklen_t(MemoryLayout<Int32>.size))
                getsockopt(server, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, &length)
                return (fcntl(server, F_GETFD) & FD_CLOEXEC != 0, isOn != 0)
            }
            #expect(closesOnExec)
            #expect(sendsAtOnce)
        }
    }

    /// This process's sockets between two ports.
    private static func descriptors(from local: Int, to remote: Int) -> [Int32] {
        (3..<1024).filter {
            TCPClient.port(of: $0, getsockname) == local && TCPClient.port(of: $0, getpeername) == remote
        }
    }

    @Test func `a request may come in pieces`() async throws {
        try await withServer(answer: Self.answer) { (port: Int) async throws in
            let text = try await apart { () -> String in
                let client = try TCPClient(port: port)
                for part in ["GET /a?b HT", "TP/1.1\r\nho", "st: localhost\r", "\nConnection: close\r\n\r", "\n"] {
                    client.send(part)
                    // The server is to read each piece by itself.
                    Thread.sleep(forTimeInterval: 0.02)
                }
                return client.read()
            }
            #expect(text.hasSuffix("path /a body 0\n"))
        }
    }

    @Test(arguments: [
        "nonsense\r\n\r\n", "\r\n\r\n", "GET /\r\n\r\n", "GET\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\n", "\0\0\0\0\n",
        "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
    ])
    func `nonsense is refused, and ends the connection`(text: String) async throws {
        try await withServer(answer: Self.answer) { (port: Int) async throws in
            let answer = try await Self.ask(text, port: port, isWhole: true)
            // What never becomes a request has no answer.
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.") && answer.contains(" 4"), "\(answer)")
            #expect(!answer.contains("path") && answer.components(separatedBy: "HTTP/1.1 ").count <= 2)
            #expect(try await Self.ask("/after", at: port).hasSuffix("path /after body 0\n"))
        }
    }

    @Test func `a body of 64 kB is read, a longer one and one without a length are refused`() async throws {
        try await withServer(answer: Self.answer) { (port: Int) async throws in
            for size in [1, 1000, 4096, 4097, 30_000, 65_536] {
                let head = Self.request("/", "Content-Length: \(size)", "Connection: close", method: "POST")
                let text = try await Self.ask(head + String(repeating: "x", count: size), port: port)
                #expect(text.hasSuffix("path / body \(size)\n"), "\(size)")
            }
            for size in [65_537, 100_000, 3_000_000, Int.max] {
                // What is sent of the body must not be taken for another request.
                let body = String(repeating: Self.request("/smuggled"), count: min(size, 4000) / 50)
                let head = Self.request("/", "Content-Length: \(size)", method: "POST")
                let text = try await Self.ask(head + body, port: port, isWhole: true)
                #expect(text.hasPrefix("HTTP/1.1 413 ") && text.contains("too_large"), "\(size)")
                #expect(!text.contains("smuggled") && text.components(separatedBy: "HTTP/1.1").count == 2)
            }
            let chunks = "7fffffffffffffff\r\n" + Self.request("/smuggled")
            let text = try await Self.ask(
                Self.request("/", "Transfer-Encoding: chunked", method: "POST") + chunks, port: port, isWhole: true)
            #expect(text.hasPrefix("HTTP/1.1 411 ") && text.contains("no_length") && !text.contains("smuggled"))
        }
    }

    @Test func `ten megabytes that nobody asked for are refused with a reason`() async throws {
        try await withServer(answer: Self.answer) { (port: Int) async throws in
            let text = try await apart { () -> String in
                let client = try TCPClient(port: port)
                client.send(Self.request("/", "Content-Length: 10000000", method: "POST"))
                client.send([UInt8](repeating: 120, count: 10_000_000))
                return client.read()
            }
            #expect(text.hasPrefix("HTTP/1.1 413 ") && text.contains("Content-Security-Policy"))
        }
    }

    @Test func `HEAD gets the length and no body`() async throws {
        try await withServer(answer: Self.answer) { (port: Int) async throws in
            let text = try await Self.ask(Self.request("/", "Connection: close", method: "HEAD"), port: port)
            #expect(text.contains("Content-Length: 14\r\n") && text.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func `two Host headers are refused`() async throws {
        try await withServer(answer: Self.answer) { (port: Int) async throws in
            let two = "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"
            #expect(try await Self.ask(two, port: port).hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test func `a head too long, of one line or of many, is refused with a reason`() async throws {
        try await withServer(answer: Self.answer) { (port: Int) async throws in
            let lines = (0..<100).map { "X-\($0): 1\r\n" }.joined()
            for text in [
                "GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 9000) + "\r\n\r\n",
                "GET /" + String(repeating: "x", count: 9000) + " HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\n\(lines)\r\n",
            ] {
                let answer = try await Self.ask(text, port: port)
                #expect(answer.hasPrefix("HTTP/1.1 431 ") && answer.contains("head_too_large"), "\(answer)")
            }
        }
    }

    @Test func `requests that are sent together are answered one after the other`() async throws {
        try await withServer(answer: Self.answer) { (port: Int) async throws in
            let first = Self.request("/1", "Content-Length: 4", method: "POST") + "body"
            let text = try await Self.ask(
                first + Self.request("/2") + Self.request("/3", "Connection: close"), port: port)
            let paths = text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("path") }
            #expect(paths == ["path /1 body 4", "path /2 body 0", "path /3 body 0"], "\(text)")
        }
    }

    private final class Viewers: Sendable {
        let all = Mutex<[Viewer]>([])
    }

    @Test(.timeLimit(.minutes(5)))
    func `a stream ends with its client, and with its viewer`() async throws {
        let viewers = Viewers()
        let answer: @Sendable (HTTPRequest) async -> HTTPAnswer = { _ in
            let viewer = Viewer(camera: nil, first: [Array("data: first\n\n".utf8)])
            viewers.all.withLock { $0.append(viewer) }
            return .events([:], viewer.events)
        }
        try await withServer(answer: answer) { (port: Int) async throws in
            let gone = try await apart { () -> Bool in
                do {
                    let client = try TCPClient(port: port)
                    client.send(Self.request("/"))
                    _ = client.read { $0.contains("data: first") }
                }
                // The server learns it by sending.
                for _ in 0..<600 {
                    guard let viewer = viewers.all.withLock({ $0.first }), !viewer.isClosed else { return true }
                    viewer.offer(Array("data: more\n\n".utf8))
                    viewer.flush()
                    Thread.sleep(forTimeInterval: 0.1)
                }
                return false
            }
            #expect(gone)
            let text = try await apart { () -> String in
                let client = try TCPClient(port: port)
                client.send(Self.request("/", "Connection: close"))
                _ = client.read { $0.contains("data: first") }
                viewers.all.withLock { $0.last }?.close()
                return client.read()
            }
            #expect(text.hasSuffix("0\r\n\r\n"))
        }
    }

    @Test func `an address that is taken is told as such`() async throws {
        try await withServer(answer: Self.answer) { (port: Int) async throws in
            let address = try #require(ListenAddress("127.0.0.1:\(port)"))
            let second = HTTPListener(address: address, limit: 8, answer: Self.answer)
            let failure = await #expect(throws: HTTPListener.Failure.self) {
                try await second.run { _ in
                } interrupted: { _ in
                }
            }
            #expect(failure?.reason == "Address already in use")
        }
    }
}
