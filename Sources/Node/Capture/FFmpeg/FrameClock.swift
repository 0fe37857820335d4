/// Gives the pictures of a recording or stream their times: seconds since the first one, always growing.
///
/// The times are those of the pictures themselves, so that a pause lasts as long as it did. A live stream whose format
/// has no time stamps gets the times of arrival.
package struct FrameClock: Sendable {
    /// Where the times come from.
    package enum Source: Sendable {
        /// Time stamps in seconds. Longer gaps count as an error of the clock, and become `mendedGapSeconds`.
        case stamps(longestGapSeconds: Double)
        /// The moments of arrival. Pictures that come sooner than they are wanted are left out.
        case arrival
    }

    /// What a gap becomes that is longer than a recording can pause.
    static let mendedGapSeconds = 10.0
    /// A picture that lies further back belongs to a clock that began anew; a nearer one came out of order.
    private static let reorderingSeconds = 1.0
    /// A part of the interval by which a picture may come early, because networks and cameras are not even.
    private static let tolerance = 0.25

    let source: Source
    /// The rate that is wanted at most; the pictures of a clock that began anew follow at this rate.
    let rateHz: Double
    /// The time of the last picture.
    private(set) var time: Double?
    /// How far the last picture is from the first by their time stamps, gaps included.
    private(set) var position = 0.0
    private var first: (stamp: Double, arrival: ContinuousClock.Instant)?
    private var newestStamp = 0.0
    /// When the next picture is wanted, in seconds since the first one.
    private var due = 0.0

    /// Starts before the first picture.
    package init(_ source: Source, rateHz: Double) {
        self.source = source
        self.rateHz = rateHz
    }

    /// The time of the next picture; `nil` for one that is not wanted.
    ///
    /// - Parameters:
    ///   - stamp: its time stamp in seconds; `nil` without one.
    ///   - arrival: when it was read.
    package mutating func next(stamp: Double?, arrival: ContinuousClock.Instant) -> Double? {
        guard let first, let last = time else {
            first = (stamp ?? 0, arrival)
            (time, newestStamp, due) = (0, stamp ?? 0, 1 / rateHz)
            return 0
        }
        switch source {
        case .stamps(let longest):
            let new = last + step(stamp ?? newestStamp + 1 / rateHz, longest)
            position = max(position, newestStamp - first.stamp)
            time = new
            return new
        case .arrival:
            let now = first.arrival.duration(to: arrival).seconds
            guard now > last, now >= due - Self.tolerance / rateHz else { return nil }
            // The next one is due at an even distance, unless this one is late.
            due = max(due + 1 / rateHz, now)
            time = now
            return now
        }
    }

    /// Seconds from the last picture to the one with this time stamp.
    private mutating func step(_ stamp: Double, _ longest: Double) -> Double {
        let ahead = stamp - newestStamp
        // A picture out of order keeps its place in the sequence.
        if ahead <= 0 && -ahead < Self.reorderingSeconds { return 1e-3 / rateHz }
        newestStamp = stamp
        if ahead <= 0 { return 1 / rateHz }
        return ahead > longest ? Self.mendedGapSeconds : ahead
    }
}
