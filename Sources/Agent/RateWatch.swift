/// Notices that a camera delivers far fewer frames than it promised: in the dark many take longer exposures.
///
/// Nothing that is counted depends on it, for predictions are credited by time; but it should be known.
package struct RateWatch {
    /// Frames per second; 0 where there is no promise.
    let promisedHz: Double
    package private(set) var isLow = false
    /// Since when the rate has been on the other side.
    private var since: Double?

    /// Below half of what was promised it is low, above 70 % no more; and only what lasts is told.
    private static let limits = (low: 0.5, good: 0.7)
    private static let patienceSeconds = 10.0

    package init(promisedHz: Double) { self.promisedHz = promisedHz }

    /// - Parameters:
    ///   - arrivingHz: frames per second over the last seconds; 0 where that is not known yet.
    ///   - time: of the newest frame, in seconds.
    /// - Returns: whether ``isLow`` has changed.
    package mutating func hasChanged(arrivingHz: Double, at time: Double) -> Bool {
        guard promisedHz > 0, arrivingHz > 0 else { return false }
        let differs =
            isLow ? arrivingHz > Self.limits.good * promisedHz : arrivingHz < Self.limits.low * promisedHz
        guard differs else {
            since = nil
            return false
        }
        let began = since ?? time
        since = began
        guard time - began >= Self.patienceSeconds else { return false }
        isLow.toggle()
        since = nil
        return true
    }
}
