import NIOHTTP1

/// The name of a header. Capitals and small letters are the same.
package struct HTTPHeader: Hashable, Sendable, ExpressibleByStringLiteral {
    /// As it is sent.
    package let name: String

    /// Such as `X-Total-Count`.
    package init(_ name: String) { self.name = name }
    /// A name in the code.
    package init(stringLiteral name: String) { self.init(name) }

    package static func == (first: Self, second: Self) -> Bool { first.name.lowercased() == second.name.lowercased() }
    package func hash(into hasher: inout Hasher) { hasher.combine(name.lowercased()) }

    /// Whether and for how long a browser may keep the answer.
    package static let cacheControl: Self = "Cache-Control"
    /// The kind of the body.
    package static let contentType: Self = "Content-Type"
    /// What the browser was given by `Set-Cookie`.
    package static let cookie: Self = "Cookie"
    /// The name by which the client knows this server.
    package static let host: Self = "Host"
    /// Where to go instead.
    package static let location: Self = "Location"
    /// The page that asks.
    package static let origin: Self = "Origin"
    /// After how many seconds to ask again.
    package static let retryAfter: Self = "Retry-After"
    /// What the browser is to send with each request.
    package static let setCookie: Self = "Set-Cookie"
}

/// The headers of a message, each once.
package struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
    private var values: [HTTPHeader: String]

    package init(dictionaryLiteral elements: (HTTPHeader, String)...) {
        values = Dictionary(elements) { $1 }
    }

    /// The headers of a request. What was sent several times is one list.
    init(_ headers: NIOHTTP1.HTTPHeaders) {
        values = Dictionary(headers.map { (HTTPHeader($0.name), $0.value) }) { "\($0), \($1)" }
    }

    /// The value of a header; `nil` where there is none.
    package subscript(_ header: HTTPHeader) -> String? {
        get { values[header] }
        set { values[header] = newValue }
    }

    /// These, and others, which count where both have one.
    func merging(_ others: HTTPHeaders) -> HTTPHeaders {
        var all = self
        all.values.merge(others.values) { $1 }
        return all
    }

    /// The headers of a response, as they are sent.
    var sent: NIOHTTP1.HTTPHeaders {
        NIOHTTP1.HTTPHeaders(values.map { ($0.key.name, $0.value) }.sorted { $0.0 < $1.0 })
    }
}
