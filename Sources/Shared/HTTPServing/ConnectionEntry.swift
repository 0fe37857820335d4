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
    /// What had been acknowledged when the last answer was ready; `nil` once that one has arrived.
    private var arriving: UInt64?
    /// Whether it has ever sent a whole head.
    var hasAsked = false
    /// Whether it was told to end. The server closes it soon.
    var hasEnded = false
    /// Calls off the answer when the client leaves.
    var left: (@Sendable () -> Void)?

    /// A connection that is new.
    init(_ socket: ConnectedSocket) { (peer, acknowledged) = (socket.peer, socket.acknowledged) }

    /// How long a client may take nothing of its answer before it counts as idle.
    private static let pause = Duration.seconds(2)

    /// Whether an answer is being made.
    var isBusy: Bool { answers > 0 && !hasEnded }

    /// Whether nothing is under way. An answer is, until the client has it; but not for one who does not take it.
    func isIdle(_ now: ContinuousClock.Instant) -> Bool {
        answers == 0 && !hasEnded && (arriving == nil || now - since > Self.pause)
    }

    /// Takes over what the kernel says of the connection now.
    mutating func update(_ socket: ConnectedSocket, _ now: ContinuousClock.Instant) {
        // A client that takes what it is sent is not slow, however long the answer is.
        let isWaited = answers > 0 && !isReading && socket.unsent == 0
        if socket.acknowledged != acknowledged || isWaited { since = now }
        acknowledged = socket.acknowledged
        if let before = arriving, socket.acknowledged > before, socket.unsent == 0 { arriving = nil }
    }

    /// It gets an answer without having been let in.
    mutating func refuse(_ socket: ConnectedSocket) { (hasAsked, arriving, since) = (true, socket.acknowledged, .now) }

    mutating func begin(_ socket: ConnectedSocket) {
        (received, read, since) = (socket.received, socket.read, .now)
        answers += 1
        (isReading, hasAsked) = (true, true)
    }

    mutating func end(_ socket: ConnectedSocket) {
        (received, read, since) = (socket.received, socket.read, .now)
        answers = max(0, answers - 1)
        arriving = socket.acknowledged
        (isReading, left) = (false, nil)
    }

    /// The action for a client that leaves, which is done once.
    mutating func takeLeft() -> (@Sendable () -> Void)? {
        defer { left = nil }
        return left
    }
}
