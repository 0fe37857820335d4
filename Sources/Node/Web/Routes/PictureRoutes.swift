import Agent
import Configuration
import Foundation
import HTTPServing
import Records

/// A camera's pictures for the operator who aims it, where the configuration allows them.
struct PictureRoutes {
    let status: NodeStatus
    let access: AccessControl

    var all: [Route] {
        [
            Route(.POST, "/api/v1/cameras/{camera}/pictures", .role(.operator), answer: start),
            Route(.POST, "/api/v1/cameras/{camera}/pictures/stop", .role(.operator)) { request in
                // Nobody is kept from ending them, whatever the connection.
                status.pictures.stop(request.parameters["camera"] ?? "")
                return WebResponse.json("{}")
            },
            Route(.GET, "/api/v1/cameras/{camera}/picture", .role(.operator), answer: newest),
        ]
    }

    private func start(_ request: WebRequest) async throws -> HTTPResponse {
        struct Answer: Encodable {
            let until: Int64
            let seconds: Int
        }
        let camera = try camera(of: request)
        guard status.node.commands.sessionEnds.isPipelineRunning(camera) else {
            throw WebFailure(.conflict, "camera_off", "This camera delivers no frames now: switch it on or check it.")
        }
        let pictures = status.pictures.start(camera)
        return try WebResponse.json(Answer(until: Timestamp.milliseconds(pictures.until), seconds: pictures.seconds))
    }

    private func newest(_ request: WebRequest) async throws -> HTTPResponse {
        let camera = try camera(of: request)
        guard status.pictures.request(of: camera) != nil else {
            throw WebFailure(
                .conflict, "no_pictures", "No pictures of this camera are shown now: start them, on the page Aim.")
        }
        guard let jpeg = status.pictures.newest(of: camera) else {
            throw WebFailure(
                .notFound, "no_picture_yet", "There is no picture yet: try again in a second.")
        }
        return HTTPResponse(.ok, headers: WebResponse.headers(type: "image/jpeg"), body: jpeg)
    }

    /// The camera of a request, if its pictures may go to this client.
    ///
    /// - Throws: ``WebFailure``.
    private func camera(of request: WebRequest) throws -> String {
        guard status.node.configuration.web.allowsPictures else {
            throw WebFailure(
                .forbidden, "pictures_never",
                "This node shows no pictures: set web.pictures = \"aim\" and restart it to allow them.")
        }
        guard access.isConfidential(request.http) else {
            throw WebFailure(
                .forbidden, "not_confidential",
                "Others could see the pictures on this connection: open the page on the node itself, through ssh, or "
                    + "behind a proxy with TLS, in a browser that sends Sec-Fetch-Site.")
        }
        return try status.camera(in: request)
    }
}
