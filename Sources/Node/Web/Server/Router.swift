import HTTPServing
import Logging

/// Finds the route of a request, and lets it pass only with the right host, origin and role.
package struct Router: Sendable {
    /// All addresses of the server.
    package let routes: [Route]
    /// Who may do what; `nil` where every client is the operator, as at a socket that only the node's own user reaches.
    let access: AccessControl?
    let logger: Logger

    /// The answer to a request, which is a refusal where something is wrong.
    package func answer(_ request: HTTPRequest) async -> HTTPAnswer {
        do {
            return try await route(request)
        } catch let failure as WebFailure {
            return .response(failure.response)
        } catch is CancellationError {
            // The client has gone, or the node stops.
            return .response(WebFailure.busy.response)
        } catch let error as AccessError {
            logger.error("nobody can log in: \(error)")
            return .response(WebFailure(error).response)
        } catch {
            logger.error("the page cannot answer \(request.path): \(error)")
            let failure = WebFailure(
                .internalServerError, "failed", "The node could not do this; its log says why: spotter doctor.")
            return .response(failure.response)
        }
    }

    private func route(_ request: HTTPRequest) async throws -> HTTPAnswer {
        try access?.hosts.check(request)
        try access?.checkPage(request)
        let found = routes.compactMap { route in route.parameters(of: request.path).map { (route, $0) } }
        guard !found.isEmpty else { throw WebFailure.notFound }
        guard let (route, parameters) = found.first(where: { $0.0.method == request.method }) else {
            let methods = found.map(\.0.method.rawValue).joined(separator: ", ")
            throw WebFailure(
                .methodNotAllowed, "method_not_allowed", "This address answers \(methods).",
                headers: ["Allow": methods])
        }
        if request.method != .GET { try checkPost(request) }
        let needed: WebRole
        switch route.access {
        case .open:
            // It needs no look at the passwords, which may be damaged.
            return try await route.answer(WebRequest(http: request, role: nil, parameters: parameters))
        case .member:
            guard let member = try await access?.member(of: request) else { throw WebFailure.noMember }
            return try await route.answer(
                WebRequest(http: request, role: nil, member: member, parameters: parameters))
        case .role(let role): needed = role
        }
        guard let access else {
            return try await route.answer(WebRequest(http: request, role: .operator, parameters: parameters))
        }
        let changes = access.changes
        let role = try await role(of: request, needed, access)
        let answer = try await route.answer(WebRequest(http: request, role: role, parameters: parameters))
        // A new password ends what was asked for with the old one.
        if access.changes != changes {
            do { _ = try await self.role(of: request, needed, access) } catch {
                answer.abandon()
                throw error
            }
        }
        return answer
    }

    /// What the client may do, if that is enough.
    private func role(
        of request: HTTPRequest, _ needed: WebRole, _ access: AccessControl
    ) async throws -> WebRole {
        let found: WebRole?
        do {
            found = try await access.role(of: request)
        } catch let error as AccessError where !request.path.hasPrefix("/api/") {
            // The log-in tells what is wrong.
            logger.error("nobody can log in: \(error)")
            found = nil
        }
        guard let found else { throw access.refusal(of: request) }
        guard found >= needed else { throw Self.refusal(of: request, found, needed) }
        return found
    }

    /// The screen on the wall has one page, and goes back to it.
    private static func refusal(of request: HTTPRequest, _ found: WebRole, _ needed: WebRole) -> WebFailure {
        let isPage = found == .wall && !request.path.hasPrefix("/api/")
        return WebFailure(
            isPage ? .seeOther : .forbidden, "forbidden",
            "This needs the \(needed.rawValue)'s password: log in with it.", headers: isPage ? [.location: "/tv"] : [:])
    }

    private func checkPost(_ request: HTTPRequest) throws {
        try access?.checkOrigin(request)
        guard request.headers[.contentType]?.lowercased().hasPrefix("application/json") == true else {
            throw WebFailure(
                .unsupportedMediaType, "not_json",
                "Send JSON, with the header Content-Type: application/json.")
        }
    }
}
