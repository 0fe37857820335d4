import Foundation
import ServiceLifecycle

/// Answers Prometheus on the loopback address: `/metrics`, and `/healthz` for whoever only wants to know of a life.
///
/// A port that cannot be had is logged and leaves everything else as it is.
struct MetricsService: Service {
    let node: Node
    let reports: CameraReports

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

    private func answer(_ path: String) -> LoopbackServer.Answer {
        switch path {
        case "/metrics":
            do {
                let text = try NodeMetrics(node: node, reports: reports.all).text()
                return ("200 OK", "text/plain; version=0.0.4; charset=utf-8", text)
            } catch {
                return ("500 Internal Server Error", "text/plain", "\(error)\n")
            }
        case "/healthz": return ("200 OK", "text/plain", "ok\n")
        default: return ("404 Not Found", "text/plain", "there are /metrics and /healthz\n")
        }
    }
}
