import Foundation
import TestSupport
import Testing

/// Attacks on the page of the real program: requests that no browser sends, and clients that waste its time.
@Suite(.serialized) struct PageAttackTests {
    private let folder: TemporaryFolder
    let configuration: String
    private static let script = #"<script>alert("1")</script>"#

    init() throws {
        folder = try TemporaryFolder()
        let stream = folder.file("demo.poses.jsonl")
        try GroundTruth(clip: "demo").writePoseStream(to: stream, times: 8)
        configuration = folder.file("config.toml").path
        let text = """
            [[camera]]
            id = "rack1"
            name = '\(Self.script)'
            source = "\(stream.path)"
            [history]
            path = "\(folder.file("spotter.db").path)"
            [mqtt]
            enabled = false
            [web]
            enabled = true
            listen = "127.0.0.1:0"
            """
        try Data(text.utf8).write(to: URL(filePath: configuration))
    }

    func start() throws -> AttackedPage {
        try AttackedPage { try Program.start(["run", "--config", configuration, "--realtime"]) }
    }

    @Test func `another host and another origin are refused`() throws {
        let page = try start()
        for host in ["evil.example", "127.0.0.1.evil.example", "127.0.0.2", "127.1", "localhost.", "gym.local:80"] {
            let answer = try page.ask(page.request("GET", "/api/v1/state", host: host))
            #expect(answer.status == 421 && answer.hasPolicy, "\(host): \(answer.text)")
        }
        for host in [nil, "", "localhost:80:80", "localhost:x", "::1"] {
            #expect(try page.ask(page.request("GET", "/api/v1/state", host: host)).status == 400, "\(host ?? "-")")
        }
        let two = page.request("GET", "/api/v1/state", ["Host: evil.example", "Connection: close"])
        #expect(try page.ask(two).status == 400)
        let switching = #"{"enabled": false}"#
        let path = "/api/v1/cameras/rack1/enabled"
        for origin in [
            nil, "", "null", "http://evil.example", "http://localhost:1", "http://localhost.evil.example", "localhost",
            "http://localhost/", "https://localhost:\(page.port)",
        ] {
            let answer = try page.post(path, switching, origin: origin)
            #expect(answer.status == 403 && answer.body.contains("bad_origin"), "\(origin ?? "-"): \(answer.text)")
        }
        #expect(try page.get("/api/v1/state").body.contains(#""enabled":true"#))
        #expect(try page.post(path, switching).status == 200)
        #expect(try page.get("/api/v1/state").body.contains(#""enabled":false"#))
    }

