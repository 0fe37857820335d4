import Synchronization

/// Tells work that nobody waits for it any more.
package final class WorkStop: Sendable {
    private struct State {
        var isAsked = false
        /// Ends what the work waits for at the moment.
        var interrupt: (@Sendable () -> Void)?
    }
    private let state = Mutex(State())

    /// Nobody has asked yet.
    init() {}

    /// Whether the work is to stop.
    package var isAsked: Bool { state.withLock { $0.isAsked } }

    /// - Throws: `CancellationError` when the work is to stop.
    package func check() throws {
        if isAsked { throw CancellationError() }
    }

    /// Runs a part of the work that can be interrupted.
    ///
    /// - Parameter interrupt: ends that part from another thread. It may be called more than once.
    /// - Throws: `CancellationError` when the work is to stop, or the error of `body`.
    package func interrupting<Answer>(
        _ interrupt: @escaping @Sendable () -> Void, _ body: () throws -> Answer
    ) throws -> Answer {
        try check()
        state.withLock { $0.interrupt = interrupt }
        defer { state.withLock { $0.interrupt = nil } }
        return try body()
    }

    /// Asks the work to stop, and interrupts it.
    func ask() {
        state.withLock { state in
            state.isAsked = true
            // Within the lock: afterwards the part may be over, and what it used gone.
            state.interrupt?()
        }
    }
}
