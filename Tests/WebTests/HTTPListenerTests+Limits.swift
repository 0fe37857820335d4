import Foundation
import TestSupport
import Testing
import Web

/// The limits of size, time and number.
extension HTTPListenerTests {
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
                for _ in 0..<900 {
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
}
