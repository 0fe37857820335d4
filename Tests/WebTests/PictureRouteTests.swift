import Agent
import Foundation
import HTTPServing
import TestSupport
import Testing
import Web

/// Who gets a camera's pictures, over which connections, and what the node says of them.
@Suite struct PictureRouteTests {
    private let fixture: NodeFixture
    private let service: WebService
    private static let camera = "/api/v1/cameras/rack1/"

    init() throws {
        fixture = try NodeFixture()
        service = try Self.service(fixture, pictures: "aim")
    }

    /// The page of a node whose camera delivers.
    private static func service(_ fixture: NodeFixture, pictures: String) throws -> WebService {
        let node = try fixture.node(hosts: ["gym.example.org"], pictures: pictures)
        node.commands.sessionEnds.begin("rack1")
        // A busy machine may need more than five minutes for a test.
        let pictures = AimPictures(logger: node.logger, pool: WorkPool(), lengthSeconds: 3600)
        return try WebService(
            node: node, reports: CameraStatusBoard(), configurationPath: nil, pictures: pictures)
    }

    private struct Answer {
        let status: Int
        let headers: HTTPHeaders
        let body: Data
        var code: String? {
            let object = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
            return (object?["error"] as? [String: Any])?["code"] as? String
        }
    }

    /// A peer and headers of a connection.
    struct Connection: CustomStringConvertible {
        var peer = "127.0.0.1"
        var host = "localhost"
        /// What a browser says where it regards the connection as safe; `nil` for programs and plain HTTP.
        var site: String? = "same-origin"
        var headers: [String: String] = [:]
        var description: String { "\(peer) \(host) \(site ?? "-") \(headers)" }
    }

    private func ask(
        _ method: HTTPMethod, _ path: String, _ connection: Connection = Connection(), of service: WebService? = nil
    ) async throws -> Answer {
        var headers: HTTPHeaders = [
            .host: connection.host, .contentType: "application/json",
            "Origin": "https://\(connection.host)",
        ]
        headers["Sec-Fetch-Site"] = connection.site
        for (name, value) in connection.headers { headers[HTTPHeader(name)] = value }
        let request = HTTPRequest(
            method: method, path: path.hasPrefix("/") ? path : Self.camera + path, query: [],
            headers: headers, body: Data("{}".utf8), client: ClientAddress(connection.peer))
        guard case .response(let response) = await (service ?? self.service).router.answer(request) else {
            throw POSIXError(.EPROTO)
        }
        return Answer(status: response.statusCode, headers: response.headers, body: response.body)
    }

    private func cookie(_ role: WebRole) throws -> [String: String] {
        let passwords = PasswordFile(folder: fixture.folder.url)
        if try !passwords.hasPassword { _ = try passwords.generate(.operator) }
        return [
            "Cookie": "\(SessionCookie.name)=" + SessionCookie.make(role, now: Date(), key: try passwords.signingKey())
        ]
    }

    /// The camera delivers a picture, which becomes the newest.
    private func deliver() async throws {
        service.pictures.receive(PictureFixture.result(width: 1280, height: 720), camera: "rack1")
        #expect(try await PictureFixture.wait { service.pictures.newest(of: "rack1") != nil })
    }

    // MARK: - On this machine

    @Test func `an operator starts the pictures, gets them and stops them`() async throws {
        let early = try await ask(.GET, "picture")
        #expect(early.status == 409 && early.code == "no_pictures")
        let start = try await ask(.POST, "pictures")
        let told = try object(start.body)
        let until = try #require(told["until"] as? Double)
        #expect(start.status == 200 && told["seconds"] as? Int == 3600 && AimPictures.usualSeconds == 300)
        #expect(abs(until / 1000 - Date().timeIntervalSince1970 - 3600) < 600)
        #expect(try await ask(.GET, "picture").code == "no_picture_yet")
        try await deliver()
        let picture = try await ask(.GET, "picture")
        #expect(picture.status == 200 && picture.headers[.contentType] == "image/jpeg")
        #expect(picture.headers[.cacheControl] == "no-store")
        #expect(picture.headers["Cross-Origin-Resource-Policy"] == "same-origin")
        #expect(try await PictureFixture.size(of: picture.body) == [640, 360])
        #expect(try await ask(.POST, "pictures/stop").status == 200)
        #expect(try await ask(.GET, "picture").code == "no_pictures")
    }

