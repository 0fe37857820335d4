import Agent
import Foundation
import Glibc
import Testing

/// Tests the metrics server with slow clients, many clients, and requests from web pages.
@Suite struct LoopbackServerTests {
    private let server: LoopbackServer
    private let port: UInt16

    init() throws {
        port = try Client.freePort()
        server = try LoopbackServer(port: port) { path in ("200 OK", "text/plain", "path \(path)\n") }
    }

    private func request(_ path: String, host: String?) -> String {
        "GET \(path) HTTP/1.1\r\n" + (host.map { "Host: \($0)\r\n" } ?? "") + "Accept: */*\r\n\r\n"
    }

    private func ask(_ text: String) async throws -> String {
        let client = try Client(port: port)
        client.send(text)
        return await client.everything()
    }

    @Test func `clients that send a byte a second delay no other, and are sent away`() async throws {
        defer { server.stop() }
        let slow = try (0..<4).map { _ in try Client(port: port) }
        let text = request("/metrics", host: "localhost")
        Thread.detachNewThread {
            for byte in text.utf8 {
                for client in slow { client.send(String(decoding: [byte], as: UTF8.self)) }
                // The test needs these slow clients.
                sleep(1)
            }
        }
        for number in 0..<3 {
            #expect(try await ask(request("/\(number)", host: "localhost")).hasSuffix("path /\(number)\n"))
        }
        // It takes two seconds on an idle machine; the slow requests would take a minute.
        for client in slow { #expect(await client.isClosed(within: 20)) }
    }

    @Test(arguments: [
        ("127.0.0.1:9469", "200"), ("127.0.0.1", "200"), ("localhost:9469", "200"), ("LOCALHOST", "200"),
        ("[::1]:9469", "200"), ("[::1]", "200"), ("evil.example", "421"), ("evil.example:9469", "421"),
        ("127.0.0.1.evil.example", "421"), ("localhost:80:80", "421"), ("localhost:x", "421"), ("", "421"),
        (nil, "400"),
    ])
    func `a request must name this machine`(host: String?, status: String) async throws {
        defer { server.stop() }
        #expect(try await ask(request("/metrics", host: host)).hasPrefix("HTTP/1.1 \(status) "))
    }

    @Test func `a second Host header is refused, and a request may come in pieces`() async throws {
        defer { server.stop() }
        let two = "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"
        #expect(try await ask(two).hasPrefix("HTTP/1.1 400 "))
        let client = try Client(port: port)
        for part in ["GET /a?b HT", "TP/1.1\r\nho", "st: localhost\r", "\n\r\n"] { client.send(part) }
        #expect(await client.everything().hasSuffix("path /a\n"))
        #expect(try await ask("nonsense\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
        #expect(try await ask("POST / HTTP/1.1\r\nHost: localhost\r\n\r\n").hasPrefix("HTTP/1.1 405 "))
        let long = "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "x", count: 20_000)
        #expect(try await ask(long).isEmpty)
    }

    @Test func `a client that connects while silent clients take all places is served after them`() async throws {
        defer { server.stop() }
        let silent = try (0..<LoopbackServer.maximumClients).map { _ in try Client(port: port) }
        #expect(try await ask(request("/late", host: "localhost")).hasSuffix("path /late\n"))
        for client in silent { #expect(await client.isClosed(within: 20)) }
    }
}

/// One TCP connection to this machine; waits half a minute at most.
private final class Client: Sendable {
    private let descriptor: Int32

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        wait(seconds: 30)
        var address = Self.loopback(port)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isConnected)
    }

    deinit { close(descriptor) }

    func send(_ text: String) { _ = Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

    /// All bytes until the other side closes.
    func everything() async -> String { await apart { self.readEverything() } }

    func isClosed(within seconds: Int) async -> Bool { await apart { self.readEnd(within: seconds) } }

    /// Waits on a separate thread, since tasks share only two.
    private func apart<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: work()) }
        }
    }

    private func readEverything() -> String {
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &part, part.count, 0)
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += part.prefix(count)
        }
    }

    private func readEnd(within seconds: Int) -> Bool {
        wait(seconds: seconds)
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, 0) == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)
    }

    private func wait(seconds: Int) {
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(isBound)
        return UInt16(bigEndian: address.sin_port)
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
