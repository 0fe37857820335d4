import Synchronization

/// Cancels the opening of a source from another thread; the opening then throws `CancellationError`.
///
/// Use a new instance for every opening.
public final class Cancellation: Sendable {
    private let state = Mutex<(isCancelled: Bool, child: ChildProcess?)>((false, nil))

    /// Creates a cancellation that has not been requested.
    public init() {}

    /// Cancels the opening at once. Has no effect once the source is open.
    public func cancel() {
        let child = state.withLock { state in
            state.isCancelled = true
            return state.child
        }
        child?.kill()
    }

    /// Runs `wait`, which waits for `child`. Cancelling kills the child.
    ///
    /// - Throws: `CancellationError` when cancelled before or during the wait.
    package func whileWaiting<Answer>(for child: ChildProcess, _ wait: () throws -> Answer) throws -> Answer {
        try state.withLock { state in
            if state.isCancelled { throw CancellationError() }
            state.child = child
        }
        defer { state.withLock { $0.child = nil } }
        let answer = Result { try wait() }
        try check()
        return try answer.get()
    }

    /// - Throws: `CancellationError` when cancelled.
    func check() throws {
        if state.withLock({ $0.isCancelled }) { throw CancellationError() }
    }
}
