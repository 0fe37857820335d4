import Foundation
import HTTPServing
import Sink
import TestSupport
import Testing

/// The sink's page for Prometheus, and who gets it.
@Suite struct MetricsServerTests {
    private func ask(
        _ path: String = "/metrics", _ method: HTTPMethod = .GET, host: String = "127.0.0.1:9108", site: String? = nil,
        at address: String = "127.0.0.1:9108"
    ) async throws -> (status: Int, text: String) {
        var request = HTTPRequest(
            method: method, path: path, headers: [.host: host], body: Data())
        request.headers["Sec-Fetch-Site"] = site
        guard case .response(let response) = await (try MetricsServer(SinkMetrics(), address: address)).answer(request)
        else { throw POSIXError(.EPROTO) }
        return (Int(response.status.code), String(decoding: response.body, as: UTF8.self))
    }

    @Test(arguments: [
        ("127.0.0.1:9108", "127.0.0.1:9108", 200), ("127.0.0.1:9108", "localhost:9108", 200),
        ("127.0.0.1:9108", "evil.example:9108", 421), ("127.0.0.1:9108", "192.0.2.7:9108", 421),
        ("0.0.0.0:9108", "192.0.2.7:9108", 200), ("[::]:9108", "[2001:db8::1]:9108", 200),
        ("0.0.0.0:9108", "evil.example:9108", 421), ("0.0.0.0:9108", "", 400),
    ])
    func `a request must name this machine`(address: String, host: String, status: Int) async throws {
        let answer = try await ask(host: host, at: address)
        #expect(answer.status == status && answer.text.contains("# TYPE spotter_sink_") == (status == 200))
    }

    @Test func `another site's page, another path and another method get nothing`() async throws {
        for site in ["cross-site", "same-site"] { #expect(try await ask(site: site).status == 403) }
        for site in ["same-origin", "none"] { #expect(try await ask(site: site).status == 200) }
        for path in ["/", "/metrics/", "/../etc/passwd"] { #expect(try await ask(path).status == 404) }
        for method in [HTTPMethod.POST, .PUT, .HEAD] { #expect(try await ask("/metrics", method).status == 405) }
    }

    @Test(arguments: ["", "127.0.0.1", "sink.example:9108", "127.0.0.1:99999"])
    func `what is no address is refused`(address: String) {
        #expect(throws: (any Error).self) { try MetricsServer(SinkMetrics(), address: address) }
    }

    @Test(.timeLimit(.minutes(2)))
    func `idle connections and endless lines keep Prometheus away from nothing`() async throws {
        let (ports, continuation) = AsyncStream.makeStream(of: UInt16.self)
        let server = try MetricsServer(SinkMetrics(), address: "127.0.0.1:0")
        let running = Task {
            try await server.run {
                continuation.yield($0)
            } interrupted: { _ in
            }
        }
        defer { running.cancel() }
        let port = Int(try #require(await ports.first { _ in true }))
        let text = try await withCheckedThrowingContinuation { (answer: CheckedContinuation<String, any Error>) in
            Thread.detachNewThread {
                answer.resume(
                    with: Result {
                        let idle = try (0..<40).map { _ in try TCPClient(port: port) }
                        for client in idle { client.send("GET /metrics HTTP/1.1\r\nX: ") }
                        let endless = try TCPClient(port: port)
                        endless.send("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 100_000), within: 5)
                        #expect(endless.isClosed(within: 30))
                        let client = try TCPClient(port: port)
                        client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                        defer { withExtendedLifetime(idle) {} }
                        return client.read()
                    })
            }
        }
        #expect(text.hasPrefix("HTTP/1.1 200 ") && text.contains("spotter_sink_"))
    }
}
