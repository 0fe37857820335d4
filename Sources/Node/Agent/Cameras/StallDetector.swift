/// Detects that a camera's chain makes no progress, which withholds the watchdog's signal.
///
/// A chain that is not running (off, lost or ended) has no detector.
package struct StallDetector: Sendable {
    /// When the last frame was finished, or the chain began.
    private var last: ContinuousClock.Instant
    /// A network stream may pause without being stuck; the supervisor reopens it by its own rules.
    private let mayBeSilent: Bool
    /// Frames skipped or dropped so far; grows while frames arrive.
    private let passedOver: @Sendable () -> Int
    private var passedOverThen: Int

    /// Starts watching at `now`.
    ///
    /// - Parameter passedOver: the number of frames skipped or dropped so far.
    package init(mayBeSilent: Bool, now: ContinuousClock.Instant, passedOver: @escaping @Sendable () -> Int) {
        last = now
        self.mayBeSilent = mayBeSilent
        self.passedOver = passedOver
        passedOverThen = passedOver()
    }

    /// A frame has been finished.
    package mutating func advance(_ now: ContinuousClock.Instant) {
        last = now
        passedOverThen = passedOver()
    }

    /// Whether the chain makes no progress although it should.
    ///
    /// - Parameter patience: how long a slow chain may take for one frame.
    package func isStuck(_ now: ContinuousClock.Instant, patience: Duration) -> Bool {
        now - last > patience && (!mayBeSilent || passedOver() > passedOverThen)
    }
}
