import FlyingFox
import Foundation
import Logging
import Records

/// Finds the route of a request, and lets it pass only with the right host, origin and role.
package struct Router: Sendable {
    /// All addresses of the server.
    package let routes: [Route]
    let access: AccessControl
    let logger: Logger

    /// The answer to a request, which is a refusal where something is wrong.
    package func answer(_ request: HTTPRequest) async -> HTTPAnswer {
        do {
            return try await route(request)
        } catch let failure as WebFailure {
            return .response(failure.response)
        } catch {
            logger.error("the page cannot answer \(request.path): \(error)")
            let failure = WebFailure(
                .internalServerError, "failed", "The node could not do this; its log says why: spotter doctor.")
            return .response(failure.response)
        }
    }

    private func route(_ request: HTTPRequest) async throws -> HTTPAnswer {
        try access.checkHost(request)
        let found = routes.compactMap { route in route.parameters(of: request.path).map { (route, $0) } }
        guard !found.isEmpty else { throw WebFailure.notFound }
        guard let (route, parameters) = found.first(where: { $0.0.method == request.method }) else {
            let methods = found.map(\.0.method.rawValue).joined(separator: ", ")
            throw WebFailure(
                .methodNotAllowed, "method_not_allowed", "This address answers \(methods).",
                headers: [HTTPHeader("Allow"): methods])
        }
        if request.method != .GET { try checkPost(request) }
        let role = try access.role(of: request)
        if case .role(let needed) = route.access {
            guard let role else { throw access.refusal(of: request) }
            guard role >= needed else {
                throw WebFailure(.forbidden, "forbidden", "This needs the operator's password: log in with it.")
            }
        }
        return try await route.answer(WebRequest(http: request, role: role, parameters: parameters))
    }

    private func checkPost(_ request: HTTPRequest) throws {
        try access.checkOrigin(request)
        guard request.headers[.contentType]?.lowercased().hasPrefix("application/json") == true else {
            throw WebFailure(
                HTTPStatusCode(415, phrase: "Unsupported Media Type"), "not_json",
                "Send JSON, with the header Content-Type: application/json.")
        }
    }
}
