import Agent
import Diagnostics
import FlyingFox
import Foundation
import Messaging

/// How the node itself is.
struct NodeRoutes {
    let status: NodeStatus
    let configurationPath: String?

    var all: [Route] {
        [
            Route(.GET, "/api/v1/info", .role(.viewer)) { _ in try WebResponse.json(status.node.info()) },
            Route(.GET, "/api/v1/health", .role(.viewer)) { _ in try WebResponse.json(status.currentHealth()) },
            Route(.GET, "/api/v1/log", .role(.operator)) { _ in try WebResponse.json(status.node.logTail.lines) },
            Route(.GET, "/api/v1/doctor", .role(.operator)) { _ in
                try WebResponse.json(await findings())
            },
            Route(.GET, "/api/v1/openapi.json", .open) { _ in
                WebResponse.json(String(decoding: PageFiles.named["openapi.json"] ?? [], as: UTF8.self))
            },
        ]
    }

    /// Checks the node like `spotter doctor`, on a thread of its own: some checks wait for the network.
    private func findings() async -> [DiagnosticResult] {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Doctor(path: configurationPath).findings { _ in })
            }
        }
    }
}
