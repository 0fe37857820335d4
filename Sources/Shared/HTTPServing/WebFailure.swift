import Foundation
import Records

/// Why a request is refused, as the client reads it.
package struct WebFailure: Error {
    /// Such as 404.
    package let status: HTTPStatus
    /// One word for programs.
    package let code: String
    /// A sentence that says what to do.
    package let message: String
    /// Headers besides those of every response.
    package var headers: HTTPHeaders = [:]

    /// A refusal with these parts.
    package init(_ status: HTTPStatus, _ code: String, _ message: String, headers: HTTPHeaders = [:]) {
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers
    }

    static let tooLarge = WebFailure(
        .payloadTooLarge, "too_large",
        "The request is larger than \(HTTPListener.maximumBodyBytes >> 10) kB: send less at once.")

    static let noLength = WebFailure(
        .lengthRequired, "no_length",
        "The request does not say its length: send the header Content-Length.")

    static let headTooLarge = WebFailure(
        .requestHeaderFieldsTooLarge, "head_too_large",
        "The address and the headers are longer than \(HTTPListener.maximumHeadBytes >> 10) kB: send less.")

    static let noRequest = WebFailure(
        .badRequest, "no_request", "This is no HTTP request: ask with a browser, or a program that speaks HTTP/1.1.")

    static func tooManyConnections(_ limit: Int) -> WebFailure {
        WebFailure(
            .serviceUnavailable, "too_many_connections",
            "\(limit) connections are open, and no more are possible: close another page of this node and try again.",
            headers: [.retryAfter: "5"])
    }

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
    package var response: HTTPResponse { WebResponse.json(json, status: status, headers: headers) }
}
