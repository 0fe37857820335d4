import Broker
import Synchronization

/// Tells the sink's thread to end, and wakes it from any wait.
package final class StopSignal: Sendable {
    let wake: SelfPipe
    private let flag = Mutex(false)

    /// - Throws: `BrokerError` when the process has no file descriptor left.
    package init() throws { wake = try SelfPipe() }

    /// Whether the sink should end.
    package var isSet: Bool { flag.withLock { $0 } }

    /// Ends the sink.
    package func set() {
        flag.withLock { $0 = true }
        wake.ring()
    }

    /// Waits, but not beyond the signal.
    func wait(_ time: Duration) {
        guard !isSet else { return }
        wake.wait(time)
    }
}
