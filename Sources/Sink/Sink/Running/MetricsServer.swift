import Foundation
import HTTPServing

/// Serves the page for Prometheus: `GET /metrics`.
package struct MetricsServer: Sendable {
    /// The most connections at a time.
    package static let maximumConnections = 8

    private let metrics: SinkMetrics
    private let address: ListenAddress
    private let hosts: KnownHosts

    /// Why there is no page, in the system's words.
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A server at `address`, such as `127.0.0.1:9108`.
    ///
    /// - Throws: when that is no address.
    package init(_ metrics: SinkMetrics, address: String) throws {
        guard let listen = ListenAddress(address) else { throw Failure(description: "it is not an address and a port") }
        self.metrics = metrics
        self.address = listen
        hosts = KnownHosts(address: listen, advice: "ask for its address in figures")
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameters:
    ///   - listening: called with the port once connections are accepted.
    ///   - interrupted: called with the reason when none are accepted for a moment.
    /// - Throws: when the address is not available.
    package func run(
        listening: @escaping @Sendable (UInt16) async -> Void = { _ in },
        interrupted: @escaping @Sendable (_ reason: String) -> Void
    ) async throws {
        let listener = HTTPListener(address: address, limit: Self.maximumConnections, answer: answer)
        do {
            try await listener.run(listening: listening, interrupted: interrupted)
        } catch let failure as HTTPListener.Failure {
            throw Failure(description: failure.reason)
        }
    }

    /// The answer to one request.
    @Sendable package func answer(_ request: HTTPRequest) async -> HTTPAnswer {
        do {
            try hosts.check(request)
            guard !request.isOfForeignPage else { throw WebFailure.foreignPage }
            guard request.path == "/metrics" else {
                throw WebFailure(.notFound, "not_found", "Nothing is at this address: the figures are at /metrics.")
            }
            guard request.method == .GET else {
                throw WebFailure(.methodNotAllowed, "method_not_allowed", "This address answers GET.")
            }
        } catch let failure as WebFailure {
            return .response(failure.response)
        } catch {
            return .response(WebFailure(.internalServerError, "failed", "\(error)").response)
        }
        let headers: HTTPHeaders = [.contentType: "text/plain; version=0.0.4; charset=utf-8"]
        return .response(HTTPResponse(.ok, headers: headers, body: Data(metrics.page.utf8)))
    }
}
