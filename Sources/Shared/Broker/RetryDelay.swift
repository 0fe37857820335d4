/// The delay before the next attempt to connect. It doubles from the first to the last delay and is multiplied by a
/// random number ("full jitter"), so that a thousand nodes do not reconnect in the same second.
package struct RetryDelay {
    /// The longest delay before the first retry.
    package let first: Duration
    /// The upper limit of the doubled delay.
    package let last: Duration
    private var failures = 0
    /// Refusals in a row.
    private var refusals = 0
    /// After so many the delay is long.
    private static let quickRefusals = 2

    /// A delay that begins at `first` and doubles up to `last`.
    package init(first: Duration, last: Duration) {
        self.first = first
        self.last = last
    }

    /// Begins again at the first delay, after a stable connection.
    package mutating func reset() { failures = 0 }

    /// Limits the next delay to four times the first, because the broker had accepted the last connection.
    package mutating func ease() { failures = min(failures, 2) }

    /// The delay before the next attempt.
    ///
    /// - Parameter random: a random number, 0…1.
    package mutating func next(after trouble: ConnectionTrouble, random: Double) -> Duration {
        let doubled = first * (1 << min(failures, 16))
        failures += 1
        refusals = trouble == .notAuthorized ? refusals + 1 : 0
        switch trouble {
        // A broker that starts may refuse whom it lets in a moment later.
        case .notAuthorized where refusals <= Self.quickRefusals: return min(last, doubled) * random
        // Both change only when a person acts. Frequent attempts lock accounts and disconnect the other client.
        case .notAuthorized: return last + last * random
        case .duplicateClientId: return last * 2 + last * 3 * random
        case .unreachable, .tls, .badSettings, .refused: return min(last, doubled) * random
        }
    }
}
