import Foundation
import TestSupport

/// A node that runs, and its page's port.
final class AttackedPage {
    /// A response, or nothing.
    struct Answer {
        let text: String
        var status: Int { Int(text.prefix { !$0.isNewline }.split(separator: " ").dropFirst().first ?? "") ?? 0 }
        var head: String { text.components(separatedBy: "\r\n\r\n")[0] }
        var body: String { text.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n") }
        var hasPolicy: Bool { head.contains("\r\nContent-Security-Policy: default-src 'none'; script-src 'self';") }
    }

    let process: Child
    let port: Int

    /// What the node told so far.
    var log: CollectedText { process.messages }

    init(_ start: () throws -> Child) throws {
        let process = try start()
        self.process = process
        var port: Int?
        _ = Program.wait {
            let match = process.messages.text.firstMatch(of: /the page is at http:\/\/127\.0\.0\.1:(\d+)\//)
            port = match.flatMap { Int($0.1) }
            return port != nil || !process.isRunning
        }
        guard let port else { throw POSIXError(.ECONNREFUSED) }
        self.port = port
    }

    deinit {
        process.terminate()
        process.wait()
    }

    /// The text of a request; `nil` leaves a header out.
    func request(
        _ method: String, _ path: String, host: String? = "localhost", origin: String? = nil,
        cookie: String? = nil, _ headers: [String] = ["Connection: close"], version: String = "HTTP/1.1"
    ) -> String {
        let known = [("Host", host), ("Origin", origin), ("Cookie", cookie)]
        let lines = known.compactMap { name, value in value.map { "\(name): \($0)" } } + headers
        return "\(method) \(path) \(version)\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// What is answered to a text.
    func ask(_ text: String, within seconds: Int = 60) throws -> Answer {
        let client = try TCPClient(port: port)
        client.send(text)
        return Answer(text: client.read(within: seconds))
    }

    func get(_ path: String, cookie: String? = nil) throws -> Answer {
        try ask(request("GET", path, cookie: cookie))
    }

    func post(
        _ path: String, _ body: String = "{}", origin: String? = "http://localhost", cookie: String? = nil
    ) throws -> Answer {
        let headers = [
            "Connection: close", "Content-Type: application/json", "Content-Length: \(body.utf8.count)",
        ]
        return try ask(request("POST", path, origin: origin, cookie: cookie, headers) + body)
    }

    /// Whether the page answers a request of its own.
    var isThere: Bool { (try? get("/api/v1/openapi.json").status) == 200 }

    /// Resident memory in MB.
    func memory() throws -> Double { try figure("VmRSS") / 1024 }

    func threads() throws -> Double { try figure("Threads") }

    func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.id)/fd").count
    }

    private func figure(_ name: String) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process.id)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? 0
    }
}
