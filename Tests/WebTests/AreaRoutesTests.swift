import Agent
import Configuration
import FlyingFox
import Foundation
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
        let headers: [HTTPHeader: String] = [
            .host: "localhost", .contentType: "application/json", HTTPHeader("Origin"): "http://localhost",
        ]
        let request = HTTPRequest(
            method: method, version: .http11, path: "/api/v1/cameras/\(camera)/areas", query: [], headers: headers,
            body: Data(body.utf8))
        guard case .response(let response) = await router.answer(request) else { return (0, "") }
        return (response.statusCode.code, String(decoding: try await response.bodyData, as: UTF8.self))
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
        // The running node has its configuration from before.
        #expect(try await send(.GET, to: router).body == #"{"masks":[],"zones":[]}"#)
    }

    @Test(arguments: [
        (#"{"zones": [{"name": "Mat 1", "corners": C}], "masks": []}"#, 400, "invalid_zone"),
        (#"{"zones": [{"name": "mat", "corners": [[0, 0], [1, 1]]}], "masks": []}"#, 400, "invalid_zone"),
        (#"{"zones": [{"name": "mat", "corners": [[0, 0], [1, 2], [1, 1]]}], "masks": []}"#, 400, "invalid_zone"),
        (#"{"zones": [{"name": "a\"]\n[mqtt]", "corners": C}], "masks": []}"#, 400, "invalid_zone"),
        (#"{"zones": [{"name": "mat", "corners": C}, {"name": "mat", "corners": C}], "masks": []}"#, 400, "same name"),
        (#"{"zones": [], "masks": [{"corners": [[0, 0], [1, 1]]}]}"#, 400, "invalid_mask"),
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
