import Foundation
import TestSupport
import Testing

/// `spotter web url`, and the page of `spotter run --web`.
@Suite struct WebCommandTests {
    private let folder: TemporaryFolder
    private let configuration: String

    init() throws {
        folder = try TemporaryFolder()
        configuration = folder.file("config.toml").path
        let text = """
            [[camera]]
            id = "rack1"
            [history]
            path = "\(folder.file("spotter.db").path)"
            [mqtt]
            enabled = false
            [web]
            hosts = ["gym.example.org"]
            """
        try Data(text.utf8).write(to: URL(filePath: configuration))
    }

    @Test(
        arguments: [
            (nil, "http://127.0.0.1:8080/"), ("gym.example.org", "https://gym.example.org/"),
            ("Gym.Example.org:8443", "https://Gym.Example.org:8443/"),
            ("gym.example.org:8080", "http://gym.example.org:8080/"), ("gym.local:8080", "http://gym.local:8080/"),
            ("localhost:8080", "http://localhost:8080/"), ("[::1]:8080", "http://[::1]:8080/"),
        ] as [(String?, String)])
    func `the link to a proxy's name begins with https, every other with http`(host: String?, start: String) throws {
        let flags = host.map { ["--host", $0] } ?? []
        let result = try Program.run(["web", "url", "--config", configuration] + flags)
        #expect(result.status == 0 && result.output.hasPrefix(start + "enter?token="), "\(result.output)")
    }

    @Test func `run with --web serves the page, and prints its address`() throws {
        let stream = folder.file("demo.poses.jsonl")
        try GroundTruth(clip: "demo").writePoseStream(to: stream)
        let process = try Program.start(
            ["run", "--web", "--config", configuration, "--source", stream.path, "--realtime"],
            environment: ["SPOTTER_WEB_LISTEN": "127.0.0.1:0"])
        defer {
            process.terminate()
            process.wait()
        }
        var port: Int?
        let isServed = Program.wait {
            let match = process.messages.text.firstMatch(of: /the page is at http:\/\/127\.0\.0\.1:(\d+)\//)
            port = match.flatMap { Int($0.1) }
            // The clip may also end without a page.
            return port != nil || !process.isRunning
        }
        let client = try TCPClient(port: try #require(isServed ? port : nil, "\(process.messages.text)"))
        client.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(client.read().hasPrefix("HTTP/1.1 200 "))
    }
}
