/// What is known of one connection.
struct ConnectionEntry {
    /// Tells a connection from a later one on the same descriptor.
    let peer: String
    /// Since when the server has waited for this client.
    var since = ContinuousClock.now
    /// The bytes received, and the bytes that the server had read of them, before the present request.
    var received: UInt64 = 0
    var read: UInt64 = 0
    var acknowledged: UInt64
    /// Answers under way; while there are any, the client need not send.
    var answers = 0
    /// Whether the body of the request is still being read.
    var isReading = false
    /// Whether it has ever sent a whole head.
    var hasAsked = false
    /// Whether it was told to end. The server closes it soon.
    var hasEnded = false
    /// Calls off the answer when the client leaves.
    var left: (@Sendable () -> Void)?

    /// A connection that is new.
    init(_ socket: ConnectedSocket) { (peer, acknowledged) = (socket.peer, socket.acknowledged) }

    /// Whether nothing is under way, and the server is to go on with it.
    var isIdle: Bool { answers == 0 && !hasEnded }
    var isBusy: Bool { answers > 0 && !hasEnded }

    mutating func begin(_ socket: ConnectedSocket) {
        (received, read, since) = (socket.received, socket.read, .now)
        answers += 1
        (isReading, hasAsked) = (true, true)
    }

    mutating func end(_ socket: ConnectedSocket) {
        (received, read, since) = (socket.received, socket.read, .now)
        answers = max(0, answers - 1)
        (isReading, left) = (false, nil)
    }

    /// The action for a client that leaves, which is done once.
    mutating func takeLeft() -> (@Sendable () -> Void)? {
        defer { left = nil }
        return left
    }
}
