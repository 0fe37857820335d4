import FlyingFox
import Foundation
import Records

/// Why a request is refused, as the client reads it.
package struct WebFailure: Error {
    /// Such as 404.
    package let status: HTTPStatusCode
    /// One word for programs.
    package let code: String
    /// A sentence that says what to do.
    package let message: String
    /// Headers besides those of every response.
    package var headers: HTTPHeaders = [:]

    /// A refusal with these parts.
    package init(_ status: HTTPStatusCode, _ code: String, _ message: String, headers: HTTPHeaders = [:]) {
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers
    }

    static let tooLarge = WebFailure(
        HTTPStatusCode(413, phrase: "Content Too Large"), "too_large",
        "The request is larger than \(HTTPListener.maximumBodyBytes >> 10) kB: send less at once.")

    static let noLength = WebFailure(
        HTTPStatusCode(411, phrase: "Length Required"), "no_length",
        "The request does not say its length: send the header Content-Length.")

    static let noBody = WebFailure(.badRequest, "no_body", "The request ended before its body: send it again.")

    /// No route.
    package static let notFound = WebFailure(.notFound, "not_found", "Nothing is at this address: begin at /.")

    /// The body of the response.
    var json: String {
        struct Body: Encodable {
            struct Content: Encodable { let code, message: String }
            let error: Content
        }
        // Two texts can always be encoded.
        return (try? JSONText.encode(Body(error: .init(code: code, message: message)))) ?? "{}"
    }

    /// The refusal as a response.
    package var response: HTTPResponse {
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
