import Agent
import Configuration
import Foundation
import HTTPServing
import Logging
import TestSupport
import Testing
import Web

/// The addresses that read and keep a camera's zones and masks.
@Suite struct AreaRoutesTests {
    private let fixture: NodeFixture
    private let path: String

    init() throws {
        fixture = try NodeFixture()
        path = fixture.folder.file("config.toml").path
        try Data("[[camera]]\nid = \"rack1\"\n".utf8).write(to: URL(filePath: path))
    }

    private func router(configured: Bool = true) throws -> Router {
        try WebService(
            node: fixture.node(), reports: CameraStatusBoard(), configurationPath: configured ? path : nil
        ).router
    }

    private func send(
        _ method: HTTPMethod, _ body: String = "", camera: String = "rack1", to router: Router
    ) async throws -> (status: Int, body: String) {
        let headers: HTTPHeaders = [
            .host: "localhost", .contentType: "application/json", "Origin": "http://localhost",
        ]
        let request = HTTPRequest(
            method: method, path: "/api/v1/cameras/\(camera)/areas", headers: headers,
            body: Data(body.utf8))
        guard case .response(let response) = await router.answer(request) else { return (0, "") }
        return (response.statusCode, String(decoding: response.body, as: UTF8.self))
    }

    private let corners = "[[0.1, 0.2], [0.5, 0.2], [0.5, 0.9]]"

    @Test func `areas that are drawn stand in conf d`() async throws {
        let router = try router()
        let body = #"{"zones": [{"name": "mat", "corners": \#(corners)}], "masks": [{"corners": \#(corners)}]}"#
        let kept = try await send(.POST, body, to: router)
        #expect(kept.status == 200, "\(kept.body)")
        let configuration = try Configuration(path: path)
        #expect(configuration.zones.map(\.name) == ["mat"] && configuration.zones.first?.camera == "rack1")
        #expect(configuration.masks.map(\.corners) == [[[0.1, 0.2], [0.5, 0.2], [0.5, 0.9]]])
        // The running node has its configuration from before, and the page shows what was drawn.
        #expect(try await send(.GET, to: router).body.contains(#""name":"mat""#))
    }

    private struct Known: Decodable { let revision: String }

    private func revision(_ answer: (status: Int, body: String)) throws -> String {
        try JSONDecoder().decode(Known.self, from: Data(answer.body.utf8)).revision
    }

    @Test func `who draws on an old state is told, and undoes nothing`() async throws {
        func body(_ name: String, _ revision: String) -> String {
            #"{"zones": [{"name": "\#(name)", "corners": \#(corners)}], "masks": [], "revision": "\#(revision)"}"#
        }
        // A node is there for as long as its router.
        func drawn(with router: Router) async throws -> String {
            let first = try revision(try await send(.GET, to: router))
            let second = try revision(try await send(.POST, body("mat", first), to: router))
            let late = try await send(.POST, body("rack", first), to: router)
            #expect(late.status == 409 && late.body.contains("load the page again"), "\(late)")
            #expect(try Configuration(path: path).zones.map(\.name) == ["mat"])
            return second
        }
        let second = try await drawn(with: router())
        // The node that begins anew knows the state that was answered.
        let written = try Configuration(path: path)
        let node = try fixture.node { ($0.zones, $0.masks) = (written.zones, written.masks) }
        let next = try WebService(node: node, reports: CameraStatusBoard(), configurationPath: path).router
        #expect(try revision(try await send(.GET, to: next)) == second)
        #expect(try await send(.POST, body("rack", second), to: next).status == 200)
        #expect(try Configuration(path: path).zones.map(\.name) == ["rack"])
    }

