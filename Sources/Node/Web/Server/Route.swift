import HTTPServing

/// One address of the server. Every route says who may use it; what no route names is refused.
package struct Route: Sendable {
    /// Who may use a route.
    package enum Access: Sendable, Equatable {
        /// Everybody, as for the log-in page.
        case open
        /// A member who has logged in with a code. They see what is theirs, and have no role.
        case member
        /// Everybody who has logged in with this role or a higher one.
        case role(WebRole)
    }

    /// The only method.
    package let method: HTTPMethod
    /// Such as `/api/v1/sessions/{id}`; a part in braces stands for one path component of `a-z A-Z 0-9 _ . -`.
    package let path: String
    /// Who may use it.
    package let access: Access
    let answer: @Sendable (WebRequest) async throws -> HTTPAnswer

    /// A route with one response.
    init(
        _ method: HTTPMethod, _ path: String, _ access: Access,
        answer: @escaping @Sendable (WebRequest) async throws -> HTTPResponse
    ) {
        self.init(method, path, access, stream: { .response(try await answer($0)) })
    }

    /// A route whose answer may be a stream.
    init(
        _ method: HTTPMethod, _ path: String, _ access: Access,
        stream: @escaping @Sendable (WebRequest) async throws -> HTTPAnswer
    ) {
        self.method = method
        self.path = path
        self.access = access
        answer = stream
    }

    /// The values of the parts in braces; `nil` when the path is another one.
    package func parameters(of path: String) -> [String: String]? {
        let pattern = self.path.split(separator: "/", omittingEmptySubsequences: false)
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard pattern.count == parts.count else { return nil }
        var parameters: [String: String] = [:]
        for (name, part) in zip(pattern, parts) {
            if name.hasPrefix("{") {
                guard part.wholeMatch(of: /[A-Za-z0-9_.-]{1,64}/) != nil else { return nil }
                parameters[String(name.dropFirst().dropLast())] = String(part)
            } else if name != part {
                return nil
            }
        }
        return parameters
    }
}
