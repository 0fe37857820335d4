import Synchronization

/// How long the last few hundred runs of something took, for reports; safe from any thread.
public final class RecentDurations: Sendable {
    private static let capacity = 300
    private let state = Mutex<(durations: [Duration], next: Int, all: DurationHistogram)>(([], 0, DurationHistogram()))

    public init() {}

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

    /// All runs so far, also those that are long ago.
    public var histogram: DurationHistogram { state.withLock { $0.all } }

    /// The duration that a share of the runs did not exceed: 0.5 is the median. Zero before the first run.
    public func quantile(_ share: Double) -> Duration {
        let sorted = state.withLock { $0.durations }.sorted()
        guard let last = sorted.indices.last else { return .zero }
        return sorted[min(last, Int(Double(sorted.count) * share))]
    }
}
