import Foundation
import TestSupport
import Testing

/// The page on which a node is set up that nobody has set up yet, served by the real program.
struct SetupPageTests {
    private let folder: TemporaryFolder
    private let stream: String
    private var written: String { folder.file("conf.d/setup.toml").path }

    init() throws {
        folder = try TemporaryFolder()
        let poses = folder.file("squat.poses.jsonl")
        try GroundTruth(clip: "squat_front").writePoseStream(to: poses)
        stream = poses.path
    }

    /// A program that was started in the folder, as by hand or as a service.
    private final class Running {
        let process: Child

        init(in folder: URL, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
            let own = [
                "SPOTTER_WEB_LISTEN": "127.0.0.1:0", "SPOTTER_HISTORY_PATH": folder.appending(path: "spotter.db").path,
            ]
            process = try Child(
                Program.executable.path, ["run"] + arguments, in: folder,
                environment: ProcessInfo.processInfo.environment.merging(own) { $1 }.merging(environment) { $1 })
        }

        deinit {
            process.kill()
            process.wait()
        }

        /// The port that a line of the log names.
        func port(after words: String) throws -> Int {
            var port: Int?
            _ = Program.wait {
                let line = process.messages.text.split(separator: "\n").last { $0.contains(words) }
                port = line?.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\//).flatMap { Int($0.1) }
                return port != nil || !process.isRunning
            }
            return try #require(port, "\(process.messages.text)")
        }

        var setupPort: Int { get throws { try port(after: "not set up yet") } }
    }

