import NIOCore

/// Which connections a listener has, and which of them end so that others have room. It belongs to the listener's event loop.
///
/// Where there is no room for a newcomer, the idle connection that has waited longest makes room. So a client that only holds
/// connections keeps nobody out.
final class ConnectionTable {
    let loop: any EventLoop
    private var connections: [ObjectIdentifier: HTTPConnection] = [:]
    private let limit: Int
    private let patience: TimeAmount
    /// Answers that are under way at the end may take so long.
    private static let endSeconds = TimeAmount.seconds(1)
    private var isEmptied: EventLoopPromise<Void>?

    /// - Parameters:
    ///   - loop: where all of it runs.
    ///   - limit: the most connections at a time.
    ///   - patience: how long a client may keep the server waiting.
    init(loop: any EventLoop, limit: Int, patience: TimeAmount) {
        (self.loop, self.limit, self.patience) = (loop, limit, patience)
    }

    /// Lets a connection in, or refuses it: then its client is told so.
    func add(_ connection: HTTPConnection) {
        connections[ObjectIdentifier(connection)] = connection
        let open = connections.values.filter { !$0.isEnding }
        let same = open.filter { $0.client == connection.client }
        let isOfThisMachine = connection.client.isLoopback || connection.client.text.isEmpty
        if !isOfThisMachine, same.count > HTTPListener.maximumPerAddress {
            makeRoom(among: same, for: connection)
        } else if open.count > limit {
            makeRoom(among: open, for: connection)
        }
        // Those that were told to end still read it. They must not become many, either.
        let ending = connections.values.filter(\.isEnding).sorted { $0.since < $1.since }
        for old in ending.dropLast(limit) { old.close() }
    }

    /// Forgets a connection that is closed.
    func remove(_ connection: HTTPConnection) {
        connections[ObjectIdentifier(connection)] = nil
        guard connections.isEmpty else { return }
        isEmptied?.succeed()
        isEmptied = nil
    }

    /// Closes the connections whose clients have kept the server waiting for too long.
    func closeSlowOnes(now: NIODeadline = .now()) {
        for connection in connections.values where connection.waitsForClient && now - connection.since > patience {
            connection.close()
        }
    }

    /// Closes the connections that nobody uses: the process has no descriptor left.
    func closeIdleOnes() {
        let now = NIODeadline.now()
        for connection in connections.values where connection.isEnding || connection.isIdle(now: now) {
            connection.close()
        }
    }

    /// Closes all of them, those with an answer under way after it or after a moment.
    ///
    /// - Returns: done once all are closed.
    func end() -> EventLoopFuture<Void> {
        guard !connections.isEmpty else { return loop.makeSucceededVoidFuture() }
        let promise = loop.makePromise(of: Void.self)
        isEmptied = promise
        for connection in connections.values { connection.end() }
        loop.assumeIsolated().scheduleTask(in: Self.endSeconds) {
            for connection in self.connections.values { connection.close() }
        }
        return promise.futureResult
    }

    private func makeRoom(among connections: [HTTPConnection], for newcomer: HTTPConnection) {
        let idle = connections.filter { $0 !== newcomer && $0.isIdle(now: .now()) }
        let old = idle.min { $0.since < $1.since }
        (old ?? newcomer).refuse(.tooManyConnections(limit))
    }
}
