import Actions
import Foundation
import History
import Messaging
import Synchronization

/// The state of the storage and the open sessions that are on disk, as reported by the services that write.
package final class StorageMonitor: Sendable {
    private struct State {
        var problem: Problem?
        var isLost = false
        var openSessions: Set<String> = []
    }

    private let state = Mutex(State())

    /// No problem and no open sessions.
    package init() {}

    /// The current storage problem; `nil` while writing succeeds.
    package var problem: Problem? { state.withLock { $0.problem } }

    /// Reports a failed write. A continuing problem keeps its start time.
    package func report(_ error: any Error, at now: Date = Date()) {
        let code =
            if case .storage(let problem, _, _) = error as? HistoryError { problem } else { StorageProblem.failing }
        report(code, Self.told(error), at: now)
    }

    /// What the log and `health` say of a failed write of the node.
    package static func told(_ error: any Error) -> String { "\(error); counts stay in memory meanwhile" }

    /// The database was deleted, replaced or emptied. Only ending this run helps.
    package func lose(_ message: String, at now: Date = Date()) {
        state.withLock { $0.isLost = true }
        report(.lost, message, at: now)
    }

    /// Whether this process has lost its database.
    package var isLost: Bool { state.withLock { $0.isLost } }

    /// Reports a successful write.
    ///
    /// - Returns: the problem that is over with it; `nil` when there was none.
    @discardableResult
    package func resolve() -> Problem? {
        state.withLock { state in
            guard !state.isLost, let past = state.problem else { return nil }
            state.problem = nil
            return past
        }
    }

    private func report(_ code: StorageProblem, _ message: String, at now: Date) {
        state.withLock { state in
            if state.isLost, code != .lost { return }
            let since = state.problem?.since ?? now
            state.problem = Problem(code: code.rawValue, since: since, message: message)
        }
    }

    /// Records which sessions a commit stored.
    package func record(_ sessions: [Session]) {
        state.withLock { state in
            for session in sessions {
                if session.endReason == nil {
                    state.openSessions.insert(session.id)
                } else {
                    state.openSessions.remove(session.id)
                }
            }
        }
    }

    /// The number of open sessions that are on disk.
    package var openSessions: Int { state.withLock { $0.openSessions.count } }

    /// Whether a session is open and on disk; only then may its id be published.
    package func isStored(_ session: String) -> Bool { state.withLock { $0.openSessions.contains(session) } }
}
