import FlyingFox
import Foundation
import Synchronization
import TemporaryFolder
import Testing
import Web

/// Runs a server on a free port while `body` uses it. The server is patient, since the tests share its threads.
func withServer(
    limit: Int = 32, patience: Duration = .seconds(120), answer: @escaping @Sendable (HTTPRequest) async -> HTTPAnswer,
    _ body: @escaping @Sendable (_ port: Int) async throws -> Void
) async throws {
    let address = try #require(ListenAddress("127.0.0.1:0"))
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
    @Sendable private static func answer(_ request: HTTPRequest) async -> HTTPAnswer {
        if request.path == "/events" {
            return .events([:], Viewer(camera: nil, first: [Array("data: first\n\n".utf8)]))
        }
        let size = (try? await request.bodyData.count) ?? -1
        return .response(HTTPResponse(statusCode: .ok, body: Data("path \(request.path) body \(size)\n".utf8)))
    }

    private static func request(_ path: String, _ headers: String..., method: String = "GET") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// What comes back for a text, until the server closes the connection.
    private static func ask(
        _ text: String, port: Int, isWhole: Bool = false, within seconds: Int = 60
    ) async throws -> String {
        try await apart {
            let client = try TCPClient(port: port)
            client.send(text)
            if isWhole { client.finish() }
            return client.read(within: seconds)
        }
    }

    private static func ask(_ path: String, at port: Int) async throws -> String {
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
    func `nonsense ends the connection`(text: String) async throws {
        try await withServer(answer: Self.answer) { (port: Int) async throws in
            #expect(try await Self.ask(text, port: port).isEmpty)
            #expect(try await Self.ask("/after", at: port).hasSuffix("path /after body 0\n"))
        }
    }

    @Test func `a body of 4 kB is read, a longer one and one without a length are refused`() async throws {
        try await withServer(answer: Self.answer) { (port: Int) async throws in
            for size in [1, 1000, 4096] {
                let head = Self.request("/", "Content-Length: \(size)", "Connection: close", method: "POST")
                let text = try await Self.ask(head + String(repeating: "x", count: size), port: port)
                #expect(text.hasSuffix("path / body \(size)\n"), "\(size)")
            }
            for size in [4097, 100_000, 3_000_000, Int.max] {
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

    @Test func `the last of two Host headers counts`() async throws {
        // FlyingFox keeps only one. Both ways a browser's one header decides.
        let answer: @Sendable (HTTPRequest) async -> HTTPAnswer = { request in
            .response(HTTPResponse(statusCode: .ok, body: Data((request.headers[.host] ?? "").utf8)))
        }
        try await withServer(answer: answer) { (port: Int) async throws in
            let two = "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
            #expect(try await Self.ask(two, port: port).hasSuffix("evil.example"))
        }
    }

    // MARK: - Limits of size and time

    @Test(.timeLimit(.minutes(5)))
    func `a line without end is cut off soon, and delays nobody`() async throws {
        try await withServer(patience: ConnectionTable.patience, answer: Self.answer) { (port: Int) async throws in
            let clients = try await apart {
                try (0..<8).map { _ in
                    let client = try TCPClient(port: port)
                    client.send("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 100_000), within: 5)
                    return client
                }
            }
            let start = Date()
            #expect(try await Self.ask("/meanwhile", at: port).hasSuffix("path /meanwhile body 0\n"))
            // The work grows with the square of the length. Without a limit these eight would take minutes.
            #expect(Date().timeIntervalSince(start) < 30)
            for client in clients { #expect(try await apart { client.isClosed(within: 30) }) }
        }
    }

    @Test func `a head of many lines is cut off as well`() async throws {
        try await withServer(answer: Self.answer) { (port: Int) async throws in
            let lines = (0..<20_000).map { "X-\($0): y\r\n" }.joined()
            let text = try await Self.ask("GET / HTTP/1.1\r\nHost: localhost\r\n" + lines, port: port)
            #expect(text.isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `clients that send a byte a second delay no other, and are sent away`() async throws {
        try await withServer(patience: ConnectionTable.patience, answer: Self.answer) { (port: Int) async throws in
            let slow = try await apart { try (0..<4).map { _ in try TCPClient(port: port) } }
            let text = Self.request("/slow", "Connection: close")
            Thread.detachNewThread {
                for byte in text.utf8.prefix(40) {
                    for client in slow { client.send([byte], within: 1) }
                    // The test needs these slow clients.
                    sleep(1)
                }
            }
            for number in 0..<3 {
                #expect(try await Self.ask("/\(number)", at: port).hasSuffix("path /\(number) body 0\n"))
            }
            // They have ten seconds; the requests would take longer.
            for client in slow { #expect(try await apart { client.isClosed(within: 39) }) }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a body that does not come ends the connection`() async throws {
        try await withServer(answer: Self.answer) { (port: Int) async throws in
            let text = try await Self.ask(
                Self.request("/", "Content-Length: 4000", method: "POST") + "half", port: port, within: 40)
            #expect(text.isEmpty)
        }
    }

    // MARK: - Limits of number

    @Test(.timeLimit(.minutes(5)))
    func `a connection too many is told so, and a later one is served`() async throws {
        try await withServer(limit: 8, patience: ConnectionTable.patience, answer: Self.answer) {
            (port: Int) async throws in
            let silent = try await apart { () -> [TCPClient] in
                let clients = try (0..<8).map { _ in try TCPClient(port: port) }
                Thread.sleep(forTimeInterval: 0.5)
                return clients
            }
            let refused = try await Self.ask("/late", at: port)
            #expect(refused.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
            #expect(refused.contains("8 connections are open, and no more are possible"))
            #expect(refused.contains("Retry-After: 5\r\n") && refused.contains("Content-Security-Policy: "))
            for client in silent { #expect(try await apart { client.isClosed(within: 30) }) }
            #expect(try await Self.ask("/later", at: port).hasSuffix("path /later body 0\n"))
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `of many streams at once no more than the limit are served`() async throws {
        try await withServer(limit: 8, answer: Self.answer) { (port: Int) async throws in
            let texts = try await apart { () -> [String] in
                let clients = try (0..<40).map { _ in try TCPClient(port: port) }
                for client in clients { client.send(Self.request("/events"), within: 2) }
                return clients.map { client in client.read(within: 2) { $0.contains("data: first") } }
            }
            let served = texts.count { $0.hasPrefix("HTTP/1.1 200 ") }
            #expect((1...8).contains(served))
            #expect(texts.allSatisfy { $0.isEmpty || $0.hasPrefix("HTTP/1.1 200 ") || $0.hasPrefix("HTTP/1.1 503 ") })
            #expect(try await Self.ask("/after", at: port).hasPrefix("HTTP/1.1 "))
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a thousand connections leave nothing behind`() async throws {
        try await withServer(patience: ConnectionTable.patience, answer: Self.answer) { (port: Int) async throws in
            let before = try Self.descriptors()
            try await apart {
                for index in 0..<1000 {
                    let client = try TCPClient(port: port)
                    if index % 3 == 0 { client.send("GET / HT") }
                    if index % 3 == 1 { client.send(Self.request("/events")) }
                }
            }
            // Other tests open files, too.
            let isBack = try await apart { () -> Bool in
                for _ in 0..<300 {
                    if try Self.descriptors() < before + 50 { return true }
                    Thread.sleep(forTimeInterval: 0.1)
                }
                return false
            }
            #expect(isBack)
            #expect(try await Self.ask("/after", at: port).hasSuffix("path /after body 0\n"))
        }
    }

    private static func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
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
            return .events([:], viewer)
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
