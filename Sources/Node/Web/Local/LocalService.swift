import Agent
import Foundation
import HTTPServing
import History
import ServiceLifecycle

/// Serves the programs of this machine, such as `spotter workout start`, at a Unix socket beside the database. It has the
/// routes of the page, and commands. A program that may connect is the operator.
package struct LocalService: Service {
    /// The most connections at a time.
    private static let maximumConnections = 16

    private let node: Node
    private let router: Router

    /// - Parameter router: answers the requests; it trusts every client.
    init(node: Node, router: Router) { (self.node, self.router) = (node, router) }

    /// Serves until the node stops.
    package func run() async throws {
        let path = Store.socketPath(database: node.store.path)
        guard path.utf8.count <= LocalClient.maximumPathBytes else {
            node.logger.warning(
                """
                programs of this machine cannot ask the node: the path \(path) is longer than \
                \(LocalClient.maximumPathBytes) bytes; move the database
                """)
            return try await gracefulShutdown()
        }
        defer { unlink(path) }
        let listener = HTTPListener(place: .file(path), limit: Self.maximumConnections, answer: router.answer)
        do {
            try await cancelWhenGracefulShutdown {
                try await listener.run { _ in
                } interrupted: { [node] reason in
                    node.logger.warning("the socket \(path) takes no new connections for a moment (\(reason))")
                }
            }
        } catch let failure as HTTPListener.Failure {
            node.logger.error(
                "programs of this machine cannot ask the node: no socket at \(path) (\(failure.reason))")
            try await gracefulShutdown()
        } catch is CancellationError {
            // The node stops.
        }
    }
}
