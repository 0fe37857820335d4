import Capture

/// How often something took how long, as Prometheus counts it.
public struct DurationHistogram: Sendable, Equatable {
    /// Seconds; a duration counts in every bucket that it does not exceed.
    public static let bounds = [0.002, 0.005, 0.01, 0.02, 0.033, 0.05, 0.1, 0.2, 0.5, 1]

    /// By bound, in their order.
    public private(set) var counts = [Int](repeating: 0, count: bounds.count)
    public private(set) var count = 0
    public private(set) var sumSeconds = 0.0

    public init() {}

    public mutating func add(_ duration: Duration) {
        let seconds = duration.seconds
        for (index, bound) in Self.bounds.enumerated() where seconds <= bound { counts[index] += 1 }
        count += 1
        sumSeconds += seconds
    }
}
