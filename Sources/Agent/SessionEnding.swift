import Actions
import Foundation
import Messaging
import Synchronization

/// Carries the wish to end a camera's sessions to its worker, and the answer back once the sessions are on disk.
final class SessionEnding: Sendable {
    /// A worker that has not looked for so long gets no frames.
    private static let patience = Duration.seconds(15)

    private struct Wish {
        let camera: String
        let since = ContinuousClock.now
        /// The sessions that were ended; `nil` until the worker has looked.
        var ended: [String]?
        let done: @Sendable (CommandOutcome) -> Void
    }

    private let state = Mutex<(working: Set<String>, wishes: [Wish])>(([], []))

    func workerBegins(_ camera: String) { state.withLock { _ = $0.working.insert(camera) } }

    /// The worker ends, and with it all its sessions.
    func workerEnds(_ camera: String, _ sessions: [SessionEvent]) {
        fulfil(camera, sessions)
        state.withLock { _ = $0.working.remove(camera) }
    }

    /// Whether a camera is being watched now.
    func isWorking(_ camera: String) -> Bool { state.withLock { $0.working.contains(camera) } }

    /// Whether the worker of a camera is to end its sessions now.
    func isWanted(_ camera: String) -> Bool {
        state.withLock { $0.wishes.contains { $0.camera == camera && $0.ended == nil } }
    }

    func fulfil(_ camera: String, _ sessions: [SessionEvent]) {
        state.withLock { state in
            for place in state.wishes.indices
            where state.wishes[place].camera == camera && state.wishes[place].ended == nil {
                state.wishes[place].ended = sessions.map(\.session.id)
            }
        }
    }

    /// - Parameter done: called when the sessions are on disk; at once when the camera is not being watched.
    func wish(_ camera: String, done: @escaping @Sendable (CommandOutcome) -> Void) {
        let isWorking = state.withLock { state in
            guard state.working.contains(camera) else { return false }
            state.wishes.append(Wish(camera: camera, done: done))
            return true
        }
        if !isWorking { done(.success(Self.answer(camera, []))) }
    }

    /// To be called after each look at the disk.
    ///
    /// - Parameter hasPending: whether something is not on disk yet.
    func answer(hasPending: Bool) {
        let now = ContinuousClock.now
        let over = state.withLock { state in
            let over = state.wishes.filter { wish in
                wish.ended != nil ? !hasPending : now - wish.since > Self.patience
            }
            state.wishes.removeAll { wish in wish.ended != nil ? !hasPending : now - wish.since > Self.patience }
            return over
        }
        for wish in over {
            if let ended = wish.ended {
                wish.done(.success(Self.answer(wish.camera, ended)))
            } else {
                let text = "\(wish.camera) has delivered no frame for 15 s"
                wish.done(.failure(CommandError(.failed, text, retryable: true)))
            }
        }
    }

    private static func answer(_ camera: String, _ sessions: [String]) -> JSONValue {
        ["camera": .text(camera), "sessions": .list(sessions.map { .text($0) })]
    }
}
