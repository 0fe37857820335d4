import Agent
import Foundation
import HTTPServing
import Records

/// What happens now, and the cameras' switches.
struct LiveRoutes {
    let status: NodeStatus
    let access: AccessControl
    let aim: AimWatch

    var all: [Route] {
        [
            Route(.GET, "/api/v1/state", .role(.wall)) { request in
                try WebResponse.json(try await status.node(for: request.role ?? .wall, seesNames: seesNames(request)))
            },
            Route(.GET, "/api/v1/live", .role(.wall), stream: live),
            Route(.GET, "/api/v1/cameras/{camera}/aim", .role(.viewer)) { request in
                try WebResponse.json(aim.advice(for: try status.camera(in: request)))
            },
            Route(.POST, "/api/v1/cameras/{camera}/enabled", .role(.operator), answer: setCamera),
            .logIn(access),
            Route(.POST, "/api/v1/enter", .open) { request in
                struct Body: Decodable { let token: String }
                let token = try request.body(Body.self).token
                return try Route.loggedIn(try await access.enter(token: token, request.http))
            },
            Route(.POST, "/api/v1/logout", .open) { _ in
                var response = WebResponse.json("{}")
                response.headers[.setCookie] = SessionCookie.clearingHeader
                return response
            },
        ]
    }

    /// Only the operator sees names. The screen for the wall never asks for them.
    private func seesNames(_ request: WebRequest) -> Bool {
        request.role == .operator && request.query("view") != "wall"
    }

    private func live(_ request: WebRequest) async throws -> HTTPAnswer {
        let camera = request.query("camera")
        if let camera, !status.cameraIDs.contains(camera) { throw status.unknown(camera) }
        let seesNames = seesNames(request)
        let json = try JSONText.encode(try await status.node(for: request.role ?? .wall, seesNames: seesNames))
        let viewer = status.feed.join(
            camera: camera, seesNames: seesNames, first: LiveEvent.bytes("state", json: json))
        return .events(WebResponse.headers(type: "text/event-stream; charset=utf-8"), viewer.events)
    }

    private func setCamera(_ request: WebRequest) async throws -> HTTPResponse {
        struct Body: Decodable { let enabled: Bool }
        let camera = try status.camera(in: request)
        let isOn = try request.body(Body.self).enabled
        status.node.logger.notice("the page switches \(camera) \(isOn ? "on" : "off")")
        return try await status.carryOut(.node(.setCamera(camera, enabled: isOn)))
    }
}

extension Route {
    /// The address that takes a password.
    static func logIn(_ access: AccessControl) -> Route {
        Route(.POST, "/api/v1/login", .open) { request in
            struct Body: Decodable { let password: String }
            let password = try request.body(Body.self).password
            return try loggedIn(try await access.logIn(password: password, request.http))
        }
    }

    fileprivate static func loggedIn(_ client: (role: WebRole, cookie: String)) throws -> HTTPResponse {
        var response = try WebResponse.json(["role": client.role.rawValue])
        response.headers[.setCookie] = client.cookie
        return response
    }
}
