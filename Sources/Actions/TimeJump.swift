import Foundation

/// A break in a source's time stamps: the source's clock was set, or a recording has a hole.
public struct TimeJump: Sendable, Equatable {
    /// The newest time before the break and the first one after it, seconds on the source's clock.
    public let from: Double
    public let to: Double

    package init(from: Double, to: Double) {
        self.from = from
        self.to = to
    }

    /// `true` when the times begin again at an earlier one; then nothing that is open can go on.
    public var isBackward: Bool { to < from }

    /// What an operator reads.
    public func message(about source: String) -> String {
        let times = [from, to].map { String(format: "%.3f", $0) }
        return "\(source): the time stamps jump from \(times[0]) s to \(times[1]) s; recognition starts over there"
    }
}

/// Finds breaks in a source's time stamps, so that the stages behind it start over instead of filling the hole.
struct TimeJumpDetector {
    /// Frames that come later than this, in seconds, do not continue what was before them.
    private static let longestPauseSeconds = 10.0
    /// Drivers deliver frames slightly out of order; times that step back further than this, in seconds, are a break.
    private static let toleranceSeconds = 1.0

    private var newest: Double?

    /// - Parameter time: of the next frame, seconds on the source's clock.
    /// - Returns: the break before this frame; `nil` when the frame continues the one before it.
    mutating func jump(before time: Double) -> TimeJump? {
        guard let last = newest else {
            newest = time
            return nil
        }
        guard time < last - Self.toleranceSeconds || time - last > Self.longestPauseSeconds else {
            newest = max(last, time)
            return nil
        }
        newest = time
        return TimeJump(from: last, to: time)
    }
}
