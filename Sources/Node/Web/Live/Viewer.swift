import HTTPServing
import Synchronization

/// One browser that follows the events. A slow one loses poses, then the oldest events; nothing piles up.
///
/// What is offered waits for the next ``flush()``, so that all that belongs together is sent in one piece.
package final class Viewer: Sendable {
    /// Events that wait at most, besides those that the stream begins with; beyond it the oldest is lost.
    package static let capacity = 300
    /// Poses of one camera that wait at most.
    package static let poseCapacity = 3

    fileprivate struct State {
        /// What the stream begins with. Nothing of it is lost: without the node's state a page can draw nothing.
        var first: [[UInt8]]
        var events: [[UInt8]] = []
        /// The newest poses of each camera that were not sent yet.
        var poses: [String: [[UInt8]]] = [:]
        var lost = 0
        /// Whether what waits is to be sent now.
        var isFlushed = true
        var isClosed = false
        var waiting: CheckedContinuation<Void, Never>?
    }
    private let state: Mutex<State>
    /// The only camera to follow; `nil` for all.
    package let camera: String?

    /// Whether the names of people may be sent to it.
    package let seesNames: Bool

    /// - Parameter first: the events to begin with.
    package init(camera: String?, seesNames: Bool = false, first: [[UInt8]]) {
        self.camera = camera
        self.seesNames = seesNames
        state = Mutex(State(first: first))
    }

    /// Queues the newest pose of a camera, if need be in place of the oldest one.
    package func offer(pose: [UInt8], of camera: String) {
        guard self.camera == nil || self.camera == camera else { return }
        state.withLock { state in
            if state.poses[camera, default: []].count == Self.poseCapacity {
                state.poses[camera]?.removeFirst()
                state.lost += 1
            }
            state.poses[camera, default: []].append(pose)
        }
    }

    /// Queues an event.
    ///
    /// - Parameter camera: the camera it is about; `nil` for all.
    package func offer(_ event: [UInt8], of camera: String? = nil) {
        guard camera == nil || self.camera == nil || self.camera == camera else { return }
        state.withLock { state in
            if state.events.count >= Self.capacity {
                state.events.removeFirst()
                state.lost += 1
            }
            state.events.append(event)
        }
    }

    /// Sends what waits.
    package func flush() { wake { $0.isFlushed = true } }

    /// The number of events lost since the last call.
    package func takeLost() -> Int {
        state.withLock { state in
            defer { state.lost = 0 }
            return state.lost
        }
    }

    /// Ends the stream.
    package func close() { wake { $0.isClosed = true } }

    /// Whether something was offered since the last flush.
    package var hasWaiting: Bool { state.withLock { !$0.first.isEmpty || !$0.events.isEmpty || !$0.poses.isEmpty } }

    /// Whether the stream has ended.
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Waits for something to send; `nil` once the stream has ended.
    package func next() async -> [UInt8]? {
        await withTaskCancellationHandler {
            while true {
                let (bytes, isClosed) = state.withLock { $0.take() }
                if isClosed { return nil }
                if !bytes.isEmpty { return bytes }
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        guard !state.isFlushed, !state.isClosed else { return true }
                        state.waiting = continuation
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            }
        } onCancel: {
            close()
        }
    }

    /// The events for a response.
    package var events: EventSource { EventSource(next: next, close: close) }

    private func wake(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }
}

extension Viewer.State {
    /// Everything that waits, in one piece.
    fileprivate mutating func take() -> (bytes: [UInt8], isClosed: Bool) {
        guard isFlushed else { return ([], isClosed) }
        isFlushed = false
        defer { (first, events, poses) = ([], [], [:]) }
        let all = first + events + poses.sorted { $0.key < $1.key }.flatMap(\.value)
        if all.count == 1 { return (all[0], isClosed) }
        // `joined()` would copy byte by byte.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(all.reduce(0) { $0 + $1.count })
        for event in all { bytes.append(contentsOf: event) }
        return (bytes, isClosed)
    }
}
