import Synchronization

/// The durations of the last 300 runs of an operation. May be used from any thread.
public final class RecentDurations: Sendable {
    private static let capacity = 300
    private let state = Mutex<(durations: [Duration], next: Int, all: DurationHistogram)>(([], 0, DurationHistogram()))

    /// Creates an empty collection.
    public init() {}

    /// Adds the duration of a run.
    public func add(_ duration: Duration) {
        state.withLock { state in
            state.all.add(duration)
            if state.durations.count < Self.capacity {
                state.durations.append(duration)
            } else {
                state.durations[state.next] = duration
            }
            state.next = (state.next + 1) % Self.capacity
        }
    }

    /// The histogram of all runs so far, not only of the recent ones.
    public var histogram: DurationHistogram { state.withLock { $0.all } }

    /// The duration that this share of the recent runs did not exceed; 0.5 gives the median. Zero before the first run.
    public func quantile(_ share: Double) -> Duration {
        let sorted = state.withLock { $0.durations }.sorted()
        guard let last = sorted.indices.last else { return .zero }
        return sorted[min(last, Int(Double(sorted.count) * share))]
    }
}
