/// When a camera's chain last went on: what decides whether the watchdog is fed.
///
/// A chain that is not running (off, lost, over) has no steps to make and has none.
package struct StallDetector: Sendable {
    /// When the last frame was done, or the chain began.
    private var last: ContinuousClock.Instant
    /// A stream over the network may fall silent without being at fault; it is opened again by its own rules.
    private let mayBeSilent: Bool
    /// Frames that nobody took so far; grows while frames arrive.
    private let passedOver: @Sendable () -> Int
    private var passedOverThen: Int

    package init(mayBeSilent: Bool, now: ContinuousClock.Instant, passedOver: @escaping @Sendable () -> Int) {
        last = now
        self.mayBeSilent = mayBeSilent
        self.passedOver = passedOver
        passedOverThen = passedOver()
    }

    package mutating func advance(_ now: ContinuousClock.Instant) {
        last = now
        passedOverThen = passedOver()
    }

    /// Whether the chain stands still though it should not.
    ///
    /// - Parameter patience: what tells a stuck chain from a slow one.
    package func isStuck(_ now: ContinuousClock.Instant, patience: Duration) -> Bool {
        now - last > patience && (!mayBeSilent || passedOver() > passedOverThen)
    }
}