    @Test(arguments: [
        (#"{"zones": [{"name": "Mat 1", "corners": C}], "masks": []}"#, 400, "invalid_zone"),
        (#"{"zones": [{"name": "mat", "corners": [[0, 0], [1, 1]]}], "masks": []}"#, 400, "invalid_zone"),
        (#"{"zones": [{"name": "mat", "corners": [[0, 0], [1, 2], [1, 1]]}], "masks": []}"#, 400, "invalid_zone"),
        (#"{"zones": [{"name": "a\"]\n[mqtt]", "corners": C}], "masks": []}"#, 400, "invalid_zone"),
        (#"{"zones": [{"name": "mat", "corners": C}, {"name": "mat", "corners": C}], "masks": []}"#, 400, "same name"),
        (#"{"zones": [], "masks": [{"corners": [[0, 0], [1, 1]]}]}"#, 400, "invalid_mask"),
        // Without area: a point, a line, a thread. Crossed: a bow, a star, a side that lies on another one.
        (#"{"zones": [{"name": "m", "corners": [[0.5,0.5],[0.5,0.5],[0.5,0.5]]}], "masks": []}"#, 400, "enclose"),
        (#"{"zones": [{"name": "m", "corners": [[0.1,0.1],[0.5,0.5],[0.9,0.9]]}], "masks": []}"#, 400, "enclose"),
        (#"{"zones": [{"name": "m", "corners": [[0,0],[1,0],[1,0.0001]]}], "masks": []}"#, 400, "enclose"),
        (#"{"zones": [], "masks": [{"corners": [[0.5,0.5],[0.5,0.5],[0.5,0.5],[0.5,0.5]]}]}"#, 400, "enclose"),
        (#"{"zones": [{"name": "m", "corners": [[0,0],[1,1],[1,0],[0,1]]}], "masks": []}"#, 400, "sides cross"),
        (#"{"zones": [], "masks": [{"corners": [[0.5,0],[0.8,1],[0,0.4],[1,0.4],[0.2,1]]}]}"#, 400, "sides cross"),
        (
            #"{"zones": [{"name": "m", "corners": [[0,0],[1,0],[1,1],[0.5,1],[0.5,0.5],[0.5,1],[0,1]]}], "masks": []}"#,
            400, "sides cross"
        ),
        (#"{"zones": []}"#, 400, "invalid_body"), ("[]", 400, "invalid_body"),
    ])
    func `what is no area is refused, and nothing is written`(body: String, status: Int, words: String) async throws {
        let answer = try await send(.POST, body.replacing("C", with: corners), to: router())
        #expect(answer.status == status && answer.body.contains(words), "\(answer)")
        #expect(try Configuration(path: path).zones.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.file("conf.d/zones.toml").path))
    }

    @Test func `seventeen masks are one too many`() async throws {
        let masks = Array(repeating: #"{"corners": \#(corners)}"#, count: 17).joined(separator: ",")
        let answer = try await send(.POST, #"{"zones": [], "masks": [\#(masks)]}"#, to: router())
        #expect(answer.status == 400 && answer.body.contains("too_many"), "\(answer)")
    }

    /// As many corners as there may be, around a circle, with as many digits as a program may send.
    private func circle(_ corners: Int, at place: Int) -> String {
        let points = (0..<corners).map { corner in
            let angle = 2 * Double.pi * Double(corner) / Double(corners)
            return "[\(0.5 + 0.4 * cos(angle) + Double(place) * 1e-3), \(0.5 + 0.4 * sin(angle))]"
        }
        return "[\(points.joined(separator: ", "))]"
    }

    @Test(arguments: [16, 32])
    func `as many zones and masks as there may be fit into one request`(corners: Int) async throws {
        let names = (0..<16).map { String(repeating: "z", count: 20) + String($0) }
        let zones = (0..<16).map { #"{"name": "\#(names[$0])", "corners": \#(circle(corners, at: $0))}"# }
        let masks = (0..<16).map { #"{"mirror": true, "corners": \#(circle(corners, at: $0))}"# }
        let body = #"{"zones": [\#(zones.joined(separator: ", "))], "masks": [\#(masks.joined(separator: ", "))]}"#
        let router = try router()
        try await withServer(answer: router.answer) { port async throws in
            let answer = try await apart { () -> String in
                let client = try TCPClient(port: port)
                client.send(
                    "POST /api/v1/cameras/rack1/areas HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
                        + "Content-Type: application/json\r\nConnection: close\r\nContent-Length: \(body.utf8.count)"
                        + "\r\n\r\n" + body)
                return client.read()
            }
            #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(body.utf8.count) bytes: \(answer)")
        }
        #expect(try Configuration(path: path).zones.map(\.name) == names)
    }

    @Test func `no areas are drawn while the restart would end a training`() async throws {
        let script = fixture.folder.file("spotter.sh")
        try Data("exec sleep 1000\n".utf8).write(to: script)
        let training = TrainingRun(
            folder: fixture.folder.file("trained"), clips: fixture.folder.file("clips"),
            program: ["/bin/bash", script.path], logger: Logger(label: "test"))
        let router = try WebService(
            node: fixture.node(), reports: CameraStatusBoard(), configurationPath: path, training: training
        ).router
        try training.start("mine", from: nil, known: [])
        let body = #"{"zones": [], "masks": [{"corners": \#(corners)}]}"#
        let refused = try await send(.POST, body, to: router)
        #expect(refused.status == 409 && refused.body.contains("training"), "\(refused)")
        #expect(try Configuration(path: path).masks.isEmpty)
        training.shutDown()
        while training.isRunning { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try await send(.POST, body, to: router).status == 200)
    }

    @Test func `an unknown camera, and a node without a configuration file, say what to do`() async throws {
        let unknown = try await send(.GET, camera: "rack9", to: router())
        #expect(unknown.status == 404 && unknown.body.contains("known: rack1"))
        let answer = try await send(.POST, #"{"zones": [], "masks": []}"#, to: router(configured: false))
        #expect(answer.status == 409 && answer.body.contains("--config"), "\(answer)")
    }

    @Test func `a folder that cannot be written to is named`() async throws {
        try Data().write(to: fixture.folder.file("conf.d"))
        let answer = try await send(.POST, #"{"zones": [], "masks": []}"#, to: router())
        #expect(answer.status == 409 && answer.body.contains("conf.d"), "\(answer)")
    }
}
