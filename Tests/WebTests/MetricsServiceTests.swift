import Agent
import Foundation
import HTTPServing
import TestSupport
import Testing
import Web

/// What Prometheus and probes get, and what a web page in a browser on this machine does not.
@Suite struct MetricsServiceTests {
    private let fixture: NodeFixture
    private let metrics: MetricsService

    init() throws {
        fixture = try NodeFixture()
        metrics = MetricsService(node: try fixture.node(), reports: CameraStatusBoard())
    }

    private func ask(
        _ path: String, _ method: HTTPMethod = .GET, host: String? = "localhost"
    ) async throws -> (status: Int, type: String?, text: String) {
        var headers: HTTPHeaders = [:]
        headers[.host] = host
        let request = HTTPRequest(
            method: method, path: path, headers: headers, body: Data())
        guard case .response(let response) = await metrics.answer(request) else { throw POSIXError(.EPROTO) }
        let text = String(decoding: response.body, as: UTF8.self)
        return (response.statusCode, response.headers[.contentType], text)
    }

    @Test func `the metrics are there, in the format of Prometheus`() async throws {
        let answer = try await ask("/metrics")
        #expect(answer.status == 200 && answer.type == "text/plain; version=0.0.4; charset=utf-8")
        #expect(answer.text.contains("# TYPE spotter_") && answer.text.hasSuffix("\n"))
        #expect(try await ask("/healthz").text == "ok\n")
    }

    @Test(
        arguments: [
            ("127.0.0.1:9469", 200), ("127.0.0.1", 200), ("localhost:9469", 200), ("LOCALHOST", 200),
            ("[::1]:9469", 200), ("[::1]", 200), ("evil.example", 421), ("evil.example:9469", 421),
            ("127.0.0.1.evil.example", 421), ("localhost:80:80", 421), ("localhost:x", 421), ("", 421), (nil, 421),
        ] as [(String?, Int)])
    func `a request must name this machine`(host: String?, status: Int) async throws {
        for path in ["/metrics", "/healthz", "/"] {
            let answer = try await ask(path, host: host)
            #expect(answer.status == (status == 200 && path == "/" ? 404 : status))
            #expect(status == 200 || !answer.text.contains("spotter_"))
        }
    }

    @Test(arguments: [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)])
    func `another site's page causes no work`(site: String, status: Int) async throws {
        for path in ["/metrics", "/healthz"] {
            var request = HTTPRequest(
                method: .GET, path: path, headers: [.host: "localhost"], body: Data())
            request.headers["Sec-Fetch-Site"] = site
            guard case .response(let response) = await metrics.answer(request) else { throw POSIXError(.EPROTO) }
            #expect(response.statusCode == status, "\(path)")
        }
    }

    @Test func `there is nothing else`() async throws {
        for path in ["/", "/metrics/", "/Metrics", "/../etc/passwd", "/api/v1/state", ""] {
            #expect(try await ask(path).status == 404, "\(path)")
        }
        for method in [HTTPMethod.POST, .PUT, .DELETE, .OPTIONS, .HEAD] {
            #expect(try await ask("/metrics", method).status == 405, "\(method.rawValue)")
        }
    }

    @Test func `it serves eight connections at a time`() async throws {
        #expect(MetricsService.maximumConnections == 8)
        try await withServer(limit: MetricsService.maximumConnections, answer: metrics.answer) { port async throws in
            let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            let answer = try await apart { () -> String in
                let client = try TCPClient(port: port)
                client.send(request)
                return client.read()
            }
            #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("\r\n\r\nok\n"))
        }
    }
}
