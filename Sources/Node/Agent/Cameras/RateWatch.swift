/// Detects that a rate has been too low for 10 s, and that it has recovered for as long.
package struct RateWatch {
    /// Whether the rate is too low.
    package private(set) var isLow = false
    /// Frames per second: the rate becomes low below `low`, and recovers above `good`.
    private let limits: (low: Double, good: Double)
    /// Since when the rate has been beyond the other limit, in seconds on the source's clock.
    private var since: Double?

    /// A change must last this long to be reported.
    private static let holdSeconds = 10.0

    /// - Parameters:
    ///   - lowHz: frames per second below which the rate is low; 0 disables the watch.
    ///   - goodHz: frames per second above which the rate has recovered.
    package init(lowHz: Double, goodHz: Double) { limits = (lowHz, goodHz) }

    /// - Parameters:
    ///   - rateHz: frames per second over the last seconds; 0 if not known yet.
    ///   - time: the newest frame's time, in seconds.
    /// - Returns: whether ``isLow`` has changed.
    package mutating func hasChanged(rateHz: Double, at time: Double) -> Bool {
        guard limits.low > 0, rateHz > 0 else { return false }
        guard isLow ? rateHz > limits.good : rateHz < limits.low else {
            since = nil
            return false
        }
        // The source's clock may jump back.
        let began = since.map { min($0, time) } ?? time
        since = began
        guard time - began >= Self.holdSeconds else { return false }
        isLow.toggle()
        since = nil
        return true
    }
}
