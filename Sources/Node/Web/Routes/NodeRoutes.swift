import Agent
import Foundation
import HTTPServing
import Messaging

/// How the node itself is.
struct NodeRoutes {
    let status: NodeStatus
    private let check: NodeCheck

    /// - Parameter configurationPath: the configuration file, for the check; `nil` for none.
    init(status: NodeStatus, configurationPath: String?) {
        self.status = status
        check = NodeCheck(configurationPath: configurationPath, pool: status.pool)
    }

    var all: [Route] {
        [
            Route(.GET, "/api/v1/info", .role(.viewer)) { _ in try WebResponse.json(await status.info()) },
            Route(.GET, "/api/v1/health", .role(.viewer)) { _ in try WebResponse.json(await status.currentHealth()) },
            Route(.GET, "/api/v1/occupancy", .role(.viewer)) { _ in
                try WebResponse.json(
                    await status.pool.ask(.short) { [status] _ in status.node.occupancy(status.reports) })
            },
            Route(.POST, "/api/v1/alarms/{alarm}/acknowledge", .role(.operator)) { request in
                try await status.carryOut(.node(.acknowledgeAlarm(request.parameters["alarm"])))
            },
            Route(.GET, "/api/v1/log", .role(.operator)) { _ in try WebResponse.json(status.node.logTail.lines) },
            Route(.GET, "/api/v1/doctor", .role(.operator)) { _ in
                try WebResponse.json(await check.findings())
            },
        ]
    }
}
