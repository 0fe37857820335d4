import Actions
import Foundation
import History
import Messaging
import Synchronization

/// How the disk is doing, and which open sessions are on it: written by the services that use the disk.
final class StorageMonitor: Sendable {
    private struct State {
        var problem: Problem?
        var isLost = false
        var openSessions: Set<String> = []
    }

    private let state = Mutex(State())

    /// What is wrong with the disk; `nil` while it takes what it is given.
    var problem: Problem? { state.withLock { $0.problem } }

    /// A write failed. The problem keeps the time it began.
    func report(_ error: any Error) {
        let code =
            if case .storage(let problem, _, _) = error as? HistoryError { problem } else { StorageProblem.failing }
        report(code, "\(error)")
    }

    /// The database was deleted, replaced or emptied; only the end of this run helps.
    func lose(_ message: String) {
        state.withLock { $0.isLost = true }
        report(.lost, message)
    }

    /// Whether the database is lost to this process.
    var isLost: Bool { state.withLock { $0.isLost } }

    /// The disk took what it was given.
    func resolve() { state.withLock { if !$0.isLost { $0.problem = nil } } }

    private func report(_ code: StorageProblem, _ message: String) {
        state.withLock { state in
            if state.isLost, code != .lost { return }
            let since = state.problem?.since ?? Date()
            state.problem = Problem(code: code.rawValue, since: since, message: message)
        }
    }

    /// Notes which sessions a commit stored.
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

    /// Whether a session is on disk and goes on: only then may others hear of it.
    func isStored(_ session: String) -> Bool { state.withLock { $0.openSessions.contains(session) } }
}
