import Actions
import Foundation
import History
import Messaging
import Synchronization

/// The state of the storage and the open sessions that are on disk, as reported by the services that write.
final class StorageMonitor: Sendable {
    private struct State {
        var problem: Problem?
        var isLost = false
        var openSessions: Set<String> = []
    }

    private let state = Mutex(State())

    /// The current storage problem; `nil` while writing succeeds.
    var problem: Problem? { state.withLock { $0.problem } }

    /// Reports a failed write. A continuing problem keeps its start time.
    func report(_ error: any Error) {
        let code =
            if case .storage(let problem, _, _) = error as? HistoryError { problem } else { StorageProblem.failing }
        report(code, "\(error)")
    }

    /// The database was deleted, replaced or emptied. Only ending this run helps.
    func lose(_ message: String) {
        state.withLock { $0.isLost = true }
        report(.lost, message)
    }

    /// Whether this process has lost its database.
    var isLost: Bool { state.withLock { $0.isLost } }

    /// Reports a successful write.
    func resolve() { state.withLock { if !$0.isLost { $0.problem = nil } } }

    private func report(_ code: StorageProblem, _ message: String) {
        state.withLock { state in
            if state.isLost, code != .lost { return }
            let since = state.problem?.since ?? Date()
            state.problem = Problem(code: code.rawValue, since: since, message: message)
        }
    }

    /// Records which sessions a commit stored.
    func record(_ sessions: [Session]) {
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

    /// Whether a session is open and on disk; only then may its id be published.
    func isStored(_ session: String) -> Bool { state.withLock { $0.openSessions.contains(session) } }
}
