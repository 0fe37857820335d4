import Synchronization

/// Ends the opening of a source from another thread; the opening then throws `CancellationError`. For one opening only.
public final class Cancellation: Sendable {
    private let state = Mutex<(isCancelled: Bool, child: ChildProcess?)>((false, nil))

    /// One that nobody has asked for yet.
    public init() {}

    /// Ends the opening at once; afterwards does nothing.
    public func cancel() {
        let child = state.withLock { state in
            state.isCancelled = true
            return state.child
        }
        child?.kill()
    }

    /// Runs what waits for a child process, which is killed when this is cancelled.
    ///
    /// - Throws: `CancellationError` when this was cancelled before or meanwhile.
    func whileWaiting<Answer>(for child: ChildProcess, _ wait: () throws -> Answer) throws -> Answer {
        try state.withLock { state in
            if state.isCancelled { throw CancellationError() }
            state.child = child
        }
        defer { state.withLock { $0.child = nil } }
        let answer = Result { try wait() }
        try check()
        return try answer.get()
    }

    /// - Throws: `CancellationError` when this was cancelled.
    func check() throws {
        if state.withLock({ $0.isCancelled }) { throw CancellationError() }
    }
}
