/// A request to a server outside of this program.
package struct HTTPRequest: Sendable, Equatable {
    /// A header line.
    package struct Header: Sendable, Equatable {
        /// Its name.
        package let name: String
        /// Its value, without line breaks.
        package let value: String

        /// A header of these values.
        package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    /// The method, such as `POST`.
    package let method: String
    /// The whole address.
    package let url: String
    /// The header lines.
    package let headers: [Header]
    /// The content; `nil` for none.
    package let body: String?

    /// A request of these values.
    package init(_ method: String, _ url: String, headers: [Header] = [], body: String? = nil) {
        (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    }
}

/// What a server answered.
package struct HTTPAnswer: Sendable, Equatable {
    /// The status, such as 200.
    package let status: Int
    /// The content, at most 64 kB of it.
    package let body: String

    /// Whether the server took the request.
    package var isSuccess: Bool { (200..<300).contains(status) }
    /// The status and the beginning of the content, in one line.
    package var words: String {
        let text = body.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return "HTTP \(status)" + (text.isEmpty ? "" : ": \(text.prefix(120))")
    }
}
