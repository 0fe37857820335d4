import Dispatch
import Synchronization

/// What the server knows of its connections: which of them wait for an answer, and which waste its time.
///
/// FlyingFox reads a request's head without limits of size or time, and the work grows with the square of a line's
/// length. The kernel's own counters show connections that send too much or too slowly, so they are closed here.
package final class ConnectionTable: Sendable {
    /// The most connections at a time.
    static let maximumConnections = 32
    /// A request must be complete, and an idle connection is closed, after this time.
    package static let patience = Duration.seconds(10)
    /// The most bytes of a request with its body.
    static let maximumRequestBytes: UInt64 = 8 << 10
    /// The time between two looks at all connections.
    private static let interval = DispatchTimeInterval.milliseconds(100)

    fileprivate struct Entry {
        /// Tells a connection from a later one on the same descriptor.
        var peer: String
        /// Since when the server has waited for this client.
        var since: ContinuousClock.Instant
        /// The bytes received before the present request.
        var received: UInt64
        var acknowledged: UInt64
        /// Answers under way; while there are any, the client need not send.
        var answers = 0
    }
    private let entries = Mutex<[Int32: Entry]>([:])
    private let limit: Int
    private let refusal: String
    private let patience: Duration
    private let watched = Mutex<UInt16?>(nil)

    /// The server's own port; `nil` before it listens.
    var port: UInt16? { watched.withLock { $0 } }

    /// - Parameters:
    ///   - limit: the most connections, such as ``maximumConnections``.
    ///   - refusal: the response to a connection too many, with its head.
    init(limit: Int, refusal: String, patience: Duration) {
        (self.limit, self.refusal, self.patience) = (limit, refusal, patience)
    }

    /// A request of this client has arrived, and its answer begins.
    ///
    /// - Returns: whether there is an answer for it. Several that connect at once may be more than the limit.
    func begin(_ peer: String) -> Bool {
        let sockets = ConnectedSocket.all()
        // A client that has gone needs no answer, and harms nobody.
        guard let socket = sockets.first(where: { $0.peer == peer }) else { return true }
        return entries.withLock { entries in
            var entry = Self.entry(of: socket, in: entries)
            if entries[socket.descriptor]?.peer != peer {
                let others = sockets.count { $0.port == socket.port && entries[$0.descriptor]?.peer == $0.peer }
                guard others < limit else { return false }
            }
            entry.received = socket.received
            entry.answers += 1
            entries[socket.descriptor] = entry
            return true
        }
    }

    /// An answer to this client has been sent, or abandoned.
    func end(_ peer: String) {
        let sockets = ConnectedSocket.all().filter { $0.peer == peer }
        entries.withLock { entries in
            for socket in sockets {
                guard var entry = entries[socket.descriptor], entry.peer == peer else { continue }
                entry.received = socket.received
                entry.answers = max(0, entry.answers - 1)
                entry.since = .now
                entries[socket.descriptor] = entry
            }
        }
    }

    /// Checks the connections until the timer is cancelled, on a thread of its own: clients that send long lines could
    /// occupy all threads that tasks share.
    ///
    /// - Parameter port: the server's own port.
    func watch(port: UInt16) -> any DispatchSourceTimer {
        watched.withLock { $0 = port }
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "connections"))
        timer.schedule(deadline: .now(), repeating: Self.interval, leeway: .milliseconds(20))
        timer.setEventHandler { self.check(port: port) }
        timer.activate()
        return timer
    }

    /// Closes connections that overstep the limits.
    private func check(port: UInt16) {
        let sockets = ConnectedSocket.all().filter { $0.port == port }
        let (overstepping, tooMany) = entries.withLock { entries in
            let open = Set(sockets.map(\.descriptor))
            entries = entries.filter { open.contains($0.key) }
            let new = sockets.filter { entries[$0.descriptor]?.peer != $0.peer }
            let tooMany = new.suffix(max(0, sockets.count - limit))
            return (sockets.filter { isOverstepping($0, &entries, .now) }, tooMany)
        }
        for socket in overstepping { socket.end() }
        for socket in tooMany { socket.end(saying: refusal) }
    }

    /// What is known of a connection. One that is new is prepared.
    private static func entry(of socket: ConnectedSocket, in entries: [Int32: Entry]) -> Entry {
        if let known = entries[socket.descriptor], known.peer == socket.peer { return known }
        socket.prepare()
        return Entry(socket)
    }

    private func isOverstepping(
        _ socket: ConnectedSocket, _ entries: inout [Int32: Entry], _ now: ContinuousClock.Instant
    ) -> Bool {
        var entry = Self.entry(of: socket, in: entries)
        // A client that takes what it is sent is not slow, however long the answer is.
        if socket.acknowledged != entry.acknowledged || (entry.answers > 0 && socket.unsent == 0) { entry.since = now }
        entry.acknowledged = socket.acknowledged
        entries[socket.descriptor] = entry
        return now - entry.since > patience
            || socket.received - min(entry.received, socket.received) > Self.maximumRequestBytes
    }
}

extension ConnectionTable.Entry {
    fileprivate init(_ socket: ConnectedSocket) {
        self.init(peer: socket.peer, since: .now, received: 0, acknowledged: socket.acknowledged)
    }
}
