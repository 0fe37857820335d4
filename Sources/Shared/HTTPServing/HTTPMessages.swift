import Foundation
import NIOHTTP1

/// Such as `GET`.
package typealias HTTPMethod = NIOHTTP1.HTTPMethod
/// Such as `notFound`.
package typealias HTTPStatus = NIOHTTP1.HTTPResponseStatus

/// A request that has arrived with its whole body.
package struct HTTPRequest: Sendable {
    /// What is asked for.
    package var method: HTTPMethod
    /// The path as it was sent, without the query.
    package var path: String
    /// The names and values behind the question mark, decoded, in their order.
    package var query: [(name: String, value: String)]
    /// What was sent before the body.
    package var headers: HTTPHeaders
    /// The body; empty for none.
    package var body: Data
    /// Who asks; without an address at a Unix socket.
    package var client: ClientAddress

    /// A request with these parts.
    package init(
        method: HTTPMethod, path: String, query: [(name: String, value: String)] = [], headers: HTTPHeaders = [:],
        body: Data = Data(), client: ClientAddress = ClientAddress("")
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.client = client
    }

    /// A request for an address as it was sent, such as `/history?limit=5`. A proxy may send it with `http://` and the host.
    init(_ head: HTTPRequestHead, headers: HTTPHeaders, body: Data, client: ClientAddress) {
        var target = head.uri[...]
        for scheme in ["http://", "https://"] where target.lowercased().hasPrefix(scheme) {
            let rest = target.dropFirst(scheme.count)
            target = rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
        }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let pairs = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { pair in
            // Forms and most libraries write a blank as a plus.
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                let text = $0.replacing("+", with: " ")
                return text.removingPercentEncoding ?? String(text)
            }
            return (name: sides[0], value: sides.count > 1 ? sides[1] : "")
        }
        self.init(
            method: head.method, path: String(parts[0]), query: pairs, headers: headers, body: body, client: client)
    }
}

/// A response with its whole body.
package struct HTTPResponse: Sendable {
    /// Such as 200.
    package let status: HTTPStatus
    /// What is sent before the body, besides its length.
    package var headers: HTTPHeaders
    /// The body; empty for none.
    package let body: Data
    /// Told once whether the kernel has taken all of the body, or the client left before; `nil` where nobody has to know.
    package var whenSent: (@Sendable (_ isComplete: Bool) -> Void)?

    /// A response with these parts.
    package init(_ status: HTTPStatus, headers: HTTPHeaders = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// What a request is answered with.
package enum HTTPAnswer: Sendable {
    /// A whole response.
    case response(HTTPResponse)
    /// Events for as long as the client stays.
    case events(HTTPHeaders, EventSource)

    /// Ends what nobody will get.
    package func abandon() {
        if case .events(_, let source) = self { source.close() }
    }
}

/// Where the events of a stream come from.
package struct EventSource: Sendable {
    /// Waits for something to send; `nil` once the stream has ended.
    package let next: @Sendable () async -> [UInt8]?
    /// Ends the stream.
    let close: @Sendable () -> Void

    /// A source of these two actions.
    package init(next: @escaping @Sendable () async -> [UInt8]?, close: @escaping @Sendable () -> Void) {
        (self.next, self.close) = (next, close)
    }
}
