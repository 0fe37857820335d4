import FlyingFox
import FlyingSocks
import Foundation

/// Serves the page for Prometheus: `GET /metrics`.
package struct MetricsServer: Sendable {
    private let metrics: SinkMetrics
    private let host: String
    private let port: UInt16

    /// A server at `address`, such as `127.0.0.1:9108`.
    package init(_ metrics: SinkMetrics, address: String) {
        self.metrics = metrics
        let colon = address.lastIndex(of: ":") ?? address.endIndex
        let name = address[..<colon].filter { $0 != "[" && $0 != "]" }
        host = name == "localhost" ? "127.0.0.1" : name
        port = UInt16(address[colon...].dropFirst()) ?? 0
    }

    /// Why there is no page, in the system's words.
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Serves until the task is cancelled.
    ///
    /// - Throws: when the address is not available.
    package func run() async throws {
        let address: any SocketAddress =
            host.contains(":")
            ? try sockaddr_in6.inet6(ip6: host, port: port) : try sockaddr_in.inet(ip4: host, port: port)
        let server = HTTPServer(config: HTTPServer.Configuration(address: address, timeout: 10, logger: .disabled))
        await server.appendRoute("GET /metrics") { [metrics] _ in
            HTTPResponse(
                statusCode: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: Data(metrics.page.utf8))
        }
        do {
            try await server.run()
        } catch SocketError.failed(_, _, let message) {
            throw Failure(description: message)
        }
    }
}
