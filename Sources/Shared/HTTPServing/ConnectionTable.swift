import Dispatch
import Synchronization

/// What the server knows of its connections: which of them wait for an answer, which are idle, and which waste its time.
///
/// FlyingFox reads a request's head without limits of size or time, and the work grows with the square of a line's
/// length. The kernel's own counters show connections that send too much or too slowly, so they are closed here.
///
/// A connection is idle while no answer is under way on it, or its client takes none. Where there is no room for a newcomer, the idle connection
/// that has waited longest makes room. So whoever only holds connections keeps nobody out.
package final class ConnectionTable: Sendable {
    /// The most connections of one address. Those of this machine may be a proxy's, and have no such limit.
    package static let maximumPerAddress = 8
    /// A request must be complete, and an idle connection is closed, after this time.
    package static let patience = Duration.seconds(10)
    /// The most bytes of a request without its body.
    static let maximumHeadBytes: UInt64 = 8 << 10
    /// What the server may have read of a body, or of the next request, when it has just read a head.
    private static let readAheadBytes: UInt64 = 4 << 10
    /// The time between two looks at all connections.
    private static let interval = DispatchTimeInterval.milliseconds(100)

    private let entries = Mutex<[Int32: ConnectionEntry]>([:])
    private let limit: Int
    private let refusal: String
    private let patience: Duration
    private let sockets: @Sendable () -> [ConnectedSocket]
    private let watched = Mutex<UInt16?>(nil)

    /// The server's own port; `nil` before it listens.
    var port: UInt16? { watched.withLock { $0 } }

    /// - Parameters:
    ///   - limit: the most connections at a time.
    ///   - refusal: the response to a connection too many, with its head.
    ///   - sockets: the connections of this process.
    package init(
        limit: Int, refusal: String, patience: Duration,
        sockets: @escaping @Sendable () -> [ConnectedSocket] = ConnectedSocket.all
    ) {
        (self.limit, self.refusal, self.patience, self.sockets) = (limit, refusal, patience, sockets)
    }

    // MARK: - What the server tells

    /// The head of a request has arrived. Its body may follow.
    ///
    /// - Returns: whether there is an answer for it. Several that ask at once may be more than the limits.
    package func begin(_ peer: String) -> Bool {
        entries.withLock { entries in
            let sockets = sockets()
            // A client that has gone needs no answer, and harms nobody.
            guard let socket = sockets.first(where: { $0.peer == peer }) else { return true }
            var entry = Self.entry(of: socket, in: entries)
            let others = sockets.filter {
                $0.port == socket.port && $0.peer != peer && Self.entry(of: $0, in: entries).isBusy
            }
            let same = others.count { $0.client == socket.client }
            let isLetIn = others.count < limit && (socket.client.isLoopback || same < Self.maximumPerAddress)
            if isLetIn { entry.begin(socket) } else { entry.refuse(socket) }
            entries[socket.descriptor] = entry
            return isLetIn
        }
    }

    /// The request is complete, and its answer begins or goes on as a stream.
    ///
    /// - Parameter left: called once when the client leaves before ``end(_:)``.
    package func answer(_ peer: String, left: @escaping @Sendable () -> Void) {
        let isThere = change(peer) { entry, _ in
            entry.isReading = false
            entry.left = left
        }
        if !isThere { left() }
    }

    /// An answer to this client has been sent, or abandoned.
    package func end(_ peer: String) { change(peer) { $0.end($1) } }

    /// - Returns: whether the client is still there.
    @discardableResult private func change(
        _ peer: String, _ body: (inout ConnectionEntry, ConnectedSocket) -> Void
    ) -> Bool {
        entries.withLock { entries in
            for (descriptor, entry) in entries where entry.peer == peer {
                guard let socket = ConnectedSocket(descriptor), socket.peer == peer else { continue }
                var entry = entry
                body(&entry, socket)
                entries[descriptor] = entry
                return true
            }
            return false
        }
    }

    /// Makes room for a connection that waits to be accepted.
    ///
    /// - Returns: whether there is room now.
    func makeRoom(port: UInt16) -> Bool {
        let (hasRoom, idle, text) = entries.withLock { entries -> (Bool, ConnectedSocket?, String) in
            let sockets = sockets().filter { $0.port == port }
            let open = sockets.filter { !Self.entry(of: $0, in: entries).hasEnded }
            guard open.count >= limit else { return (true, nil, "") }
            guard let idle = Self.idle(of: open, in: entries, .now).first else {
                return (false, nil, "")
            }
            var entry = Self.entry(of: idle, in: entries)
            entry.hasEnded = true
            entries[idle.descriptor] = entry
            return (true, idle, entry.hasAsked ? "" : refusal)
        }
        idle?.end(saying: text)
        return hasRoom
    }

    // MARK: - What the kernel tells

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

    /// Closes connections that overstep the limits, and calls off the answers of clients that have left.
    package func check(port: UInt16, now: ContinuousClock.Instant = .now) {
        let findings = entries.withLock { entries -> Findings in
            // Looked at within the lock: a request that begins meanwhile would else be forgotten again.
            let sockets = sockets().filter { $0.port == port }
            var findings = Findings()
            findings.left = Self.forget(allBut: sockets, in: &entries)
            for socket in sockets {
                var entry = Self.entry(of: socket, in: entries)
                if isOverstepping(socket, &entry, now) { findings.end(socket, &entry) }
                if entry.left != nil, socket.hasLeft { findings.left.append(entry.takeLeft()) }
                entries[socket.descriptor] = entry
            }
            for socket in surplus(of: sockets, in: entries, now) {
                guard var entry = entries[socket.descriptor] else { continue }
                findings.end(socket, &entry, saying: entry.hasAsked ? "" : refusal)
                entries[socket.descriptor] = entry
            }
            return findings
        }
        for left in findings.left { left?() }
        for (socket, text) in findings.ended { socket.end(saying: text) }
    }

    private struct Findings {
        var ended: [(socket: ConnectedSocket, text: String)] = []
        var left: [(@Sendable () -> Void)?] = []

        mutating func end(_ socket: ConnectedSocket, _ entry: inout ConnectionEntry, saying text: String = "") {
            entry.hasEnded = true
            ended.append((socket, text))
            left.append(entry.takeLeft())
        }
    }

    /// Forgets connections that are closed. A reset one is among them at once.
    private static func forget(
        allBut sockets: [ConnectedSocket], in entries: inout [Int32: ConnectionEntry]
    ) -> [(@Sendable () -> Void)?] {
        let open = Dictionary(sockets.map { ($0.descriptor, $0.peer) }) { $1 }
        let closed = entries.filter { open[$0.key] != $0.value.peer }
        for descriptor in closed.keys { entries[descriptor] = nil }
        return closed.values.map(\.left)
    }

    /// The idle connections that are too many: those of one address first.
    private func surplus(
        of sockets: [ConnectedSocket], in entries: [Int32: ConnectionEntry], _ now: ContinuousClock.Instant
    ) -> [ConnectedSocket] {
        let open = sockets.filter { entries[$0.descriptor]?.hasEnded == false }
        let idle = Self.idle(of: open, in: entries, now)
        var gone: [ConnectedSocket] = []
        for (client, own) in Dictionary(grouping: open, by: \.client) where !client.isLoopback {
            gone += idle.filter { $0.client == client }.prefix(max(0, own.count - Self.maximumPerAddress))
        }
        let rest = idle.filter { socket in !gone.contains { $0.descriptor == socket.descriptor } }
        return gone + rest.prefix(max(0, open.count - gone.count - limit))
    }

    /// The idle ones, and first those that have waited longest.
    private static func idle(
        of sockets: [ConnectedSocket], in entries: [Int32: ConnectionEntry], _ now: ContinuousClock.Instant
    ) -> [ConnectedSocket] {
        sockets.map { ($0, entry(of: $0, in: entries)) }.filter { $0.1.isIdle(now) }
            .sorted { $0.1.since < $1.1.since }.map(\.0)
    }

    /// What is known of a connection. One that is new is prepared.
    private static func entry(
        of socket: ConnectedSocket, in entries: [Int32: ConnectionEntry]
    ) -> ConnectionEntry {
        if let known = entries[socket.descriptor], known.peer == socket.peer { return known }
        socket.prepare()
        return ConnectionEntry(socket)
    }

    private func isOverstepping(
        _ socket: ConnectedSocket, _ entry: inout ConnectionEntry, _ now: ContinuousClock.Instant
    ) -> Bool {
        entry.update(socket, now)
        guard !entry.hasEnded else { return false }
        let received = socket.received - min(entry.received, socket.received)
        let read = socket.read - min(entry.read, socket.read)
        // What lies in the kernel may be a body; what was read before the request began is its head.
        let isHeadTooLong = entry.answers == 0 && read > Self.maximumHeadBytes + Self.readAheadBytes
        let longest = Self.maximumHeadBytes + UInt64(HTTPListener.maximumBodyBytes)
        return now - entry.since > patience || received > longest || isHeadTooLong
    }
}
