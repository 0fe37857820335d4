import Foundation
import Records
import Synchronization

/// What the sink counts. Any thread may read it.
package final class SinkMetrics: Sendable {
    /// The counts.
    package struct Counts: Sendable {
        /// Records that were new or a higher revision.
        package var stored = 0
        /// Records that had come before.
        package var known = 0
        /// Messages that do not fit the contract.
        package var rejected = 0
        /// Acknowledgements sent.
        package var acks = 0
        /// Requests for missing records.
        package var syncs = 0
        /// Transactions committed.
        package var batches = 0
        /// Messages that wait for their transaction.
        package var buffered = 0
        /// Nodes with records that are missing.
        package var missing = 0
        /// Nodes seen.
        package var nodes = 0
        /// Whether PostgreSQL is there.
        package var isDatabaseUp = false
        /// Whether the hub is there.
        package var isBrokerUp = false
        /// Whether this sink holds the lock.
        package var isActive = false
        /// The time of one transaction.
        package var batchSeconds = Histogram(bounds: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10])
        /// From the making of a live record to its storing.
        package var delaySeconds = Histogram(bounds: [0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30, 60])
    }

    /// How often values lay below each bound.
    package struct Histogram: Sendable {
        let bounds: [Double]
        private(set) var counts: [Int]
        private(set) var count = 0
        private(set) var sum = 0.0

        init(bounds: [Double]) {
            self.bounds = bounds
            counts = bounds.map { _ in 0 }
        }

        mutating func add(_ value: Double) {
            count += 1
            sum += value
            if let place = bounds.firstIndex(where: { value <= $0 }) { counts[place] += 1 }
        }

        /// For each bound how many values lay below it.
        var cumulative: [Int] { counts.reduce(into: []) { $0.append(($0.last ?? 0) + $1) } }
    }

    private let counts = Mutex(Counts())

    /// Nothing counted yet.
    package init() {}

    /// Changes the counts.
    package func update(_ change: (inout Counts) -> Void) { counts.withLock { change(&$0) } }

    /// The counts now.
    package var now: Counts { counts.withLock { $0 } }

    /// The page for Prometheus.
    package var page: String {
        let counts = now
        var page = PrometheusText()
        let name = { (part: String) in "spotter_sink_" + part }
        page.add(
            name("records_stored_total"), .counter, "Records that were new or a higher revision.", Double(counts.stored)
        )
        page.add(name("records_known_total"), .counter, "Records that had come before.", Double(counts.known))
        page.add(name("rejected_total"), .counter, "Messages that do not fit the contract.", Double(counts.rejected))
        page.add(name("acks_total"), .counter, "Acknowledgements sent.", Double(counts.acks))
        page.add(name("syncs_total"), .counter, "Requests for missing records.", Double(counts.syncs))
        page.add(name("batches_total"), .counter, "Transactions committed.", Double(counts.batches))
        page.add(name("buffer_records"), .gauge, "Messages that wait for their transaction.", Double(counts.buffered))
        page.add(name("missing_nodes"), .gauge, "Nodes with records that are missing.", Double(counts.missing))
        page.add(name("nodes"), .gauge, "Nodes seen.", Double(counts.nodes))
        page.add(name("database_up"), .gauge, "Whether PostgreSQL is there.", counts.isDatabaseUp ? 1 : 0)
        page.add(name("broker_up"), .gauge, "Whether the hub is there.", counts.isBrokerUp ? 1 : 0)
        page.add(name("active"), .gauge, "Whether this sink holds the lock and works.", counts.isActive ? 1 : 0)
        page.add(name("batch_seconds"), "Time of one transaction.", counts.batchSeconds)
        page.add(name("delay_seconds"), "From the making of a live record to its storing.", counts.delaySeconds)
        page.add(
            "process_resident_memory_bytes", .gauge, "Memory of the process.", Self.residentBytes.map { Double($0) })
        return page.text
    }

    private static var residentBytes: Int? {
        // The second number is the resident pages (proc(5), statm).
        let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return text?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * Int(getpagesize()) }
    }
}

extension PrometheusText {
    fileprivate mutating func add(_ name: String, _ help: String, _ histogram: SinkMetrics.Histogram) {
        addHistogram(
            name, help, [([:], histogram.bounds, histogram.cumulative, histogram.count, histogram.sum)])
    }
}
