import Actions
import Foundation
import Messaging
import Synchronization

/// Takes the command `session_end` to a camera's pipeline, and its answer back once the ended sessions are on disk.
package final class SessionEndRequests: Sendable {
    /// A camera that delivered nothing for this long does not look at requests.
    private static let framePatience = Duration.seconds(15)
    /// A commit that takes longer than this is reported as a failure; the sessions are stored later all the same.
    private static let commitPatience = Duration.seconds(30)

    private struct Request {
        let camera: String
        let since: ContinuousClock.Instant
        let done: @Sendable (CommandOutcome) -> Void
        /// What the pipeline ended, and the number of the batch that stores it; `nil` until the pipeline has looked.
        var ended: (sessions: [String], batch: Int64, at: ContinuousClock.Instant)?
    }

    private let state = Mutex<(watched: Set<String>, requests: [Request])>(([], []))

    package init() {}

    /// A pipeline begins to look at a camera.
    package func begin(_ camera: String) { state.withLock { _ = $0.watched.insert(camera) } }

    /// The pipeline of a camera has ended, and with it all its sessions.
    package func end(_ camera: String) { state.withLock { _ = $0.watched.remove(camera) } }

    /// Whether a pipeline looks at this camera now.
    package func isWatched(_ camera: String) -> Bool { state.withLock { $0.watched.contains(camera) } }

    /// Whether the pipeline of a camera is to end its sessions before the next frame.
    package func isRequested(_ camera: String) -> Bool {
        state.withLock { $0.requests.contains { $0.camera == camera && $0.ended == nil } }
    }

    /// The pipeline of a camera has ended its sessions.
    ///
    /// - Parameter batch: the number of the batch that stores them; 0 where there were none.
    package func ended(_ camera: String, sessions: [String], batch: Int64, now: ContinuousClock.Instant) {
        state.withLock { state in
            for place in state.requests.indices
            where state.requests[place].camera == camera && state.requests[place].ended == nil {
                state.requests[place].ended = (sessions, batch, now)
            }
        }
    }

    /// - Parameter done: called when the sessions are on disk; at once when nobody looks at the camera.
    package func request(
        _ camera: String, now: ContinuousClock.Instant = .now, done: @escaping @Sendable (CommandOutcome) -> Void
    ) {
        let isWatched = state.withLock { state in
            guard state.watched.contains(camera) else { return false }
            state.requests.append(Request(camera: camera, since: now, done: done))
            return true
        }
        if !isWatched { done(.success(Self.answer(camera, []))) }
    }

    /// Answers what is on disk, and what takes too long. To be called after each look at the disk.
    ///
    /// - Parameter committed: the number of the newest batch on disk.
    package func answer(committed: Int64, now: ContinuousClock.Instant) {
        let due = state.withLock { state in
            let due = state.requests.compactMap { request in
                Self.outcome(of: request, committed: committed, now: now).map { (request.done, $0) }
            }
            state.requests.removeAll { Self.outcome(of: $0, committed: committed, now: now) != nil }
            return due
        }
        for (done, outcome) in due { done(outcome) }
    }

    private static func outcome(
        of request: Request, committed: Int64, now: ContinuousClock.Instant
    ) -> CommandOutcome? {
        guard let (sessions, batch, at) = request.ended else {
            guard now - request.since > framePatience else { return nil }
            let text = "\(request.camera) has delivered no frame for 15 s; look at its status and send it again"
            return .failure(CommandError(.failed, text, retryable: true))
        }
        if batch <= committed { return .success(answer(request.camera, sessions)) }
        guard now - at > commitPatience else { return nil }
        let text = "the sessions have ended but are not on disk after 30 s; look at the node's health"
        return .failure(CommandError(.failed, text, retryable: true))
    }

    private static func answer(_ camera: String, _ sessions: [String]) -> JSONValue {
        ["camera": .text(camera), "sessions": .list(sessions.map { .text($0) })]
    }
}
