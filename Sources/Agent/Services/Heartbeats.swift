import Synchronization

/// When each service last went round its loop: what decides, beside the cameras, whether the watchdog is fed.
package final class Heartbeats: Sendable {
    private let beats = Mutex<[String: ContinuousClock.Instant]>([:])

    package init() {}

    /// The service goes on.
    package func beat(_ service: String, now: ContinuousClock.Instant = .now) {
        beats.withLock { $0[service] = now }
    }

    /// The service has ended and owes no more beats.
    package func end(_ service: String) { beats.withLock { $0[service] = nil } }

    /// The services that have not gone round for longer than `patience`, in order of name.
    package func stuck(_ now: ContinuousClock.Instant, patience: Duration) -> [String] {
        beats.withLock { $0.filter { now - $0.value > patience }.keys.sorted() }
    }
}
