import Logging
import Synchronization

/// Logs log-ins that failed, each with the address it came from, so that fail2ban and the like can act on it.
///
/// A client that tries for ever must not fill the log: ten lines a minute are written in all. The next one says how many were
/// left out.
package final class FailedLogins: Sendable {
    /// The most lines in a minute.
    package static let maximumPerMinute = 10
    private static let minute = Duration.seconds(60)

    /// Why a log-in failed.
    package enum Reason: String, Sendable {
        /// The password is nobody's.
        case wrongPassword = "wrong password"
        /// The password was not even looked at.
        case tooMany = "too many wrong passwords"
        /// No member has this nickname and code.
        case wrongCode = "wrong member code"
        /// A link of `spotter web url` was used, too old, or never made.
        case uselessLink = "a link that does not log in"
    }

    private struct State {
        var lines: [ContinuousClock.Instant] = []
        var leftOut = 0
    }

    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameter logger: where the lines go.
    package init(logger: Logger) { self.logger = logger }

    /// Logs one, unless there were many.
    package func tell(_ reason: Reason, from address: String, now: ContinuousClock.Instant) {
        let leftOut = state.withLock { state -> Int? in
            state.lines.removeAll { now - $0 >= Self.minute }
            guard state.lines.count < Self.maximumPerMinute else {
                state.leftOut += 1
                return nil
            }
            state.lines.append(now)
            defer { state.leftOut = 0 }
            return state.leftOut
        }
        guard let leftOut else { return }
        let others = leftOut > 0 ? " (\(leftOut) more before it are not listed)" : ""
        logger.warning("a log-in to the page failed from \(address): \(reason.rawValue)\(others)")
    }
}
