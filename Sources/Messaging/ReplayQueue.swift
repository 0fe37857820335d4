import History

/// Ranges of the log that were asked for again.
package struct ReplayQueue {
    static let maximumRanges = 8

    private var ranges: [ClosedRange<Int64>] = []
    private var next: Int64 = 0
    private var sent: [(seq: Int64, mid: Int32)] = []

    var isEmpty: Bool { ranges.isEmpty }
    var isWaiting: Bool { !sent.isEmpty }
    var inFlight: Int { sent.count }

    mutating func add(_ range: ClosedRange<Int64>) -> Bool {
        // The same again, as from a consumer that is impatient, is under way already.
        if ranges.contains(range) { return true }
        guard ranges.count < Self.maximumRanges else { return false }
        if ranges.isEmpty { next = range.lowerBound }
        ranges.append(range)
        return true
    }

    /// A new connection: what was on the way goes again.
    mutating func begin() {
        if let first = sent.map(\.seq).min(), let range = ranges.first, range.contains(first) {
            next = min(next, first)
        }
        sent = []
    }

    /// Further records of the ranges; a range whose end is reached is done.
    mutating func next(_ limit: Int, from log: RecordLog) throws -> [Record] {
        guard let range = ranges.first else { return [] }
        guard next <= range.upperBound else {
            finishRange()
            return []
        }
        let records = try log.records(in: next...range.upperBound, limit: limit)
        if records.count < limit { finishRange() } else { next = (records.last?.seq ?? range.upperBound) + 1 }
        return records
    }

    mutating func sent(_ record: Record, mid: Int32) { sent.append((record.seq, mid)) }

    mutating func acknowledged(mid: Int32) -> Bool {
        guard let place = sent.firstIndex(where: { $0.mid == mid }) else { return false }
        sent.remove(at: place)
        return true
    }

    func isRecord(mid: Int32) -> Bool { sent.contains { $0.mid == mid } }

    private mutating func finishRange() {
        ranges.removeFirst()
        next = ranges.first?.lowerBound ?? 0
    }
}