    private struct Answer {
        let status: Int
        let body: String
        var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:] }
    }

    private func ask(
        _ port: Int, _ method: String, _ path: String, _ body: String = "", headers: [String: String] = [:]
    ) throws -> Answer {
        var all = [
            "Host": "127.0.0.1:\(port)", "Origin": "http://127.0.0.1:\(port)", "Content-Type": "application/json",
            "Connection": "close", "Content-Length": "\(body.utf8.count)",
        ]
        all.merge(headers) { $1 }
        let head = all.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)\r\n" }.joined()
        let client = try TCPClient(port: port)
        client.send("\(method) \(path) HTTP/1.1\r\n\(head)\r\n\(body)")
        let text = client.read()
        let parts = text.components(separatedBy: "\r\n\r\n")
        return Answer(
            status: Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0,
            body: parts.dropFirst().joined(separator: "\r\n\r\n"))
    }

    private func answers(
        site: String = "berlin", source: String, broker: String = "none", password: String = "",
        reach: String = "machine"
    ) -> String {
        """
        {"site": "\(site)", "name": "Hall", "cameras": [{"id": "rack-1", "name": "Rack", "source": "\(source)"}],
         "broker": {"address": "\(broker)", "tls": "none", "user": "\(password.isEmpty ? "" : "gym")", "password": "\(password)"},
         "reach": "\(reach)"}
        """
    }

    private func shown(_ key: String) throws -> String {
        let list = try Program.run("config", "show", "--config", folder.file("config.toml").path, "--json").output
        let entries = try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[String: Any]]
        return entries?.first { $0["key"] as? String == key }?["value"] as? String ?? ""
    }

    @Test func `without a configuration the page asks, writes what setup writes, and the node starts`() throws {
        let broker = try Broker(in: folder.url, password: "pa ss")
        let secured = try #require(broker.securedPort)
        let running = try Running(in: folder.url)
        let port = try running.setupPort
        #expect(try ask(port, "GET", "/").body.contains("page-setup.js"))
        #expect(try ask(port, "GET", "/history").status == 404)
        let proposal = try ask(port, "GET", "/api/v1/setup").json
        #expect(
            proposal["site"] as? String == "gym" && proposal["file"] as? String == written, "\(proposal)")
        let look = try ask(port, "POST", "/api/v1/setup/look", "{\"source\": \"\(stream)\"}").json
        let pose = look["pose"] as? [String: Any]
        #expect(look["good"] as? Bool == true && (pose?["people"] as? [Any])?.count == 1, "\(look)")
        let blind = try ask(port, "POST", "/api/v1/setup/look", "{\"source\": \"/dev/nothing\"}").json
        #expect(
            blind["good"] as? Bool == false && (blind["text"] as? String ?? "").contains("/dev/nothing"), "\(blind)")
        for empty in ["", "  "] {
            let refused = try ask(port, "POST", "/api/v1/setup/look", "{\"source\": \"\(empty)\"}")
            #expect(refused.status == 400 && refused.body.contains("A camera needs a source"), "\(refused.body)")
        }
        func probe(_ password: String) throws -> [String: Any] {
            let body =
                "{\"address\": \"127.0.0.1:\(secured)\", \"tls\": \"none\", \"user\": \"gym\", \"password\": \"\(password)\"}"
            return try ask(port, "POST", "/api/v1/setup/broker", body).json
        }
        #expect(try probe("pa ss")["good"] as? Bool == true && probe("wrong")["good"] as? Bool == false)
        #expect(!FileManager.default.fileExists(atPath: written), "nothing is written before the last button")
        let all = answers(source: stream, broker: "127.0.0.1:\(secured)", password: "pa ss")
        let done = try ask(port, "POST", "/api/v1/setup", all)
        #expect(done.status == 200 && done.json["password"] == nil && !done.body.contains("pa ss"), "\(done.body)")
        #expect(try shown("node.site") == "\"berlin\"" && shown("camera[0].name") == "\"Rack\"")
        #expect(try shown("mqtt.port") == "\(secured)" && shown("web.enabled") == "true")
        let password = try String(
            contentsOfFile: try shown("mqtt.password_file").trimmingCharacters(in: ["\""]), encoding: .utf8)
        #expect(password == "pa ss\n")
        // The same process is the node now; the recording ends it.
        running.process.wait()
        #expect(
            running.process.status == 0 && running.process.messages.text.contains("the page is at"),
            "\(running.process.messages.text)")
        #expect(try Program.sqlite(folder.file("spotter.db").path, "SELECT camera FROM session") == ["rack-1"])
        #expect(try broker.wait { $0.contains { $0.topic.hasSuffix("info") || $0.topic == "status" } })
    }

    @Test func `the network gets a page with a password that is shown once`() throws {
        let running = try Running(in: folder.url, environment: ["SPOTTER_WEB_LISTEN": "0.0.0.0:\(Ports.free())"])
        let port = try running.setupPort
        let body = answers(source: "rtsp://127.0.0.1:9/x", reach: "network")
        let password = try #require(try ask(port, "POST", "/api/v1/setup", body).json["password"] as? String)
        let isUp = Program.wait { running.process.messages.text.contains("the page is at") }
        #expect(isUp, "\(running.process.messages.text)")
        #expect(try ask(port, "GET", "/api/v1/state").status == 401)
        #expect(try ask(port, "POST", "/api/v1/login", "{\"password\": \"\(password)\"}").status == 200)
        #expect(try ask(port, "POST", "/api/v1/setup", body).status == 404)
        #expect(!running.process.messages.text.contains(password))
    }

    @Test func `other sites, other hosts and other answers are refused`() throws {
        let running = try Running(in: folder.url)
        let port = try running.setupPort
        let good = answers(source: stream)
        let path = "/api/v1/setup"
        #expect(try ask(port, "GET", path, headers: ["Host": "evil.example"]).status == 421)
        #expect(try ask(port, "POST", path, good, headers: ["Origin": "http://evil.example"]).status == 403)
        #expect(try ask(port, "POST", path, good, headers: ["Origin": ""]).status == 403)
        #expect(try ask(port, "POST", path, good, headers: ["Content-Type": "text/plain"]).status == 415)
        #expect(try ask(port, "GET", path, headers: ["Sec-Fetch-Site": "cross-site"]).status == 403)
        #expect(try ask(port, "GET", path, headers: ["X-Forwarded-For": "10.0.0.9"]).status == 401)
        for bad in [
            answers(site: "Not An Id", source: stream), answers(source: ""),
            answers(source: stream).replacing("rack-1", with: "Rack 1"),
            answers(source: stream, broker: "mqtt://x"),
            answers(source: stream, reach: "all"), "{}",
        ] {
            let answer = try ask(port, "POST", path, bad)
            #expect(answer.status == 400, "\(answer.body)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("config.toml").path))
        running.process.terminate()
        running.process.wait()
        #expect(running.process.status == 0)
    }

    @Test func `once somebody has set the node up, the page refuses`() throws {
        let running = try Running(in: folder.url)
        let port = try running.setupPort
        try FileManager.default.createDirectory(atPath: folder.file("conf.d").path, withIntermediateDirectories: true)
        try Data("[node]\nsite = \"bonn\"\n".utf8).write(to: URL(filePath: written))
        for (method, path) in [("GET", ""), ("POST", ""), ("POST", "/look"), ("POST", "/broker")] {
            let body =
                path.isEmpty
                ? answers(source: stream)
                : "{\"source\": \"x\", \"address\": \"x\", \"tls\": \"none\", \"user\": \"\", \"password\": \"\"}"
            let answer = try ask(port, method, "/api/v1/setup\(path)", body)
            #expect(answer.status == 409, "\(method) \(path): \(answer.body)")
        }
        #expect(try String(contentsOfFile: written, encoding: .utf8).contains("bonn"))
    }

    @Test func `a service with the shipped configuration is not set up, one with a camera is`() throws {
        let file = folder.file("config.toml")
        try FileManager.default.copyItem(at: Program.root.appending(path: "config.toml"), to: file)
        let service = ["INVOCATION_ID": "1"]
        do {
            let running = try Running(in: folder.url, ["--config", file.path], environment: service)
            let port = try running.setupPort
            #expect(try ask(port, "GET", "/").body.contains("page-setup.js"))
        }
        try FileManager.default.createDirectory(atPath: folder.file("conf.d").path, withIntermediateDirectories: true)
        let models = Program.root.appending(path: "Models").path
        let recognition = "[recognition]\nmodel = \"\(models)/exercises.safetensors\"\npose_models = \"\(models)\"\n"
        try Data("\(recognition)[[camera]]\nid = \"a\"\nsource = \"\(stream)\"\n[mqtt]\nenabled = false\n".utf8)
            .write(to: folder.file("conf.d/gym.toml"))
        let node = try Running(in: folder.url, ["--config", file.path], environment: service)
        node.process.wait()
        #expect(
            node.process.status == 0 && !node.process.messages.text.contains("not set up"),
            "\(node.process.messages.text)")
    }
}
