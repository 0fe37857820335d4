import Foundation
import HTTPServing

/// The page's files, which are part of the program.
struct PageRoutes {
    let pool: WorkPool
    let words: PageWords
    /// Whether the history was made up, which every page says then, also before a log-in.
    var isMadeUp = false

    /// Pages and who may see them.
    private static let pages: [(path: String, file: String, access: Route.Access)] = [
        ("/", "index.html", .role(.viewer)), ("/tv", "tv.html", .role(.wall)),
        ("/history", "history.html", .role(.viewer)), ("/session", "session.html", .role(.viewer)),
        ("/aim", "aim.html", .role(.viewer)), ("/node", "node.html", .role(.viewer)),
        ("/train", "train.html", .role(.viewer)), ("/learn", "learn.html", .role(.viewer)),
        ("/workouts", "workouts.html", .role(.viewer)),
        ("/login", "login.html", .open), ("/member", "member.html", .open),
        // Its script sends the token. A GET must not use it up: chat programs fetch links to show a preview.
        ("/enter", "login.html", .open),
    ]

    /// The files of Debian's packages: what each is for, and the package.
    private static let libraries = [
        "chart.js": (
            "/usr/share/javascript/chart.js/chart.min.js", "Charts", "libjs-chart.js", "tables work without it"
        ),
        "qrcode.js": (
            "/usr/share/javascript/qrcode-generator/qrcode.js", "QR codes", "node-qrcode-generator",
            "the address under the code works without it"
        ),
    ]

    var all: [Route] {
        Self.pages.map { page in
            Route(.GET, page.path, page.access) { _ in try file(page.file) }
        } + [
            Route(.GET, "/assets/words.json", .open) { [words] request in
                var headers = WebResponse.headers(type: "application/json")
                // Another browser may ask for another language, and the next version of the program brings others.
                headers[.cacheControl] = "no-cache"
                headers["Vary"] = "Accept-Language"
                let accepting = request.http.headers["Accept-Language"] ?? ""
                return HTTPResponse(.ok, headers: headers, body: words.json(accepting: accepting))
            },
            Route(.GET, "/assets/{name}", .open) { [pool] request in
                let name = request.parameters["name"] ?? ""
                guard Self.libraries[name] != nil else { return try file(name) }
                return try await pool.ask(.short) { _ in try Self.library(name) }
            },
            Route(.GET, "/favicon.ico", .open) { _ in try file("icon.svg") },
        ]
    }

    /// The page of the setup in the place of all others.
    var forSetup: [Route] {
        [
            Route(.GET, "/", .role(.operator)) { _ in try file("setup.html") },
            Route(.GET, "/login", .open) { _ in try file("login.html") },
        ] + all.filter { ["/assets/words.json", "/assets/{name}", "/favicon.ico"].contains($0.path) }
    }

    private func file(_ name: String) throws -> HTTPResponse {
        guard var bytes = PageFiles.named[name], let type = Self.type(of: name) else { throw WebFailure.notFound }
        if isMadeUp, name.hasSuffix(".html") {
            let script = "<script type=\"module\""
            let page = String(decoding: bytes, as: UTF8.self).split(separator: script, maxSplits: 1)
            bytes = Array(page.joined(separator: script + " src=\"/assets/made-up.js\"></script>\n" + script).utf8)
        }
        var headers = WebResponse.headers(type: type)
        // The next version of the program brings others.
        headers[.cacheControl] = "no-cache"
        return HTTPResponse(.ok, headers: headers, body: Data(bytes))
    }

    private static func library(_ name: String) throws -> HTTPResponse {
        guard let (path, use, package, rest) = libraries[name] else { throw WebFailure.notFound }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw WebFailure(.notFound, "no_library", "\(use) need Debian's package \(package); \(rest).")
        }
        var headers = WebResponse.headers(type: "text/javascript; charset=utf-8")
        headers[.cacheControl] = "max-age=86400"
        return HTTPResponse(.ok, headers: headers, body: data)
    }

    private static func type(of name: String) -> String? {
        let types = [
            "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
            "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml", "webmanifest": "application/manifest+json",
            "json": "application/json",
        ]
        return types[name.split(separator: ".").last.map(String.init) ?? ""]
    }
}
