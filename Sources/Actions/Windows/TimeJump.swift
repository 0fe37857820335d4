import Foundation
import Poses

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

/// Gives frames whose times are no seconds of any clock the newest time that was one.
struct TimeRepair {
    /// Three hundred years; arithmetic with such times is exact enough, and nothing overflows.
    private static let largestTime = 1e10

    private var newest = 0.0

    /// Whether a time can be reckoned with: a number, and not too large.
    static func isUsable(_ time: Double) -> Bool { abs(time) <= largestTime }

    mutating func repair(_ frame: TrackedFrame) -> TrackedFrame {
        guard !Self.isUsable(frame.time) else {
            newest = frame.time
            return frame
        }
        return TrackedFrame(
            index: frame.index, time: newest, image: frame.image, widthPixels: frame.widthPixels,
            heightPixels: frame.heightPixels, tracks: frame.tracks, prominent: frame.prominent)
    }
}
