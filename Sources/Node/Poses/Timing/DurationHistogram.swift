import Capture

/// A cumulative histogram of durations, as Prometheus defines it.
public struct DurationHistogram: Sendable, Equatable {
    /// The upper bounds of the buckets in seconds. A duration counts in every bucket whose bound it does not exceed.
    public static let bounds = [0.002, 0.005, 0.01, 0.02, 0.033, 0.05, 0.1, 0.2, 0.5, 1]

    /// The counts of the buckets, in the order of ``bounds``.
    public private(set) var counts = [Int](repeating: 0, count: bounds.count)
    /// The number of durations.
    public private(set) var count = 0
    /// The sum of the durations in seconds.
    public private(set) var sumSeconds = 0.0

    /// Creates an empty histogram.
    public init() {}

    /// Adds a duration.
    public mutating func add(_ duration: Duration) {
        let seconds = duration.seconds
        for (index, bound) in Self.bounds.enumerated() where seconds <= bound { counts[index] += 1 }
        count += 1
        sumSeconds += seconds
    }
}
