import Foundation

/// Measures the processor time of this process between two calls.
package struct ProcessorTime: Sendable {
    private var last: (used: Double, at: ContinuousClock.Instant)?

    /// No measurement yet.
    package init() {}

    /// Percent of one core since the last call; `nil` at the first call.
    package mutating func percent(_ now: ContinuousClock.Instant = .now) -> Double? {
        let used = Self.seconds()
        defer { last = (used, now) }
        guard let last else { return nil }
        let elapsed = (now - last.at).seconds
        return elapsed > 0 ? ((used - last.used) / elapsed * 1000).rounded() / 10 : nil
    }

    /// Processor seconds, user and system, since the process began.
    static func seconds() -> Double {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
}
