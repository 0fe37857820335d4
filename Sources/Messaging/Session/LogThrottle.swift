/// Prints a repeated log line once an interval, and counts the repeats in between.
///
/// Lines repeat each other when they have the same key, whatever their words. A summary has the newest words.
package struct LogThrottle {
    private struct Entry {
        var printedAt: ContinuousClock.Instant
        var newest = ""
        var held = 0
    }

    /// Keys beyond this number count as one: names that a stranger chooses must not fill the memory.
    private static let maximumKeys = 32
    private static let others = ""

    private let interval: Duration
    private var entries: [String: Entry] = [:]

    package init(interval: Duration = .seconds(60)) { self.interval = interval }

    /// - Returns: the line to print now; `nil` while its like was printed less than an interval ago.
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

    /// The lines that stand for those held back, each once an interval; to be asked for now and then.
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
