import Synchronization

/// Refuses log-ins while too many fail: three a minute from one address, five a minute in all.
///
/// A log-in counts as failed from its beginning, so that many at once cannot slip through. Only log-ins that were let
/// through are remembered, and so never more than five. While strangers use them up, `spotter web url` still lets
/// people in.
package final class LoginLimiter: Sendable {
    /// The log-ins of one address that may fail in a minute.
    package static let maximumPerAddress = 3
    /// The log-ins that may fail in a minute.
    package static let maximumInAll = 5

    private let mostPerAddress, mostInAll: Int
    private let memory: Duration

    private struct Failure {
        /// `nil` once the address has logged in: its failures then count only among all.
        var address: String?
        let time: ContinuousClock.Instant
    }

    /// The oldest first.
    private let failures = Mutex<[Failure]>([])

    /// Begins without failures. The values are those of log-ins with a password; another limit may count other things
    /// than addresses.
    package init(
        perAddress: Int = maximumPerAddress, inAll: Int = maximumInAll, memory: Duration = .seconds(60)
    ) {
        (mostPerAddress, mostInAll, self.memory) = (perAddress, inAll, memory)
    }

    /// Begins a log-in. Call ``succeeded(from:)`` when its password is right.
    ///
    /// - Returns: the whole seconds to wait, at least 1; `nil` lets the log-in through.
    package func begin(from address: String, now: ContinuousClock.Instant) -> Int? {
        failures.withLock { failures in
            failures.removeAll { now - $0.time >= memory }
            let own = failures.filter { $0.address == address }
            let blocking = [
                own.count >= mostPerAddress ? own.first : nil,
                failures.count >= mostInAll ? failures.first : nil,
            ].compactMap { $0?.time }
            guard let latest = blocking.max() else {
                failures.append(Failure(address: address, time: now))
                return nil
            }
            let left = memory - (now - latest)
            return max(1, Int(left.components.seconds) + (left.components.attoseconds > 0 ? 1 : 0))
        }
    }

    /// Ends a log-in whose password could not be checked.
    package func abandoned(from address: String) {
        failures.withLock { failures in
            guard let last = failures.lastIndex(where: { $0.address == address }) else { return }
            failures.remove(at: last)
        }
    }

    /// Ends a log-in with the right password: it was no failure, and the address begins anew.
    package func succeeded(from address: String) {
        failures.withLock { failures in
            guard let last = failures.lastIndex(where: { $0.address == address }) else { return }
            failures.remove(at: last)
            for index in failures.indices where failures[index].address == address { failures[index].address = nil }
        }
    }
}