    @Test func `with a password nobody gets in without it`() throws {
        let page = try start()
        #expect(try page.get("/api/v1/log").status == 200)
        var passwords: [String: String] = [:]
        for role in ["viewer", "operator"] {
            let result = try Program.run("web", "password", "--role", role, "--config", configuration)
            #expect(result.status == 0, "\(result.messages)")
            passwords[role] = result.output.trimmingCharacters(in: .newlines)
        }
        var cookies: [String: String] = [:]
        for (role, password) in passwords {
            let answer = try page.post("/api/v1/login", #"{"password": "\#(password)"}"#)
            #expect(answer.status == 200 && answer.body == #"{"role":"\#(role)"}"#, "\(answer.text)")
            #expect(answer.head.contains("HttpOnly") && answer.head.contains("SameSite=Strict"))
            cookies[role] = try #require(answer.head.firstMatch(of: /Set-Cookie: ([^;\r\n]*)/)).1.description
        }
        let viewer = try #require(cookies["viewer"])
        let owner = try #require(cookies["operator"])
        let forged = [
            nil, "", "spotter_session=", "spotter_session=x", viewer.replacing("viewer", with: "operator"),
            String(owner.dropLast()), owner + "0", owner.uppercased(),
            owner.replacing("spotter_session", with: "session"),
            "spotter_session=v1.operator.9999999999.00." + String(repeating: "0", count: 64),
        ]
        for cookie in forged {
            for path in ["/api/v1/state", "/api/v1/live", "/api/v1/log", "/api/v1/history/days"] {
                let answer = try page.get(path, cookie: cookie)
                #expect(answer.status == 401 && answer.hasPolicy, "\(path) with \(cookie ?? "-"): \(answer.text)")
            }
            #expect(try page.get("/", cookie: cookie).status == 303)
            let answer = try page.post("/api/v1/cameras/rack1/enabled", #"{"enabled": false}"#, cookie: cookie)
            #expect(answer.status == 401, "\(answer.text)")
        }
        #expect(try page.get("/api/v1/state", cookie: viewer).status == 200)
        for path in ["/api/v1/log", "/api/v1/doctor"] { #expect(try page.get(path, cookie: viewer).status == 403) }
        for path in ["/api/v1/cameras/rack1/enabled", "/api/v1/sessions/x/delete"] {
            #expect(try page.post(path, #"{"enabled": false, "confirm": "x"}"#, cookie: viewer).status == 403)
        }
        #expect(try page.get("/api/v1/log", cookie: owner).status == 200)
        let refused = try (0..<8).map { _ in try page.post("/api/v1/login", #"{"password": "wrong"}"#).status }
        #expect(refused.prefix(1) == [401] && refused.suffix(3) == [429, 429, 429])
        // Nobody is logged out by that, and a new password logs everybody out.
        #expect(try page.get("/api/v1/state", cookie: viewer).status == 200)
        #expect(try Program.run("web", "password", "--config", configuration).status == 0)
        #expect(try page.get("/api/v1/state", cookie: viewer).status == 401)
    }

    @Test func `no path leads out of the page, and every answer has its policy`() throws {
        let page = try start()
        for path in [
            "/assets/../../etc/passwd", "/assets/../../../../../../etc/passwd", "/assets/%2e%2e/%2e%2e/etc/passwd",
            "/assets/..%2f..%2fetc%2fpasswd", "/assets/%2fetc%2fpasswd", "/assets//etc/passwd", "//etc/passwd",
            "/assets/..%5c..%5cetc%5cpasswd", "/assets/%252e%252e%252fetc%252fpasswd", "/assets/.%00/etc/passwd",
            "/assets/index.html%00.js", "/assets/%c0%ae%c0%ae/etc/passwd", "/etc/passwd", "/proc/self/environ",
            "/assets/", "/assets", "/assets/.", "/assets/config.toml", "/spotter.db", "/web-passwords.json", "/%",
            "/%zz", "*", "http://evil.example/etc/passwd", "/api/v1/sessions/..%2f..", "/a;b",
            "/" + String(repeating: "a/", count: 2000), "/" + String(repeating: "%2e/", count: 1000),
        ] {
            let answer = try page.get(path)
            #expect(answer.status == 404 && answer.hasPolicy, "\(path): \(answer.text)")
            #expect(!answer.text.contains("root:"))
        }
        for path in ["/\u{0}", "/é", "?", "/\u{1B}[31m", "/\t"] {
            let answer = try page.get(path)
            #expect(answer.status == 400 && answer.hasPolicy, "\(path): \(answer.text)")
        }
        for path in ["/", "/tv", "/history", "/node", "/login", "/assets/style.css", "/api/v1/state", "/favicon.ico"] {
            let answer = try page.get(path)
            #expect(answer.status == 200 && answer.hasPolicy, "\(path)")
            #expect(answer.head.contains("X-Content-Type-Options: nosniff"), "\(path)")
        }
        for method in ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "POST"] {
            let answer = try page.ask(page.request(method, "/api/v1/state"))
            #expect(answer.status == 405 && answer.hasPolicy && answer.head.contains("Allow: GET"), "\(answer.text)")
        }
        let head = try page.ask(page.request("HEAD", "/api/v1/state"))
        #expect(head.status == 405 && head.hasPolicy && head.body.isEmpty)
        #expect(try page.ask(page.request("PROPFIND", "/api/v1/state")).status == 405)
        // Nobody has this method: the parser refuses it.
        #expect(try page.ask(page.request("NONSENSE", "/api/v1/state")).status == 400)
    }

    @Test func `control characters and nonsense in a query are told as such, or match nothing`() throws {
        let page = try start()
        for query in [
            "since=%00", "since=-7d", "since=1e308d", "since=99999999999999999999d", "until=0000-00-00", "limit=0",
            "limit=-1", "limit=5001", "limit=99999999999999999999", "limit=1%0a", "tz=..%2f..%2fetc%2fpasswd", "tz=%00",
            "last=x%0d%0aX-Evil:%201", "tz=%1b%5b31m",
        ] {
            let answer = try page.get("/api/v1/history/sessions?" + query)
            #expect(answer.status == 400 && !answer.head.contains("X-Evil"), "\(query): \(answer.text)")
        }
        for query in [
            "camera=%00%01%1f", "camera=' OR 1=1--", "action=%0d%0a", "camera=%27%3B%20DROP%20TABLE%20session",
        ] {
            let path = "/api/v1/history/sessions?" + query.replacing(" ", with: "%20")
            let answer = try page.get(path)
            #expect(answer.status == 404 && answer.body.contains("unknown_"), "\(query): \(answer.text)")
        }
        let answer = try page.get("/api/v1/live?camera=%22%7d%0d%0aevent:%20x%0a")
        #expect(answer.status == 404 && answer.body.hasPrefix("{\"error\":") && !answer.body.contains("\n"))
        #expect(try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) is [String: Any])
        // Nothing of it reaches the log in raw form.
        #expect(!page.log.text.contains("\u{1B}") && !page.log.text.contains("\u{1F}"))
    }

    @Test func `a script as a camera's name stays text`() throws {
        let page = try start()
        let state = try page.get("/api/v1/state")
        #expect(state.head.contains("Content-Type: application/json\r\n") && state.hasPolicy)
        let escaped = try #require(String(data: JSONEncoder().encode(Self.script), encoding: .utf8))
        #expect(state.body.contains(escaped.replacing("\\/", with: "/")))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(state.body.utf8)) as? [String: Any])
        let camera = try #require((object["cameras"] as? [[String: Any]])?.first)
        #expect(camera["name"] as? String == Self.script)
        let client = try TCPClient(port: page.port)
        client.send(page.request("GET", "/api/v1/live"))
        let stream = AttackedPage.Answer(text: client.read { $0.contains("event: pose") })
        #expect(stream.hasPolicy && stream.head.contains("Content-Type: text/event-stream"))
        // No file of the page is made from data.
        for path in ["/", "/tv", "/history"] { #expect(try !page.get(path).body.contains("alert(")) }
    }

    @Test func `other versions and encodings of HTTP do no harm`() throws {
        let page = try start()
        let old = try page.ask(page.request("GET", "/api/v1/openapi.json", [], version: "HTTP/1.0"))
        #expect(old.status == 200)
        let types = ["Content-Type: application/json", "Origin: http://localhost"]
        // Some libraries ask whether to send the body, and send it when no answer comes.
        let client = try TCPClient(port: page.port)
        client.send(
            page.request(
                "POST", "/api/v1/logout",
                types + ["Content-Length: 2", "Expect: 100-continue", "Connection: close"]))
        Thread.sleep(forTimeInterval: 0.5)
        client.send("{}")
        #expect(client.read().hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"))
        let chunked = page.request("POST", "/api/v1/login", types + ["Transfer-Encoding: chunked"])
        let answer = try page.ask(chunked + "4\r\n{\"pa\r\n0\r\n\r\n")
        #expect(answer.status == 411 && answer.hasPolicy && answer.text.components(separatedBy: "HTTP/1.1").count == 2)
        for text in [
            "GET /\r\n\r\n", "nonsense\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\n", "\n",
            page.request("POST", "/api/v1/logout", types + ["Content-Length: -1"]),
            page.request("POST", "/api/v1/logout", types + ["Content-Length: 2", "Transfer-Encoding: chunked"]),
        ] {
            let answer = try page.ask(text)
            #expect(answer.text.isEmpty || answer.status == 400 || answer.status == 411, "\(text): \(answer.text)")
        }
        // Two lengths do not hide a request in a body.
        let two = page.request("POST", "/api/v1/logout", types + ["Content-Length: 0", "Content-Length: 44"])
        let smuggled = page.request("GET", "/api/v1/log", [])
        #expect(try !page.ask(two + smuggled, within: 15).text.contains("\"level\""))
        #expect(page.isThere)
    }
}
