import Agent
import Configuration
import Foundation
import HTTPServing
import Logging
import TestSupport
import Testing
import Web
import Words

@Suite struct OpenAPITests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL

    private enum Failure: Error { case noDescription }

    @Test func `the description names every address of the API, with its role`() async throws {
        let folder = try TemporaryFolder()
        var configuration = Configuration()
        configuration.mqtt.enabled = false
        configuration.history.path = folder.file("spotter.db").path
        configuration.recognition.model = Self.root.appending(path: "Models/exercises.safetensors").path
        let node = try Node(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let served = Set(
            try WebServices.addresses(node: node, reports: CameraStatusBoard()).filter { $0.path.hasPrefix("/api/") }
                .map { "\($0.method) \($0.path) \($0.role)" })

        let router = try WebService(node: node, reports: CameraStatusBoard(), configurationPath: nil).router
        let own = try #require(router.routes.first { $0.path == "/api/v1/openapi.json" })
        let request = HTTPRequest(
            method: .GET, path: own.path, headers: [.host: "localhost"], body: Data())
        guard case .response(let response) = await router.answer(request) else { throw Failure.noDescription }
        let text = try JSONSerialization.jsonObject(with: response.body) as? [String: Any]
        let paths = try #require(text?["paths"] as? [String: [String: [String: Any]]])
        let described = Set(
            paths.flatMap { path, methods in
                methods.map { "\($0.key.uppercased()) \(path) \($0.value["x-role"] as? String ?? "?")" }
            })
        #expect(served.count > 15)
        #expect(served.subtracting(described).isEmpty && described.subtracting(served).isEmpty)
    }

    @Test func `every file of the page is part of the program`() throws {
        let folder = Self.root.appending(path: "Sources/Node/Web/Page").path
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(files == WebServices.pageFiles)
    }

    @Test func `the page needs no inline script or style, no HTML from data, and no other server`() throws {
        let folder = Self.root.appending(path: "Sources/Node/Web/Page")
        for name in WebServices.pageFiles {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for word in [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", " style=\"", "onclick=",
            ] {
                #expect(!text.contains(word), "\(name) contains \(word)")
            }
            let addresses = text.matches(of: /https?:\/\/[^\s"'`]+/).map { String($0.output) }
            // The name of the SVG format is not loaded.
            #expect(addresses.allSatisfy { $0 == "http://www.w3.org/2000/svg" }, "\(name): \(addresses)")
        }
    }

    @Test func `no page has two elements with one id`() throws {
        let folder = Self.root.appending(path: "Sources/Node/Web/Page")
        for name in WebServices.pageFiles.filter({ $0.hasSuffix(".html") }) {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            let ids = text.matches(of: /\sid="([^"]+)"/).map { String($0.1) }
            let twice = Dictionary(grouping: ids) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
            #expect(twice.isEmpty, "\(name) has these twice: \(twice)")
        }
    }

    /// The files that a page loads: itself, the sheets and modules it names, and what those import.
    private func loaded(by page: String) throws -> [String: Int] {
        let folder = Self.root.appending(path: "Sources/Node/Web/Page")
        var sizes: [String: Int] = [:]
        var waiting = [page]
        while let name = waiting.popLast() {
            if sizes[name] != nil { continue }
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            sizes[name] = text.utf8.count
            for match in text.matches(of: /(?:from '\.\/|="\/assets\/)([^'"]+)['"]/) {
                let other = String(match.1)
                if !["chart.js", "qrcode.js"].contains(other), sizes[other] == nil { waiting.append(other) }
            }
        }
        return sizes
    }

    @Test(arguments: [(Language.english, 130_000), (.german, 195_000)])
    func `no page loads more than this, the charts left aside`(language: Language, limit: Int) throws {
        let words = Words(language).pageJSON.count
        let pages = WebServices.pageFiles.filter { $0.hasSuffix(".html") }
        #expect(pages.count >= 8)
        for page in pages {
            let sizes = try loaded(by: page)
            #expect(sizes.count >= 5, "\(page) loads \(sizes)")
            #expect(sizes.values.reduce(words, +) <= limit, "\(page) loads \(words) of words and \(sizes)")
        }
    }
}
