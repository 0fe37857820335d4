import Foundation
import HTTPServing
import History
import Records

/// A request that has passed the checks of its route.
struct WebRequest: Sendable {
    let http: HTTPRequest
    /// What the client may do; `nil` on routes that are open to everybody.
    let role: WebRole?
    /// Who has logged in with a code; `nil` on all routes but those of members.
    var member: MemberCode?
    /// The values in the place of `{id}` in the route's path.
    let parameters: [String: String]

    /// A value of the address's query.
    func query(_ name: String) -> String? {
        http.query.last { $0.name == name }.map(\.value).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The names in the address's query that have a value.
    var queryNames: [String] { http.query.filter { !$0.value.isEmpty }.map(\.name) }

    /// Decodes the body.
    ///
    /// - Throws: ``WebFailure`` when it is not what the route expects.
    func body<Body: Decodable>(_ type: Body.Type) throws -> Body {
        do {
            return try JSONDecoder().decode(type, from: http.body)
        } catch {
            throw WebFailure(.badRequest, "invalid_body", "The body is not the JSON that this address expects.")
        }
    }
}
