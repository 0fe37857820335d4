/// How far apart a source's frames are, measured: the median of the newest intervals.
///
/// The interval decides which sightings of a person belong to one movement, and whether a source is too slow to count.
package struct SightingInterval {
    private static let maximumIntervals = 15
    /// One long interval may be a pause.
    private static let minimumIntervals = 3

    private var intervals: [Double] = []
    private var last: Double?

    package init() {}

    /// - Parameter time: of a frame that was looked at, seconds on the source's clock.
    package mutating func add(_ time: Double) {
        defer { last = max(time, last ?? time) }
        guard let last, time > last else { return }
        if intervals.count == Self.maximumIntervals { intervals.removeFirst() }
        intervals.append(time - last)
    }

    /// Seconds between two frames; `nil` until some are known.
    package var seconds: Double? {
        intervals.count < Self.minimumIntervals ? nil : intervals.sorted()[intervals.count / 2]
    }
}
