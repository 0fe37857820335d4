/// How long to wait before the next attempt: doubling from the first to the last, and of that a random part, so that a
/// thousand nodes do not return in the same second ("full jitter").
package struct RetryDelay {
    package let first: Duration
    package let last: Duration
    private var failures = 0

    package init(first: Duration, last: Duration) {
        self.first = first
        self.last = last
    }

    /// The connection was stable: begin again at the first.
    package mutating func reset() { failures = 0 }

    /// The broker had accepted the last connection: the next attempt follows within four times the first delay.
    package mutating func ease() { failures = min(failures, 2) }

    /// - Parameter random: 0…1.
    package mutating func next(after trouble: ConnectionTrouble, random: Double) -> Duration {
        let doubled = first * (1 << min(failures, 16))
        failures += 1
        switch trouble {
        // Both only change when somebody acts; asking often locks accounts and kicks the other client out.
        case .notAuthorized: return last + last * random
        case .duplicateClientId: return last * 2 + last * 3 * random
        case .unreachable, .tls, .badSettings: return min(last, doubled) * random
        }
    }
}
