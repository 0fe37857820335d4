import Synchronization

/// When each service last completed a round of its loop. The watchdog is signalled only while no service is stuck.
package final class Heartbeats: Sendable {
    private let beats = Mutex<[String: ContinuousClock.Instant]>([:])

    /// No services.
    package init() {}

    /// The service has completed a round.
    package func beat(_ service: String, now: ContinuousClock.Instant = .now) {
        beats.withLock { $0[service] = now }
    }

    /// The service has ended and is no longer watched.
    package func end(_ service: String) { beats.withLock { $0[service] = nil } }

    /// The services without a beat for longer than `patience`, in order of name.
    package func stuck(_ now: ContinuousClock.Instant, patience: Duration) -> [String] {
        beats.withLock { $0.filter { now - $0.value > patience }.keys.sorted() }
    }
}
