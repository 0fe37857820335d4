/// The measured interval between a source's frames: the median of the newest 15.
///
/// The interval decides which sightings of a person belong to one movement, and whether a source is too slow for
/// counting repetitions.
package struct SightingInterval {
    private static let maximumIntervals = 15
    /// A single interval may be a pause, so more are needed.
    private static let minimumIntervals = 3

    private var intervals: [Double] = []
    private var last: Double?

    /// Starts without intervals.
    package init() {}

    /// Adds a frame.
    ///
    /// - Parameter time: the time of a processed frame, in seconds on the source's clock.
    package mutating func add(_ time: Double) {
        defer { last = max(time, last ?? time) }
        guard let last, time > last else { return }
        if intervals.count == Self.maximumIntervals { intervals.removeFirst() }
        intervals.append(time - last)
    }

    /// Seconds between two frames; `nil` until three intervals are known.
    package var seconds: Double? {
        intervals.count < Self.minimumIntervals ? nil : intervals.sorted()[intervals.count / 2]
    }
}
