import Diagnostics
import HTTPServing
import Synchronization

/// Checks the node like `spotter doctor`. There is one check at a time, and everybody who asks meanwhile gets its result:
/// each loads the model and measures the networks.
package final class NodeCheck: Sendable {
    /// Some checks wait for the network.
    private static let limit = Duration.seconds(90)

    private struct State {
        /// Tells the check that is going on from earlier ones, which may still be ending.
        var round = 0
        var task: Task<Void, Never>?
        /// Those who wait for it.
        var askers: [Int: Promise<[DiagnosticResult]>] = [:]
        var count = 0
    }
    private let state = Mutex(State())
    private let pool: WorkPool
    private let check: @Sendable (WorkStop) throws -> [DiagnosticResult]

    /// - Parameter configurationPath: the configuration file; `nil` for none.
    package convenience init(configurationPath: String?, pool: WorkPool) {
        self.init(pool: pool) { stop in
            try Doctor(path: configurationPath).findings { _ in try stop.check() }
        }
    }

    /// - Parameter check: makes the findings.
    package init(pool: WorkPool, check: @escaping @Sendable (WorkStop) throws -> [DiagnosticResult]) {
        (self.pool, self.check) = (pool, check)
    }

    /// The findings of the check that is going on, or of a new one. It ends when everybody who has asked is gone.
    ///
    /// - Throws: ``WebFailure`` when the node is too busy, or `CancellationError`.
    package func findings() async throws -> [DiagnosticResult] {
        let promise = Promise<[DiagnosticResult]>()
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                promise.wait(continuation)
                join(number, promise)
                // It may have been cancelled before it joined.
                if Task.isCancelled { leave(number) }
            }
        } onCancel: {
            leave(number)
        }
    }

    private func join(_ number: Int, _ promise: Promise<[DiagnosticResult]>) {
        state.withLock { state in
            state.askers[number] = promise
            guard state.task == nil else { return }
            state.round += 1
            state.task = Task { [round = state.round] in
                let result: Result<[DiagnosticResult], any Error>
                do { result = .success(try await pool.ask(.long, limit: Self.limit, check)) } catch {
                    result = .failure(error)
                }
                finish(round, result)
            }
        }
    }

    private func leave(_ number: Int) {
        let promise = state.withLock { state in
            let promise = state.askers.removeValue(forKey: number)
            if promise != nil, state.askers.isEmpty {
                state.task?.cancel()
                state.task = nil
            }
            return promise
        }
        promise?.fulfil(.failure(CancellationError()))
    }

    private func finish(_ round: Int, _ result: Result<[DiagnosticResult], any Error>) {
        let askers = state.withLock { state -> [Int: Promise<[DiagnosticResult]>] in
            guard state.task != nil, state.round == round else { return [:] }
            defer { (state.askers, state.task) = ([:], nil) }
            return state.askers
        }
        for promise in askers.values { promise.fulfil(result) }
    }
}
