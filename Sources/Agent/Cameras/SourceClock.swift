import Foundation

/// The wall-clock time of a source's times.
///
/// A source counts its seconds by a clock of its own: a camera by one that no setting of the wall clock moves, a stream
/// by its encoder's, which runs a little faster or slower. So the wall-clock time of its time 0 does not stay what it was. It
/// is looked at all the time: of the frames of ten seconds the one that was under way for the least time tells it best.
package struct SourceClock {
    /// The wall-clock time of the source's time 0.
    package private(set) var origin: Date
    private var began: ContinuousClock.Instant?
    private var least = Date.distantFuture

    /// Less is not worth a step in the times: frames are under way for different times.
    private static let tolerance = 2.0
    private static let look = Duration.seconds(10)

    package init(origin: Date) { self.origin = origin }

    /// The wall-clock time of one of the source's times.
    package func date(of time: Double) -> Date { origin.addingTimeInterval(time) }

    /// Takes note of a frame that has just arrived.
    ///
    /// - Parameters:
    ///   - time: the frame's, seconds on the source's clock.
    ///   - isKept: whether somebody keeps the wall clock right. Until then times stay as they are: what is stored by a
    ///     wrong clock is corrected in one piece (`UnsyncedClockStretch`).
    /// - Returns: by how many seconds the origin was moved, if it was.
    package mutating func observe(
        _ time: Double, wall: Date, now: ContinuousClock.Instant, isKept: @autoclosure () -> Bool
    ) -> Double? {
        let start = began ?? now
        began = start
        least = min(least, wall.addingTimeInterval(-time))
        guard now - start >= Self.look else { return nil }
        let step = least.timeIntervalSince(origin)
        (began, least) = (nil, .distantFuture)
        guard abs(step) > Self.tolerance, isKept() else { return nil }
        origin += step
        return step
    }
}
