import Foundation
import ServiceLifecycle
import Synchronization

/// Serves `/metrics` for Prometheus and `/healthz` for liveness probes, on the loopback address.
///
/// A port that is not available is logged; the node runs without metrics.
final class MetricsService: Service {
    let node: Node
    let reports: CameraStatusBoard
    /// Counted here, because retention deletes gap records but a counter must not fall.
    private let gaps = Mutex<(count: Int, last: Int64)>((0, 0))

    init(node: Node, reports: CameraStatusBoard) {
        self.node = node
        self.reports = reports
    }

    func run() async throws {
        let port = node.configuration.metrics.port
        do {
            let server = try LoopbackServer(port: UInt16(clamping: port), answer: answer)
            defer { server.stop() }
            node.logger.info("metrics at http://127.0.0.1:\(port)/metrics")
            try await gracefulShutdown()
        } catch let error as POSIXError {
            let reason = String(cString: strerror(error.code.rawValue))
            node.logger.error("no metrics at port \(port) (\(reason)): choose another metrics.port")
            try await gracefulShutdown()
        }
    }

    private func gapCount() throws -> Int {
        try gaps.withLock { gaps in
            let new = try node.store.records.gaps(after: gaps.last)
            gaps = (gaps.count + new.count, new.last)
            return gaps.count
        }
    }

    private func answer(_ path: String) -> LoopbackServer.Answer {
        switch path {
        case "/metrics":
            do {
                let text = try NodeMetrics(node: node, reports: reports.all, gaps: gapCount()).text()
                return ("200 OK", "text/plain; version=0.0.4; charset=utf-8", text)
            } catch {
                return ("500 Internal Server Error", "text/plain", "\(error)\n")
            }
        case "/healthz": return ("200 OK", "text/plain", "ok\n")
        default: return ("404 Not Found", "text/plain", "there are /metrics and /healthz\n")
        }
    }
}
