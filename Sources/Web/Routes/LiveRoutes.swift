import Agent
import FlyingFox
import Foundation
import Messaging
import Records

/// What happens now, and the cameras' switches.
struct LiveRoutes {
    let status: NodeStatus
    let access: AccessControl
    let aim: AimWatch

    var all: [Route] {
        [
            Route(.GET, "/api/v1/state", .role(.viewer)) { request in
                try WebResponse.json(await status.node(for: request.role ?? .viewer))
            },
            Route(.GET, "/api/v1/live", .role(.viewer), stream: live),
            Route(.GET, "/api/v1/cameras/{camera}/aim", .role(.viewer)) { request in
                let camera = request.parameters["camera"] ?? ""
                guard status.cameraIDs.contains(camera) else { throw unknown(camera) }
                return try WebResponse.json(aim.advice(for: camera))
            },
            Route(.POST, "/api/v1/cameras/{camera}/enabled", .role(.operator), answer: setCamera),
            Route(.POST, "/api/v1/login", .open, answer: logIn),
            Route(.POST, "/api/v1/enter", .open) { request in
                struct Body: Decodable { let token: String }
                let token = try await request.body(Body.self).token
                return try loggedIn(try access.enter(token: token, request.http))
            },
            Route(.POST, "/api/v1/logout", .open) { _ in
                var response = WebResponse.json("{}")
                response.headers[.setCookie] = SessionCookie.clearingHeader
                return response
            },
        ]
    }

    private func live(_ request: WebRequest) async throws -> HTTPAnswer {
        let camera = request.query("camera")
        if let camera, !status.cameraIDs.contains(camera) { throw unknown(camera) }
        let json = try JSONText.encode(await status.node(for: request.role ?? .viewer))
        let viewer = status.feed.join(camera: camera, first: LiveEvent.bytes("state", json: json))
        return .events(WebResponse.headers(type: "text/event-stream; charset=utf-8"), viewer)
    }

    private func setCamera(_ request: WebRequest) async throws -> HTTPResponse {
        struct Body: Decodable { let enabled: Bool }
        let camera = request.parameters["camera"] ?? ""
        guard status.cameraIDs.contains(camera) else { throw unknown(camera) }
        let isOn = try await request.body(Body.self).enabled
        status.node.logger.notice("the page switches \(camera) \(isOn ? "on" : "off")")
        let outcome = await withCheckedContinuation { continuation in
            status.node.commands.submit(.setCamera(camera, enabled: isOn)) { continuation.resume(returning: $0) }
        }
        switch outcome {
        case .success(let answer): return try WebResponse.json(answer)
        case .failure(let error): throw WebFailure(.conflict, error.code.rawValue, error.message)
        }
    }

    private func logIn(_ request: WebRequest) async throws -> HTTPResponse {
        struct Body: Decodable { let password: String }
        let password = try await request.body(Body.self).password
        return try loggedIn(try await access.logIn(password: password, request.http))
    }

    private func loggedIn(_ client: (role: WebRole, cookie: String)) throws -> HTTPResponse {
        var response = try WebResponse.json(["role": client.role.rawValue])
        response.headers[.setCookie] = client.cookie
        return response
    }

    private func unknown(_ camera: String) -> WebFailure {
        let known = status.cameraIDs.joined(separator: ", ")
        return WebFailure(.notFound, "unknown_camera", "There is no camera '\(camera)'; known: \(known).")
    }
}
