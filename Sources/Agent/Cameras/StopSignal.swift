import Synchronization

/// Carries the wish to stop to every open source, also to those that are opened after it was made.
final class StopSignal: Sendable {
    private let state = Mutex<(isStopping: Bool, stops: [String: @Sendable () -> Void])>((false, [:]))

    var isStopping: Bool { state.withLock { $0.isStopping } }

    func set(_ stop: @escaping @Sendable () -> Void, of camera: String) {
        let isLate = state.withLock { state in
            state.stops[camera] = stop
            return state.isStopping
        }
        if isLate { stop() }
    }

    func forget(_ camera: String) { state.withLock { $0.stops[camera] = nil } }

    func stop(_ camera: String) { state.withLock { $0.stops[camera] }?() }

    func stopAll() {
        let stops = state.withLock { state in
            state.isStopping = true
            return state.stops
        }
        stops.values.forEach { $0() }
    }

    /// Waits in steps short enough to stop in time.
    func sleep(_ duration: Duration) async {
        let deadline = ContinuousClock.now + duration
        while !isStopping && ContinuousClock.now < deadline {
            do { try await Task.sleep(for: .milliseconds(100)) } catch { return }
        }
    }
}
