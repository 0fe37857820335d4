import FlyingFox
import FlyingSocks
import Foundation

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

/// Where a server listens.
package enum ListenPlace: Sendable {
    /// Programs of this machine and others.
    case address(ListenAddress)
    /// The file of a Unix socket. Only programs of its owner reach it, and those of root: the kernel sees to that.
    case file(String)
}

/// An HTTP server on FlyingFox, with limits of connections, time and size. A Unix socket has the limit of size alone,
/// because whoever reaches it may do everything.
///
/// The task of an answer is cancelled when its client leaves.
package struct HTTPListener: Sendable {
    /// The most bytes of a body.
    package static let maximumBodyBytes = 64 << 10
    /// Bodies up to this size are read before anybody looks at the request.
    private static let smallBodyBytes = 4 << 10

    let place: ListenPlace
    let limit: Int
    let patience: Duration
    let answer: @Sendable (HTTPRequest) async -> HTTPAnswer

    /// - Parameters:
    ///   - limit: the most connections at a time.
    ///   - patience: the time for a request, after which its connection is closed.
    ///   - answer: answers each request.
    package init(
        place: ListenPlace, limit: Int, patience: Duration = ConnectionTable.patience,
        answer: @escaping @Sendable (HTTPRequest) async -> HTTPAnswer
    ) {
        (self.place, self.limit, self.patience, self.answer) = (place, limit, patience, answer)
    }

    /// A server at an address.
    package init(
        address: ListenAddress, limit: Int, patience: Duration = ConnectionTable.patience,
        answer: @escaping @Sendable (HTTPRequest) async -> HTTPAnswer
    ) {
        self.init(place: .address(address), limit: limit, patience: patience, answer: answer)
    }

    /// The listener cannot start, or has ended.
    package struct Failure: Error {
        /// Why, in the system's words.
        package let reason: String
        /// The port, if it has listened before.
        let port: UInt16?

        /// A failure before it listened.
        package init(_ reason: String) { self.init(reason, port: nil) }

        init(_ reason: String, port: UInt16?) { (self.reason, self.port) = (reason, port) }
    }

    /// Listens until the task is cancelled.
    ///
    /// - Parameters:
    ///   - listening: called with the port once connections are accepted; 0 for a file.
    ///   - interrupted: called with the reason when no connections are accepted any more; they soon are again.
    /// - Throws: ``Failure`` when the address is not available.
    package func run(
        listening: @escaping @Sendable (UInt16) async -> Void, interrupted: (_ reason: String) -> Void
    ) async throws {
        var (place, hasListened) = (self.place, false)
        while true {
            do {
                return try await serve(at: place, listening)
            } catch let failure as Failure where hasListened || failure.port != nil {
                // The node was short of descriptors or of memory, for example.
                interrupted(failure.reason)
                hasListened = true
                // The configuration may have let the system choose the port.
                if case .address(let address) = place, let port = failure.port {
                    place = ListenAddress("[\(address.host)]:\(port)").map(ListenPlace.address) ?? place
                }
                try await Task.sleep(for: .seconds(2))
            }
        }
    }

    private func serve(
        at place: ListenPlace, _ listening: @escaping @Sendable (UInt16) async -> Void
    ) async throws {
        let refusal = Self.tooManyConnections(limit)
        let connections = ConnectionTable(limit: limit, refusal: refusal.text, patience: patience)
        let pool = LimitedSocketPool(
            base: HTTPServer.defaultPool(), connections: connections, limit: limit, refusal: refusal.text)
        let server = HTTPServer(
            config: HTTPServer.Configuration(
                address: try place.socketAddress(), timeout: 120,
                sharedRequestBufferSize: Self.smallBodyBytes,
                sharedRequestReplaySize: Self.maximumBodyBytes, pool: pool, logger: .disabled),
            handler: ClosureHTTPHandler { await respond(to: $0, place.isFile ? nil : connections) })
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await server.run() }
                group.addTask {
                    try await server.waitUntilListening(timeout: 60)
                    guard let address = await server.listeningAddress else { throw SocketError.disconnected }
                    let watch = address.port.map(connections.watch)
                    defer { watch?.cancel() }
                    if case .file(let path) = place { chmod(path, S_IRUSR | S_IWUSR) }
                    await listening(address.port ?? 0)
                    // The timer and the server do the rest.
                    while true { try await Task.sleep(for: .seconds(3600)) }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch let error where !(error is CancellationError) {
            // The server also fails when it is stopped.
            try Task.checkCancellation()
            throw Failure(Self.reason(error), port: connections.port)
        }
    }

    /// - Parameter connections: whose limits hold; `nil` for a Unix socket, whose clients the kernel does not tell apart.
    private func respond(to request: HTTPRequest, _ connections: ConnectionTable?) async -> HTTPResponse {
        let peer = request.peer
        guard connections?.begin(peer) ?? true else { return last(Self.tooManyConnections(limit), request) }
        guard let length = request.bodySequence.count, length <= Self.maximumBodyBytes else {
            connections?.end(peer)
            return last(request.bodySequence.count == nil ? .noLength : .tooLarge, request)
        }
        var whole = request
        do {
            whole.setBodyData(try await request.bodyData)
        } catch {
            // The client has gone, or was sent away.
            connections?.end(peer)
            return last(.noBody, request)
        }
        switch await answer(to: whole, peer, connections) {
        case .response(let response):
            connections?.end(peer)
            return request.method == .HEAD ? response.withoutBody : response
        case .events(let headers, let source):
            // Otherwise only the next event would find out that the client has gone.
            connections?.answer(peer, left: source.close)
            let stream = EventStream(source: source) { connections?.end(peer) }
            return HTTPResponse(statusCode: .ok, headers: headers, body: HTTPBodySequence(from: stream))
        }
    }

    /// The answer, unless the client leaves before.
    private func answer(
        to request: HTTPRequest, _ peer: String, _ connections: ConnectionTable?
    ) async -> HTTPAnswer {
        let task = Task { await answer(request) }
        connections?.answer(peer, left: task.cancel)
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// A refusal after which the connection ends.
    private func last(_ failure: WebFailure, _ request: HTTPRequest) -> HTTPResponse {
        var response = failure.response
        let body = LastBody(bytes: Array(failure.json.utf8), rest: request.bodySequence)
        response.headers[.connection] = "close"
        response.payload = .httpBody(HTTPBodySequence(from: body, count: body.bytes.count))
        return response
    }

    private static func tooManyConnections(_ limit: Int) -> WebFailure {
        WebFailure(
            HTTPStatusCode(503, phrase: "Service Unavailable"), "too_many_connections",
            "\(limit) connections are open, and no more are possible: close another page of this node and try again.",
            headers: [HTTPHeader("Retry-After"): "5", .connection: "close"])
    }

    private static func reason(_ error: any Error) -> String {
        if case SocketError.failed(_, _, let message) = error { return message }
        return "\(error)"
    }
}

extension HTTPResponse {
    /// What is answered to HEAD: the length of a body, and no body.
    fileprivate var withoutBody: HTTPResponse {
        guard case .httpBody(let body) = payload else { return self }
        var response = self
        response.headers[.contentLength] = body.count.map { String($0) }
        response.payload = .httpBody(HTTPBodySequence())
        return response
    }
}

extension HTTPRequest {
    /// The client's address.
    package var client: ClientAddress { ClientAddress(peer: peer) }

    /// The client's address and port, as ``ConnectedSocket/peer`` has it.
    var peer: String {
        switch remoteAddress {
        case .ip4(let host, let port), .ip6(let host, let port): "\(host):\(port)"
        default: ""
        }
    }
}

extension ListenPlace {
    fileprivate var isFile: Bool { if case .file = self { true } else { false } }

    /// Removes the file that a server which crashed has left. Call it only where no other server can listen there.
    ///
    /// - Throws: `SocketError` when the address cannot be parsed.
    fileprivate func socketAddress() throws -> any SocketAddress {
        switch self {
        case .address(let address): return try address.socketAddress()
        case .file(let path):
            unlink(path)
            return sockaddr_un.unix(path: path)
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
