/// Lets a repeated log line through once per interval, and counts the repetitions in between.
///
/// Lines with the same key are repetitions, whatever their text. A summary has the newest text.
package struct LogThrottle {
    private struct Entry {
        var printedAt: ContinuousClock.Instant
        var newest = ""
        var held = 0
    }

    /// Further keys share one entry, so that names chosen by others cannot fill the memory.
    private static let maximumKeys = 32
    private static let others = ""

    private let interval: Duration
    private var entries: [String: Entry] = [:]

    /// Lets one line per key and `interval` through.
    package init(interval: Duration = .seconds(60)) { self.interval = interval }

    /// Decides whether to print a line.
    ///
    /// - Returns: the line to print now; `nil` when a line with this key was printed less than an interval ago.
    package mutating func line(_ text: String, key: String, at now: ContinuousClock.Instant) -> String? {
        let key = entries[key] != nil || entries.count < Self.maximumKeys ? key : Self.others
        guard var entry = entries[key] else {
            entries[key] = Entry(printedAt: now)
            return text
        }
        if now - entry.printedAt >= interval, entry.held == 0 {
            entries[key] = Entry(printedAt: now)
            return text
        }
        entry.newest = text
        entry.held += 1
        entries[key] = entry
        return nil
    }

    /// Summaries of the lines that were held back, at most one per key and interval. Call this regularly.
    package mutating func summaries(at now: ContinuousClock.Instant) -> [String] {
        var lines: [String] = []
        for (key, entry) in entries where now - entry.printedAt >= interval {
            if entry.held == 0 {
                entries[key] = nil
            } else {
                lines.append(entry.held == 1 ? entry.newest : "\(entry.newest) (\(entry.held) times)")
                entries[key] = Entry(printedAt: now)
            }
        }
        return lines.sorted()
    }
}
