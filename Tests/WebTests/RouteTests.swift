import Agent
import Foundation
import HTTPServing
import Testing
import Web

/// The addresses of the page's server, and who gets an answer.
@Suite struct RouteTests {
    private let fixture: NodeFixture
    private let router: Router

    init() throws {
        fixture = try NodeFixture()
        router = try WebService(node: fixture.node(), reports: CameraStatusBoard(), configurationPath: nil).router
    }

    private func route(_ path: String) throws -> Route { try #require(router.routes.first { $0.path == path }) }

    @Test func `a part in braces stands for one component`() throws {
        let session = try route("/api/v1/sessions/{id}")
        #expect(session.parameters(of: "/api/v1/sessions/0198-a_b.c") == ["id": "0198-a_b.c"])
        let longest = String(repeating: "a", count: 64)
        #expect(session.parameters(of: "/api/v1/sessions/\(longest)") == ["id": longest])
        for wrong in [
            "", "/", "a/b", "/a", "a/", longest + "a", "a b", "a%20b", "a%2Fb", "é", "a\u{0}", "a\n", "a;b", "a?b",
            "<script>", "'", "\"", "..\\",
        ] { #expect(session.parameters(of: "/api/v1/sessions/\(wrong)") == nil, "\(wrong)") }
    }

    @Test func `the other components must be equal`() throws {
        let session = try route("/api/v1/sessions/{id}")
        for wrong in [
            "/api/v1/sessions", "/api/v1/Sessions/a", "/api/v1/session/a", "api/v1/sessions/a", "/x/api/v1/sessions/a",
            "//api/v1/sessions/a", "/api/v1//sessions/a", "/api/v1/sessions/a/delete", "",
        ] { #expect(session.parameters(of: wrong) == nil, "\(wrong)") }
        #expect(try route("/").parameters(of: "/") == [:])
        #expect(try route("/").parameters(of: "") == nil)
    }

    @Test func `every method and path is there once`() {
        let names = router.routes.map { "\($0.method.rawValue) \($0.path)" }
        #expect(names.count > 25 && Set(names).count == names.count, "\(names)")
    }

    @Test func `only the log-in page, its files and the description are open to everybody`() {
        let open = Set(router.routes.filter { $0.access == .open }.map { "\($0.method.rawValue) \($0.path)" })
        #expect(
            open == [
                "GET /login", "GET /enter", "GET /member", "GET /assets/words.json", "GET /assets/{name}",
                "GET /favicon.ico",
                "GET /api/v1/openapi.json", "POST /api/v1/login", "POST /api/v1/logout", "POST /api/v1/enter",
                "POST /api/v1/member/login", "POST /api/v1/member/logout", "GET /file/{token}",
            ])
    }

    @Test func `what changes something needs the operator, and is a POST`() {
        for route in router.routes where route.method != .GET {
            #expect(route.method == .POST)
            let isOwn = route.access == .member && route.path.hasPrefix("/api/v1/member/")
            #expect(route.access == .role(.operator) || route.access == .open || isOwn, "\(route.path)")
        }
    }

    // MARK: - With a password

    private func request(
        _ method: HTTPMethod, _ path: String, cookie: String? = nil, host: String = "localhost",
        origin: String? = "http://localhost"
    ) -> HTTPRequest {
        var headers: HTTPHeaders = [.host: host, .contentType: "application/json"]
        headers[.origin] = origin
        headers[.cookie] = cookie
        let path = path.replacing(/\{\w+\}/, with: "x")
        return HTTPRequest(method: method, path: path, headers: headers, body: Data())
    }

    /// The status of the response; 0 for a stream.
    private func status(_ request: HTTPRequest) async -> Int {
        guard case .response(let response) = await router.answer(request) else { return 0 }
        #expect(response.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
        return response.statusCode
    }

    private func cookie(_ role: WebRole) throws -> String {
        let passwords = PasswordFile(folder: fixture.folder.url)
        if try !passwords.hasPassword { _ = try passwords.generate(.operator) }
        return "\(SessionCookie.name)=" + SessionCookie.make(role, now: Date(), key: try passwords.signingKey())
    }

    @Test func `without a log-in every other address is refused`() async throws {
        let cookie = try cookie(.operator)
        for route in router.routes where route.access != .open {
            let expected = route.path.hasPrefix("/api/") ? 401 : 303
            #expect(await status(request(route.method, route.path)) == expected, "\(route.path)")
            let forged = cookie.replacing(/.{10}$/, with: "0000000000")
            #expect(await status(request(route.method, route.path, cookie: forged)) == expected, "\(route.path)")
        }
    }

    @Test func `a viewer gets nothing that needs the operator`() async throws {
        let cookie = try cookie(.viewer)
        for route in router.routes where route.access == .role(.operator) {
            #expect(await status(request(route.method, route.path, cookie: cookie)) == 403, "\(route.path)")
        }
        #expect(await status(request(.GET, "/api/v1/state", cookie: cookie)) == 200)
    }

    @Test func `the wall gets its page and what that needs, and is led back to it from everywhere else`() async throws {
        let cookie = try cookie(.wall)
        let needed = Set(router.routes.filter { $0.access == .role(.wall) }.map(\.path))
        #expect(needed == ["/tv", "/api/v1/state", "/api/v1/live"])
        for route in router.routes where ![.open, .member, .role(.wall)].contains(route.access) {
            let expected = route.path.hasPrefix("/api/") ? 403 : 303
            #expect(await status(request(route.method, route.path, cookie: cookie)) == expected, "\(route.path)")
        }
        for path in ["/tv", "/api/v1/state"] { #expect(await status(request(.GET, path, cookie: cookie)) == 200) }
        #expect(await status(request(.GET, "/api/v1/live", cookie: cookie)) == 0)
        guard case .response(let response) = await router.answer(request(.GET, "/workouts", cookie: cookie)) else {
            return
        }
        #expect(response.headers[.location] == "/tv")
    }

    @Test func `another host is refused everywhere, and another origin wherever something changes`() async throws {
        let cookie = try cookie(.operator)
        for route in router.routes {
            let host = request(route.method, route.path, cookie: cookie, host: "evil.example")
            #expect(await status(host) == 421, "\(route.path)")
            guard route.method != .GET else { continue }
            for origin in [nil, "null", "http://evil.example", "http://localhost:1", "http://localhost.evil.example"] {
                let other = request(route.method, route.path, cookie: cookie, origin: origin)
                #expect(await status(other) == 403, "\(route.path) from \(origin ?? "-")")
            }
        }
    }

    @Test func `other methods are refused, and the right ones are named`() async throws {
        for method in [HTTPMethod.PUT, .DELETE, .PATCH, .HEAD, .OPTIONS] {
            guard case .response(let response) = await router.answer(request(method, "/api/v1/login")) else {
                Issue.record("\(method.rawValue) gets a stream")
                continue
            }
            #expect(response.statusCode == 405 && response.headers["Allow"] == "POST")
        }
        #expect(await status(request(.POST, "/")) == 405)
        #expect(await status(request(.GET, "/api/v1/unknown")) == 404)
    }

    // MARK: - Pages of other sites

    @Test(arguments: ["cross-site", "same-site", "Cross-Site", "something-new"])
    func `another site's page causes no work, whatever it asks for`(site: String) async throws {
        let cookie = try cookie(.operator)
        for route in router.routes {
            for mode in [nil, "no-cors", "cors", "websocket"] {
                var foreign = request(route.method, route.path, cookie: cookie)
                foreign.headers["Sec-Fetch-Site"] = site
                foreign.headers["Sec-Fetch-Mode"] = mode
                foreign.headers["Sec-Fetch-Dest"] = mode == nil ? nil : "image"
                #expect(await status(foreign) == 403, "\(route.path) \(mode ?? "-")")
            }
        }
    }

    @Test(arguments: [("document", 200), ("iframe", 403), ("embed", 403), ("object", 403)])
    func `a link of another site leads to a page, and no frame does`(place: String, expected: Int) async throws {
        let cookie = try cookie(.operator)
        for path in ["/", "/history", "/login", "/enter"] {
            var link = request(.GET, path, cookie: cookie)
            link.headers["Sec-Fetch-Site"] = "cross-site"
            link.headers["Sec-Fetch-Mode"] = "navigate"
            link.headers["Sec-Fetch-Dest"] = place
            #expect(await status(link) == expected, "\(path)")
            link.path = "/api/v1/state"
            #expect(await status(link) == 403)
        }
    }

    @Test(arguments: [nil, "same-origin", "none", "Same-Origin"])
    func `this page itself, somebody's hand and a program are answered`(site: String?) async throws {
        var own = request(.GET, "/api/v1/state", cookie: try cookie(.viewer))
        own.headers["Sec-Fetch-Site"] = site
        #expect(await status(own) == 200)
    }

    // MARK: - With a damaged password file

    @Test func `with damaged passwords the log-in page is there, and says what is wrong`() async throws {
        let cookie = try cookie(.operator)
        try Data("{".utf8).write(to: URL(filePath: PasswordFile(folder: fixture.folder.url).path))
        for path in ["/login", "/enter", "/assets/style.css", "/assets/page-login.js", "/favicon.ico"] {
            #expect(await status(request(.GET, path, cookie: cookie)) == 200, "\(path)")
        }
        for path in ["/", "/history", "/node"] {
            #expect(await status(request(.GET, path, cookie: cookie)) == 303, "\(path)")
        }
        let guarded = router.routes.filter { ![.open, .member].contains($0.access) && $0.path.hasPrefix("/api/") }
        for route in guarded {
            #expect(await status(request(route.method, route.path, cookie: cookie)) == 500, "\(route.path)")
            #expect(await status(request(route.method, route.path)) == 401, "\(route.path)")
        }
        // More often than passwords may be wrong: nobody has tried one.
        for _ in 0..<10 {
            var login = request(.POST, "/api/v1/login")
            login.body = Data(#"{"password": "x"}"#.utf8)
            guard case .response(let response) = await router.answer(login) else { return }
            let text = String(decoding: response.body, as: UTF8.self)
            #expect(response.statusCode == 500 && text.contains("passwords_unusable"))
            #expect(text.contains("web-passwords.json") && text.contains("spotter web password"))
            #expect(!text.contains(fixture.folder.url.path))
        }
    }

    @Test func `a form cannot change anything`() async throws {
        let cookie = try cookie(.operator)
        for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a", ""] {
            var form = request(.POST, "/api/v1/cameras/rack1/enabled", cookie: cookie)
            form.headers[.contentType] = type
            #expect(await status(form) == 415, "\(type)")
        }
    }
}
