import Foundation

/// Maps a source's times to the wall clock.
///
/// A source counts seconds by its own clock: a camera by the monotonic clock, which setting the wall clock does not
/// change; a stream by its encoder's clock, which drifts. The wall-clock time of the source's time 0 therefore changes
/// and is estimated again every 10 s, from the frame with the least latency.
package struct SourceClock {
    /// The wall-clock time of the source's time 0.
    package private(set) var origin: Date
    private var began: ContinuousClock.Instant?
    private var earliestOrigin = Date.distantFuture

    /// Ignore smaller offsets, in seconds: frame latency varies that much.
    private static let toleranceSeconds = 2.0
    private static let interval = Duration.seconds(10)

    /// Starts with an estimate of the source's time 0.
    package init(origin: Date) { self.origin = origin }

    /// The wall-clock time of a time of the source, in seconds.
    package func date(of time: Double) -> Date { origin.addingTimeInterval(time) }

    /// Adds a frame that has just arrived to the estimate.
    ///
    /// - Parameters:
    ///   - time: the frame's time, in seconds on the source's clock.
    ///   - isKept: whether the wall clock is synchronised. Until then the origin stays: `UnsyncedClockStretch` corrects
    ///     the stored times all at once.
    /// - Returns: by how many seconds the origin was moved; `nil` if it was not.
    package mutating func observe(
        _ time: Double, wall: Date, now: ContinuousClock.Instant, isKept: @autoclosure () -> Bool
    ) -> Double? {
        let start = began ?? now
        began = start
        earliestOrigin = min(earliestOrigin, wall.addingTimeInterval(-time))
        guard now - start >= Self.interval else { return nil }
        let step = earliestOrigin.timeIntervalSince(origin)
        (began, earliestOrigin) = (nil, .distantFuture)
        guard abs(step) > Self.toleranceSeconds, isKept() else { return nil }
        origin += step
        return step
    }
}
