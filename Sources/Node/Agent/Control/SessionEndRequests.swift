import Actions
import Foundation
import Messaging
import Records
import Synchronization

/// Passes the command `session_end` to a camera's pipeline, and answers it once the ended sessions are on disk.
package final class SessionEndRequests: Sendable {
    /// Time to wait for the pipeline, which checks for requests only when a frame arrives.
    private static let frameTimeout = Duration.seconds(15)
    /// Time to wait for the commit. A later commit still stores the sessions, but the command is answered with a
    /// failure.
    private static let commitTimeout = Duration.seconds(30)

    private struct Request {
        let camera: String
        let since: ContinuousClock.Instant
        let done: @Sendable (CommandOutcome) -> Void
        /// The sessions that the pipeline ended and the batch that stores them; `nil` until the pipeline has handled
        /// the request.
        var ended: (sessions: [String], batch: Int64, at: ContinuousClock.Instant)?
    }

    private struct State {
        var supervised: Set<String> = []
        var watched: Set<String> = []
        var requests: [Request] = []
    }

    private let state = Mutex(State())

    /// No cameras and no requests.
    package init() {}

    /// A camera is opened, and opened again whenever it is switched on.
    package func supervise(_ camera: String) { state.withLock { _ = $0.supervised.insert(camera) } }

    /// A camera is not opened again: its recording has ended, or it was given up.
    package func giveUp(_ camera: String) { state.withLock { _ = $0.supervised.remove(camera) } }

    /// Whether a camera is opened when it is switched on.
    package func isSupervised(_ camera: String) -> Bool { state.withLock { $0.supervised.contains(camera) } }

    /// A camera's pipeline has started.
    package func begin(_ camera: String) { state.withLock { _ = $0.watched.insert(camera) } }

    /// A camera's pipeline has ended, and all its sessions with it.
    package func end(_ camera: String) { state.withLock { _ = $0.watched.remove(camera) } }

    /// Whether a pipeline is running for this camera.
    package func isPipelineRunning(_ camera: String) -> Bool { state.withLock { $0.watched.contains(camera) } }

    /// Whether a camera's pipeline must end its sessions before the next frame.
    package func isRequested(_ camera: String) -> Bool {
        state.withLock { $0.requests.contains { $0.camera == camera && $0.ended == nil } }
    }

    /// A camera's pipeline has ended its sessions.
    ///
    /// - Parameter batch: the number of the batch that stores them; 0 when there were none.
    package func ended(_ camera: String, sessions: [String], batch: Int64, now: ContinuousClock.Instant) {
        state.withLock { state in
            for place in state.requests.indices
            where state.requests[place].camera == camera && state.requests[place].ended == nil {
                state.requests[place].ended = (sessions, batch, now)
            }
        }
    }

    /// Asks a camera's pipeline to end its sessions.
    ///
    /// - Parameter done: called when the sessions are on disk; called at once when no pipeline is running for the
    ///   camera.
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

    /// Answers the requests whose sessions are on disk, and those that timed out. Call it several times a second.
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
            guard now - request.since > frameTimeout else { return nil }
            let text = "\(request.camera) has delivered no frame for 15 s; look at its status and send it again"
            return .failure(CommandError(.failed, text, retryable: true))
        }
        if batch <= committed { return .success(answer(request.camera, sessions)) }
        guard now - at > commitTimeout else { return nil }
        let text = "the sessions have ended but are not on disk after 30 s; look at the node's health"
        return .failure(CommandError(.failed, text, retryable: true))
    }

    private static func answer(_ camera: String, _ sessions: [String]) -> JSONValue {
        ["camera": .text(camera), "sessions": .list(sessions.map { .text($0) })]
    }
}
