import FlyingFox
import Foundation
import Records

/// A request that has passed the checks of its route.
struct WebRequest: Sendable {
    /// The most bytes of a body.
    static let maximumBodyBytes = 4 << 10

    let http: HTTPRequest
    /// What the client may do; `nil` on routes that are open to everybody.
    let role: WebRole?
    /// The values in the place of `{id}` in the route's path.
    let parameters: [String: String]

    /// A value of the address's query.
    func query(_ name: String) -> String? {
        http.query.last { $0.name == name }.map(\.value).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Decodes the body.
    ///
    /// - Throws: ``WebFailure`` when it is not what the route expects.
    func body<Body: Decodable>(_ type: Body.Type) async throws -> Body {
        let data = try await http.bodyData
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw WebFailure(.badRequest, "invalid_body", "The body is not the JSON that this address expects.")
        }
    }
}

/// Why a request is refused, as the client reads it.
struct WebFailure: Error {
    let status: HTTPStatusCode
    let code: String
    /// A sentence that says what to do.
    let message: String
    var headers: HTTPHeaders = [:]

    init(_ status: HTTPStatusCode, _ code: String, _ message: String, headers: HTTPHeaders = [:]) {
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers
    }

    static let tooLarge = WebFailure(
        HTTPStatusCode(413, phrase: "Content Too Large"), "too_large",
        "The request is larger than \(WebRequest.maximumBodyBytes >> 10) kB: send less at once.")

    static let noLength = WebFailure(
        HTTPStatusCode(411, phrase: "Length Required"), "no_length",
        "The request does not say its length: send the header Content-Length.")

    static let notFound = WebFailure(.notFound, "not_found", "Nothing is at this address: begin at /.")

    /// The body of the response.
    var json: String {
        struct Body: Encodable {
            struct Content: Encodable { let code, message: String }
            let error: Content
        }
        // Two texts can always be encoded.
        return (try? JSONText.encode(Body(error: .init(code: code, message: message)))) ?? "{}"
    }

    var response: HTTPResponse {
        var response = WebResponse.json(json, status: status)
        for (name, value) in headers { response.headers[name] = value }
        return response
    }

    /// The response as it is sent, for connections that the server never sees.
    var text: String {
        let fields = response.headers.map { "\($0.key.rawValue): \($0.value)\r\n" }.sorted().joined()
        return "HTTP/1.1 \(status.code) \(status.phrase)\r\n\(fields)Content-Length: \(json.utf8.count)\r\n\r\n\(json)"
    }
}

/// The responses of the page's server.
enum WebResponse {
    /// No script but the page's own, no other server, no frame around the page.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        + "media-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
        + "frame-ancestors 'none'"

    static func headers(type: String) -> HTTPHeaders {
        [
            .contentType: type, HTTPHeader("Content-Security-Policy"): policy,
            HTTPHeader("X-Content-Type-Options"): "nosniff", HTTPHeader("Referrer-Policy"): "no-referrer",
            HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin", .cacheControl: "no-store",
        ]
    }

    static func json(_ text: String, status: HTTPStatusCode = .ok) -> HTTPResponse {
        HTTPResponse(statusCode: status, headers: headers(type: "application/json"), body: Data(text.utf8))
    }

    static func json(_ value: some Encodable) throws -> HTTPResponse { json(try JSONText.encode(value)) }
}
