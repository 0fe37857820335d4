import Foundation
import Poses

/// A jump of a source's time stamps: the source's clock was set, or a recording has a gap.
public struct TimeJump: Sendable, Equatable {
    /// The newest time before the jump, in seconds on the source's clock.
    public let from: Double
    /// The first time after the jump.
    public let to: Double

    /// Creates a jump between two times.
    package init(from: Double, to: Double) {
        self.from = from
        self.to = to
    }

    /// Whether the times jump back. Open sets and sessions then cannot continue.
    public var isBackward: Bool { to < from }

    /// The log message for operators.
    public func message(about source: String) -> String {
        let times = [from, to].map { String(format: "%.3f", $0) }
        return "\(source): the time stamps jump from \(times[0]) s to \(times[1]) s; recognition starts over there"
    }
}

/// Detects jumps of a source's time stamps, so that later stages start over instead of filling the gap.
struct TimeJumpDetector {
    /// The longest pause between two frames, in seconds. A longer one is a jump.
    private static let longestPauseSeconds = 10.0
    /// Times may step back this many seconds, since drivers deliver frames slightly out of order.
    private static let toleranceSeconds = 1.0

    private var newest: Double?

    /// The jump before the next frame; `nil` when the frame continues the one before it.
    ///
    /// - Parameter time: the time of the next frame, in seconds on the source's clock.
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

/// Replaces unusable times of frames by the latest usable one.
struct TimeRepair {
    /// About three hundred years in seconds. Arithmetic on such times is exact enough, and nothing overflows.
    private static let largestTime = 1e10

    private var newest = 0.0

    /// Whether a time is finite and not too large.
    static func isUsable(_ time: Double) -> Bool { abs(time) <= largestTime }

    /// The frame, with the latest usable time if its own is not usable.
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
