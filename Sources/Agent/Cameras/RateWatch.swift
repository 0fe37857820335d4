/// Notices that a rate has been too low for longer than a moment, and that it is high enough again.
package struct RateWatch {
    package private(set) var isLow = false
    /// Frames per second: below the one it is low, above the other no more.
    private let limits: (low: Double, good: Double)
    /// Since when the rate has been on the other side, seconds on the source's clock.
    private var since: Double?

    /// Only what lasts is reported.
    private static let patienceSeconds = 10.0

    /// - Parameters:
    ///   - lowHz: frames per second below which the rate is low; 0 for never.
    ///   - goodHz: frames per second above which it is not any more.
    package init(lowHz: Double, goodHz: Double) { limits = (lowHz, goodHz) }

    /// - Parameters:
    ///   - rateHz: frames per second over the last seconds; 0 where that is not known yet.
    ///   - time: of the newest frame, in seconds.
    /// - Returns: whether ``isLow`` has changed.
    package mutating func hasChanged(rateHz: Double, at time: Double) -> Bool {
        guard limits.low > 0, rateHz > 0 else { return false }
        guard isLow ? rateHz > limits.good : rateHz < limits.low else {
            since = nil
            return false
        }
        // The source's clock may be set back.
        let began = since.map { min($0, time) } ?? time
        since = began
        guard time - began >= Self.patienceSeconds else { return false }
        isLow.toggle()
        since = nil
        return true
    }
}
