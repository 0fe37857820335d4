import Agent
import Foundation
import HTTPServing
import ServiceLifecycle
import Synchronization

/// Serves `/metrics` for Prometheus and `/healthz` for liveness probes, on the loopback address.
///
/// A port that is not available is logged; the node runs without metrics.
package final class MetricsService: Service {
    /// The most connections at a time.
    package static let maximumConnections = 8

    let node: Node
    let reports: CameraStatusBoard
    /// Counted here, because retention deletes gap records but a counter must not fall.
    private let gaps = Mutex<(count: Int, last: Int64)>((0, 0))
    private let pool: WorkPool

    /// - Parameters:
    ///   - reports: the state of each camera.
    ///   - pool: where SQLite is read.
    package init(node: Node, reports: CameraStatusBoard, pool: WorkPool = WorkPool()) {
        (self.node, self.reports, self.pool) = (node, reports, pool)
    }

    /// Serves until the node stops.
    package func run() async throws {
        let port = node.configuration.metrics.port
        guard let address = ListenAddress("127.0.0.1:\(port)") else { return }
        let listener = HTTPListener(address: address, limit: Self.maximumConnections, answer: answer)
        do {
            try await cancelWhenGracefulShutdown { [node] in
                try await listener.run { port in
                    node.logger.info("metrics at http://127.0.0.1:\(port)/metrics")
                } interrupted: { reason in
                    node.logger.warning("the metrics are interrupted (\(reason)) and start again")
                }
            }
        } catch let failure as HTTPListener.Failure {
            node.logger.error("no metrics at port \(port) (\(failure.reason)): choose another metrics.port")
            try await gracefulShutdown()
        } catch is CancellationError {
            // The node stops.
        }
    }

    /// The answer to one request.
    @Sendable package func answer(_ request: HTTPRequest) async -> HTTPAnswer {
        // A web page in a browser on this machine could reach the port through its own name (DNS rebinding), and must
        // not read the answer.
        guard let host = request.headers[.host].flatMap(HostName.init(header:)), host.isLoopback else {
            return text(
                .misdirectedRequest, "ask for http://127.0.0.1 or http://localhost\n")
        }
        // Nor may another site's page cause the work of an answer.
        guard !request.isOfForeignPage else { return text(.forbidden, "not for the page of another site\n") }
        guard request.method == .GET else { return text(.methodNotAllowed, "only GET\n") }
        switch request.path {
        case "/metrics":
            do {
                let page = try await page()
                return text(.ok, page, type: "text/plain; version=0.0.4; charset=utf-8")
            } catch let failure as WebFailure {
                return .response(failure.response)
            } catch {
                return text(.internalServerError, "\(error)\n")
            }
        case "/healthz": return text(.ok, "ok\n")
        default: return text(.notFound, "there are /metrics and /healthz\n")
        }
    }

    private func text(_ status: HTTPStatus, _ text: String, type: String = "text/plain") -> HTTPAnswer {
        .response(HTTPResponse(status, headers: [.contentType: type], body: Data(text.utf8)))
    }

    /// The metrics, some of which are in SQLite.
    private func page() async throws -> String {
        try await pool.ask(.short) { [self] _ in
            try NodeMetrics(node: node, reports: reports.all, gaps: gapCount()).text()
        }
    }

    private func gapCount() throws -> Int {
        let before = gaps.withLock { $0 }
        let new = try node.store.records.gaps(after: before.last)
        return gaps.withLock { gaps in
            // Another answer may have counted the same meanwhile.
            if gaps.last == before.last { gaps = (before.count + new.count, new.last) }
            return gaps.count
        }
    }
}