    @Test func `the real server sends the JPEG whole, to a program on this machine`() async throws {
        service.pictures.start("rack1")
        try await deliver()
        let (router, kept) = (service.router, try #require(service.pictures.newest(of: "rack1")))
        try await withServer(answer: router.answer) { port async throws in
            let bytes = try await apart { () -> [UInt8] in
                let client = try TCPClient(port: port)
                client.send(
                    "GET \(Self.camera)picture HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: none\r\n"
                        + "Connection: close\r\n\r\n")
                return client.readBytes()
            }
            let answer = Data(bytes)
            let head = try #require(answer.range(of: Data("\r\n\r\n".utf8)))
            #expect(answer.starts(with: Data("HTTP/1.1 200 ".utf8)))
            #expect(answer[head.upperBound...] == kept)
        }
    }

    @Test func `an unknown camera and one that is off are told`() async throws {
        #expect(try await ask(.POST, "/api/v1/cameras/rack9/pictures").code == "unknown_camera")
        #expect(try await ask(.GET, "/api/v1/cameras/rack9/picture").code == "unknown_camera")
        let other = try NodeFixture()
        let node = try other.node(pictures: "aim")
        let silent = try WebService(node: node, reports: CameraStatusBoard(), configurationPath: nil)
        let answer = try await ask(.POST, "pictures", of: silent)
        #expect(answer.status == 409 && answer.code == "camera_off")
        #expect(silent.pictures.request(of: "rack1") == nil)
    }

    // MARK: - Who, and how

    static let connections: [(Connection, Int)] = [
        (Connection(), 200), (Connection(host: "127.0.0.1:8080"), 200),
        (Connection(peer: "::1", host: "[::1]:80"), 200), (Connection(peer: "::ffff:127.0.0.1"), 200),
        (Connection(host: "gym.example.org", headers: ["X-Forwarded-Proto": "https"]), 200),
        (Connection(headers: ["X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"]), 200),
        (Connection(site: "none"), 200), (Connection(site: nil, headers: ["X-Forwarded-Proto": "https"]), 200),
        // A plain proxy that hides itself: no browser behind it regards the connection as safe.
        (Connection(site: nil), 403), (Connection(peer: "::1", host: "127.0.0.1:8080", site: nil), 403),
        // A plain proxy names another host, or says that it forwards.
        (Connection(host: "gym.example.org"), 403), (Connection(headers: ["X-Forwarded-For": "192.0.2.7"]), 403),
        (Connection(host: "gym.example.org", headers: ["X-Forwarded-Proto": "http"]), 403),
        (Connection(headers: ["X-Forwarded-Proto": "http"]), 403), (Connection(headers: ["Via": "1.1 proxy"]), 403),
        // Anybody can claim to have come over TLS.
        (Connection(peer: "192.0.2.7"), 403),
        (Connection(peer: "192.0.2.7", headers: ["X-Forwarded-Proto": "https"]), 403),
        (Connection(peer: "::ffff:192.0.2.7", headers: ["X-Forwarded-Proto": "https"]), 403),
        (Connection(peer: "2001:db8::1", headers: ["X-Forwarded-Proto": "https"]), 403),
    ]

    @Test(arguments: PictureRouteTests.connections)
    func `pictures go over this machine itself, or a proxy on it with TLS`(
        connection: Connection, status: Int
    ) async throws {
        var connection = connection
        connection.headers.merge(try cookie(.operator)) { $1 }
        let start = try await ask(.POST, "pictures", connection)
        #expect(start.status == status && (status == 200) == (start.code == nil), "\(connection) \(start.code ?? "")")
        service.pictures.start("rack1")
        try await deliver()
        let picture = try await ask(.GET, "picture", connection)
        #expect(picture.status == status)
        #expect(status == 200 ? picture.body.starts(with: [0xFF, 0xD8]) : picture.code == "not_confidential")
        // Everybody who may start them may end them.
        #expect(try await ask(.POST, "pictures/stop", connection).status == 200)
    }

    @Test func `a viewer gets none`() async throws {
        service.pictures.start("rack1")
        try await deliver()
        let viewer = Connection(headers: try cookie(.viewer))
        for (method, path) in [(HTTPMethod.POST, "pictures"), (.POST, "pictures/stop"), (.GET, "picture")] {
            #expect(try await ask(method, path, viewer).code == "forbidden", "\(path)")
        }
        #expect(service.pictures.request(of: "rack1") != nil)
    }

    @Test func `with "never" nobody gets one, and none is taken`() async throws {
        let other = try NodeFixture()
        let closed = try Self.service(other, pictures: "never")
        #expect(try await ask(.POST, "pictures", of: closed).code == "pictures_never")
        #expect(try await ask(.GET, "picture", of: closed).code == "pictures_never")
        closed.pictures.receive(PictureFixture.result(), camera: "rack1")
        #expect(!closed.pictures.isEncoding && closed.pictures.request(of: "rack1") == nil)
    }

    // MARK: - What the node says

    @Test(arguments: ["never", "aim"])
    func `state and info say what may be shown`(pictures: String) async throws {
        let other = try NodeFixture()
        let service = try Self.service(other, pictures: pictures)
        let state = try object(try await ask(.GET, "/api/v1/state", of: service).body)
        #expect(state["pictures"] as? String == pictures)
        let info = try object(try await ask(.GET, "/api/v1/info", of: service).body)
        #expect((info["privacy"] as? [String: Any])?["pictures"] as? String == pictures)
    }

    @Test func `the state says until when pictures of a camera are shown`() async throws {
        func until() async throws -> Double? {
            let state = try object(try await ask(.GET, "/api/v1/state").body)
            return (state["cameras"] as? [[String: Any]])?.first?["pictures_until"] as? Double
        }
        #expect(try await until() == nil)
        let request = service.pictures.start("rack1")
        let told = try #require(try await until())
        #expect(abs(told / 1000 - request.until.timeIntervalSince1970) < 1)
        service.pictures.stop("rack1")
        #expect(try await until() == nil)
    }
}
