import Synchronization

/// Stops every open source, and every source that is opened after the node began to stop.
package final class StopSignal: Sendable {
    private struct Source {
        let stop: @Sendable () -> Void
        var wasStopped = false
    }

    private let state = Mutex<(isStopping: Bool, sources: [String: Source])>((false, [:]))

    /// No open sources.
    package init() {}

    /// Whether the node has begun to stop.
    package var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Remembers how to stop a camera's newest source. Stops it at once when the node is stopping.
    package func set(_ stop: @escaping @Sendable () -> Void, of camera: String) {
        let isLate = state.withLock { state in
            state.sources[camera] = Source(stop: stop)
            return state.isStopping
        }
        if isLate { stop() }
    }

    /// The camera's source has ended.
    package func forget(_ camera: String) { state.withLock { $0.sources[camera] = nil } }

    /// Stops a camera's source, if one is open.
    package func stop(_ camera: String) {
        state.withLock { state in
            state.sources[camera]?.wasStopped = true
            return state.sources[camera]?.stop
        }?()
    }

    /// Whether the camera's current source was told to stop, even if the camera has been switched on again since.
    package func wasStopped(_ camera: String) -> Bool { state.withLock { $0.sources[camera]?.wasStopped ?? false } }

    /// The node begins to stop: stops every open source.
    package func stopAll() {
        let sources = state.withLock { state in
            state.isStopping = true
            return state.sources
        }
        sources.values.forEach { $0.stop() }
    }

    /// Sleeps in short steps, so that stopping is noticed within 100 ms.
    package func sleep(_ duration: Duration) async {
        let deadline = ContinuousClock.now + duration
        while !isStopping && ContinuousClock.now < deadline {
            do { try await Task.sleep(for: .milliseconds(100)) } catch { return }
        }
    }
}
