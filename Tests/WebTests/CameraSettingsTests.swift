import Agent
import Configuration
import Foundation
import HTTPServing
import TestSupport
import Testing
import Web

/// The addresses with which an operator reads and changes the cameras' settings.
@Suite struct CameraSettingsTests {
    private struct Answer: Decodable {
        struct Problem: Decodable {
            let camera: Int?
            let setting: String?
            let message: String
        }
        let problems: [Problem]
        let restarting: Bool
    }

    private let fixture: NodeFixture
    private let path: String

    init() throws {
        fixture = try NodeFixture()
        path = fixture.folder.file("config.toml").path
        let text = """
            [mqtt]
            enabled = false
            [[camera]]
            id = "rack1"
            source = "rtsp://guard:hush@cam.local/1"
            exposure = 8
            [[camera]]
            id = "rack2"
            source = "/dev/video2"
            controls = { sharpness = 2 }
            """
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private var setupFile: URL { fixture.folder.file("conf.d/setup.toml") }

    private func send(_ method: HTTPMethod, _ body: String = "", configured: Bool = true) async throws -> HTTPResponse {
        let router = try WebService(
            node: fixture.node(), reports: CameraStatusBoard(), configurationPath: configured ? path : nil
        ).router
        let headers: HTTPHeaders = [
            .host: "localhost", .contentType: "application/json", "Origin": "http://localhost",
        ]
        let request = HTTPRequest(
            method: method, path: "/api/v1/configuration/cameras", headers: headers, body: Data(body.utf8))
        guard case .response(let response) = await router.answer(request) else { throw Failure.noResponse }
        return response
    }

    private enum Failure: Error { case noResponse }

    private struct Listed: Decodable {
        let cameras: [[String: String]]
        let new: [String: String]
        let choices: [String: [String]]
        let revision: String
    }

    private func listed() async throws -> Listed {
        try JSONDecoder().decode(Listed.self, from: try await send(.GET).body)
    }

    private func settings() async throws -> [[String: String]] { try await listed().cameras }

    private func change(_ change: (inout [[String: String]]) -> Void) async throws -> Answer {
        var cameras = try await settings()
        let before = cameras.map { $0["id"] }
        change(&cameras)
        let sent = cameras.enumerated().map { place, settings in
            var camera: [String: Any] = ["settings": settings]
            if place < before.count { camera["was"] = before[place] ?? "" }
            return camera
        }
        let body = try JSONSerialization.data(withJSONObject: ["cameras": sent])
        let response = try await send(.POST, String(decoding: body, as: UTF8.self))
        #expect(response.statusCode == 200, "\(String(decoding: response.body, as: UTF8.self))")
        return try JSONDecoder().decode(Answer.self, from: response.body)
    }

    @Test func `who changes an old state is told, and undoes nothing`() async throws {
        let first = try await listed()
        func body(_ settings: [[String: String]], _ revision: String) throws -> String {
            let cameras = settings.map { ["was": $0["id"] ?? "", "settings": $0] as [String: Any] }
            let body = try JSONSerialization.data(withJSONObject: ["cameras": cameras, "revision": revision])
            return String(decoding: body, as: UTF8.self)
        }
        #expect(try await change { $0.append(["id": "rack3", "source": "/dev/video4"]) }.problems.isEmpty)
        let late = try await send(.POST, body(first.cameras, first.revision))
        #expect(late.statusCode == 409 && String(decoding: late.body, as: UTF8.self).contains("load the page again"))
        #expect(try Configuration(path: path).cameras.map(\.id) == ["rack1", "rack2", "rack3"])
        let now = try await listed()
        #expect(try await send(.POST, body(Array(now.cameras.dropLast()), now.revision)).statusCode == 200)
        #expect(try Configuration(path: path).cameras.map(\.id) == ["rack1", "rack2"])
    }

    @Test func `settings are read with passwords covered`() async throws {
        let cameras = try await settings()
        #expect(cameras.count == 2 && cameras[0]["exposure"] == "8.0" && cameras[1]["source"] == "/dev/video2")
        #expect(cameras[0]["source"]?.contains("hush") == false && cameras[0]["source"]?.contains("cam.local") == true)
        #expect(cameras[0]["mirror"] == "false" && cameras[0]["gain"] == "keep" && cameras[0]["overlaps"] == "")
    }

    @Test func `a new camera begins with the defaults and an id that none has`() async throws {
        let list = try await listed()
        #expect(list.new["id"] == "camera1" && list.new["name"] == "Camera 1" && list.new["width"] == "640")
        #expect(list.choices["power_line"]?.contains("keep") == true && list.choices["rotate"]?.count == 4)
        for (setting, values) in list.choices {
            for value in values { #expect(try await change { $0[0][setting] = value }.problems.isEmpty, "\(setting)") }
        }
    }

    @Test func `a change stands in conf d, keeps the password and what the page does not offer`() async throws {
        let answer = try await change { cameras in
            cameras[0]["name"] = "Rack \"eins\""
            cameras[0]["width"] = "1280"
            cameras[1]["overlaps"] = "rack1"
        }
        #expect(answer.problems.isEmpty)
        let now = try Configuration(path: path)
        #expect(now.cameras[0].name == "Rack \"eins\"" && now.cameras[0].widthPixels == 1280)
        #expect(now.cameras[0].source == "rtsp://guard:hush@cam.local/1")
        #expect(now.cameras[1].overlaps == ["rack1"] && now.cameras[1].namedControls == ["sharpness": 2])
        // Nothing else moved into the file, so that changes of the configuration still count.
        let text = try String(contentsOf: setupFile, encoding: .utf8)
        #expect(!text.contains("[mqtt]") && text.contains("[[camera]]"))
    }

    @Test func `a camera is added and removed`() async throws {
        #expect(
            try await change { $0.append(["id": "rack3", "name": "Third", "source": "/dev/video4"]) }.problems.isEmpty)
        #expect(try Configuration(path: path).cameras.map(\.id) == ["rack1", "rack2", "rack3"])
        #expect(try await change { $0.removeLast() }.problems.isEmpty)
        #expect(try Configuration(path: path).cameras.map(\.id) == ["rack1", "rack2"])
    }

    @Test(arguments: [
        ("width", "12", "expects a whole number from 64 to 7680"), ("id", "Rack 1", "expects 1 to 63"),
        ("rotate", "45", "expects 0, 90, 180 or 270"), ("source", "", "must not be empty"),
        ("exposure", "bright", "expects \"keep\", \"auto\""), ("id", "rack2", "the id of another camera"),
        ("power_line", "55", "expects one of"), ("foo", "1", "is no setting"), ("name", "a\u{7}b", "cannot be seen"),
    ])
    func `what is refused is told at its setting, and nothing is kept`(
        setting: String, value: String, words: String
    ) async throws {
        let answer = try await change { $0[0][setting] = value }
        let problem = try #require(answer.problems.first)
        #expect(problem.setting == setting && problem.message.contains(words), "\(answer)")
        #expect(!answer.restarting && !FileManager.default.fileExists(atPath: setupFile.path))
    }

    @Test func `what only the whole configuration refuses is told, and the old one stays`() async throws {
        let answer = try await change { $0[0]["overlaps"] = "nowhere" }
        #expect(answer.problems.count == 1 && answer.problems[0].message.contains("nowhere"), "\(answer)")
        #expect(try Configuration(path: path).cameras[0].overlaps.isEmpty)
    }

    @Test func `no cameras, too many, and no configuration file are refused`() async throws {
        #expect(try await send(.POST, #"{"cameras": []}"#).statusCode == 400)
        let many = Array(repeating: #"{"settings": {}}"#, count: 17).joined(separator: ",")
        #expect(try await send(.POST, #"{"cameras": [\#(many)]}"#).statusCode == 400)
        #expect(try await send(.GET, configured: false).statusCode == 409)
        #expect(try await send(.POST, "{}").statusCode == 400)
    }
}
