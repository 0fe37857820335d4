import History

/// The ranges of the log that were requested again.
package struct ReplayQueue {
    static let maximumRanges = 8

    private var ranges: [ClosedRange<Int64>] = []
    private var next: Int64 = 0
    /// Records in flight. The packet id is `nil` until libmosquitto has accepted the record.
    private var underWay: [(seq: Int64, mid: Int32?)] = []

    var isEmpty: Bool { ranges.isEmpty }
    var isWaiting: Bool { !underWay.isEmpty }
    var inFlight: Int { underWay.count }

    mutating func add(_ range: ClosedRange<Int64>) -> Bool {
        // An impatient consumer may request the same range twice.
        if ranges.contains(range) { return true }
        guard ranges.count < Self.maximumRanges else { return false }
        if ranges.isEmpty { next = range.lowerBound }
        ranges.append(range)
        return true
    }

    /// Starts over on a new connection: records that were in flight are sent again first.
    mutating func begin() {
        guard !underWay.isEmpty else { return }
        var again: [ClosedRange<Int64>] = []
        for seq in underWay.map(\.seq).sorted() {
            if let last = again.last, seq <= last.upperBound + 1 {
                again[again.count - 1] = last.lowerBound...seq
            } else {
                again.append(seq...seq)
            }
        }
        underWay = []
        if let range = ranges.first {
            ranges.removeFirst()
            if next <= range.upperBound { again.append(next...range.upperBound) }
        }
        ranges = again + ranges
        next = ranges.first?.lowerBound ?? 0
    }

    /// The next records of the ranges. A range ends when its last record was returned.
    mutating func next(_ limit: Int, from log: RecordLog) throws -> [Record] {
        guard let range = ranges.first else { return [] }
        guard next <= range.upperBound else {
            finishRange()
            return []
        }
        let records = try log.records(in: next...range.upperBound, limit: limit)
        if records.count < limit { finishRange() } else { next = (records.last?.seq ?? range.upperBound) + 1 }
        underWay += records.map { ($0.seq, nil) }
        return records
    }

    mutating func sent(_ record: Record, mid: Int32) {
        guard let place = underWay.firstIndex(where: { $0.seq == record.seq && $0.mid == nil }) else { return }
        underWay[place].mid = mid
    }

    /// Drops a record that can never be sent.
    mutating func skip(_ record: Record) {
        underWay.removeAll { $0.seq == record.seq && $0.mid == nil }
    }

    mutating func acknowledged(mid: Int32) -> Bool {
        guard let place = underWay.firstIndex(where: { $0.mid == mid }) else { return false }
        underWay.remove(at: place)
        return true
    }

    func isRecord(mid: Int32) -> Bool { underWay.contains { $0.mid == mid } }

    private mutating func finishRange() {
        ranges.removeFirst()
        next = ranges.first?.lowerBound ?? 0
    }
}
