import Foundation
import Records

/// The responses of the page's server.
package enum WebResponse {
    /// No script but the page's own, no other server, no frame around the page.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        + "media-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
        + "frame-ancestors 'none'"

    /// What every response says.
    ///
    /// - Parameter type: the type of the content.
    package static func headers(type: String) -> HTTPHeaders {
        [
            .contentType: type, "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", .cacheControl: "no-store",
        ]
    }

    /// A text that is JSON.
    ///
    /// - Parameter headers: those besides the headers of every response.
    package static func json(_ text: String, status: HTTPStatus = .ok, headers: HTTPHeaders = [:]) -> HTTPResponse {
        HTTPResponse(
            status, headers: self.headers(type: "application/json").merging(headers), body: Data(text.utf8))
    }

    /// A value as JSON.
    ///
    /// - Parameter zone: the time zone of its times; `nil` for UTC.
    /// - Throws: `EncodingError` for numbers that JSON cannot hold.
    package static func json(_ value: some Encodable, zone: TimeZone? = nil) throws -> HTTPResponse {
        json(try JSONText.encode(value, zone: zone))
    }
}
