import FlyingFox
import FlyingSocks
import Foundation

/// What a request is answered with.
enum HTTPAnswer: Sendable {
    case response(HTTPResponse)
    /// Events for as long as the client stays.
    case events(HTTPHeaders, Viewer)
}

/// An HTTP server on FlyingFox, with limits of connections, time and size.
struct HTTPListener: Sendable {
    let address: ListenAddress
    let limit: Int
    let answer: @Sendable (HTTPRequest) async -> HTTPAnswer

    /// The listener cannot start.
    struct Failure: Error {
        let reason: String
    }

    /// Listens until the task is cancelled.
    ///
    /// - Parameter listening: called with the port once connections are accepted.
    /// - Throws: ``Failure`` when the address is not available.
    func run(listening: @escaping @Sendable (UInt16) async -> Void) async throws {
        let connections = ConnectionTable()
        let pool = LimitedSocketPool(base: HTTPServer.defaultPool(), limit: limit, refusal: Self.refusal(limit))
        let server = HTTPServer(
            config: HTTPServer.Configuration(
                address: try address.socketAddress(), timeout: 30, pool: pool, logger: .disabled),
            handler: ClosureHTTPHandler { await respond(to: $0, connections) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await server.run()
                } catch let error where !(error is CancellationError) {
                    throw Failure(reason: Self.reason(error))
                }
            }
            group.addTask {
                try await server.waitUntilListening()
                guard let port = await server.listeningAddress?.port else { return }
                await listening(port)
                while true {
                    try await Task.sleep(for: .milliseconds(250))
                    connections.check(port: port)
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func respond(to request: HTTPRequest, _ connections: ConnectionTable) async -> HTTPResponse {
        let peer = request.peer
        connections.begin(peer)
        switch await answer(request) {
        case .response(let response):
            connections.end(peer)
            return response
        case .events(let headers, let viewer):
            let stream = EventStream(viewer: viewer) { connections.end(peer) }
            return HTTPResponse(statusCode: .ok, headers: headers, body: HTTPBodySequence(from: stream))
        }
    }

    private static func refusal(_ limit: Int) -> String {
        let body =
            #"{"error":{"code":"too_many_connections","message":"\#(limit) connections are open, and no more are "#
            + #"possible: close another page of this node and try again."}}"#
        return "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)"
            + "\r\nRetry-After: 5\r\nConnection: close\r\n\r\n" + body
    }

    private static func reason(_ error: any Error) -> String {
        if case SocketError.failed(_, _, let message) = error { return message }
        return "\(error)"
    }
}

extension HTTPRequest {
    /// The client's address and port, as ``ConnectedSocket/peer`` has it.
    var peer: String {
        switch remoteAddress {
        case .ip4(let host, let port), .ip6(let host, let port): "\(host):\(port)"
        default: ""
        }
    }
}

extension Socket.Address {
    /// The port; `nil` for other sockets.
    var port: UInt16? {
        switch self {
        case .ip4(_, let port), .ip6(_, let port): port
        case .unix: nil
        }
    }
}
