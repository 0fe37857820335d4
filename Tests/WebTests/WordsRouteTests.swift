import Agent
import Configuration
import Foundation
import HTTPServing
import TestSupport
import Testing
import Web

/// The words of the page, by the browser's language or the configured one.
@Suite struct WordsRouteTests {
    private let fixture: NodeFixture

    init() throws { fixture = try NodeFixture() }

    private func words(
        _ accepting: String?, _ change: (inout Configuration) -> Void = { _ in }
    ) async throws -> (json: [String: Any], response: HTTPResponse) {
        let node = try fixture.node(change)
        let router = try WebService(node: node, reports: CameraStatusBoard(), configurationPath: nil).router
        var headers: HTTPHeaders = [.host: "localhost"]
        if let accepting { headers["Accept-Language"] = accepting }
        let request = HTTPRequest(method: .GET, path: "/assets/words.json", headers: headers, body: Data())
        guard case .response(let response) = await router.answer(request) else { throw Failure.noResponse }
        return (try #require(try JSONSerialization.jsonObject(with: response.body) as? [String: Any]), response)
    }

    private enum Failure: Error { case noResponse }

    @Test func `the browser chooses where the configuration does not`() async throws {
        #expect(try await words("de-AT,de;q=0.9").json["language"] as? String == "de")
        #expect(try await words("en-US").json["language"] as? String == "en")
        #expect(try await words(nil).json["language"] as? String == "en")
        #expect(try await words("de").response.headers["Vary"] == "Accept-Language")
        #expect(try await words("en") { $0.display.language = "de" }.json["language"] as? String == "de")
        #expect(try await words("de") { $0.display.language = "en" }.json["language"] as? String == "en")
    }

    @Test func `the gym's own names are in it`() async throws {
        let json = try await words("de") {
            $0.display.labels = ["squat": "Tiefe Hocke"]
            $0.display.zones = ["rack-1": "Rack am Fenster"]
        }.json
        let labels = try #require(json["labels"] as? [String: String])
        #expect(labels["squat"] == "Tiefe Hocke" && labels["plank"] == "Unterarmstütz")
        #expect(json["zones"] as? [String: String] == ["rack-1": "Rack am Fenster"])
    }
}
