import Poses

/// Gathers each person's poses into windows on the model's own time grid.
///
/// A camera seldom delivers exactly the model's rate, and a busy board drops frames; so poses are resampled to ticks
/// of 1 / rate by their time stamps (linear between two sightings, nothing across a gap), and training goes through
/// the same code. A window is complete every `stride` ticks once `window` ticks have passed.
public struct WindowGatherer {
    public struct Settings: Sendable {
        /// Frames in a window, frames between windows, and their rate: the model says all three.
        public var window: Int
        public var stride: Int
        public var rateHz: Double
        public var subjects: Subjects

        public init(window: Int = 60, stride: Int = 10, rateHz: Double = 30, subjects: Subjects = .prominent) {
            self.window = window
            self.stride = stride
            self.rateHz = rateHz
            self.subjects = subjects
        }
    }

    /// Who gets windows.
    public enum Subjects: String, Sendable, CaseIterable {
        /// The largest person in view.
        case prominent
        /// Every person, each with their own windows.
        case everyone
    }

    /// Sightings of one person are joined by a straight line when they are at most this far apart, in seconds; at
    /// low frame rates, when they are at most ``gapIntervals`` of the source's intervals apart, up to ``longestGap``.
    ///
    /// Measured on rendered clips: repetitions are counted down to 2 Hz, where two frames are 0.5 s apart.
    private static let usualGap = 0.25
    private static let gapIntervals = 1.6
    private static let longestGap = 0.85
    /// Seconds after which a person who is not seen gets no more windows of their own.
    private static let graceSeconds = 1.0

    private let settings: Settings
    /// The break in the times before the newest frame, if there was one.
    package private(set) var jump: TimeJump?
    private var jumps = TimeJumpDetector()
    private var interval = SightingInterval()
    private var histories: [Int: PoseHistory] = [:]
    private var origin: Double?
    private var nextTick = 0

    public init(_ settings: Settings) { self.settings = settings }

    /// Takes the next frame; returns the windows that became complete with it, often none.
    ///
    /// Frames come in order of time; one whose time is no number is passed over. After a break in their times (``jump``) windows start over.
    public mutating func gather(_ frame: TrackedFrame) -> [PoseWindow] {
        jump = nil
        guard TimeRepair.isUsable(frame.time) else { return [] }
        jump = jumps.jump(before: frame.time)
        if jump != nil { startOver() }
        interval.add(frame.time)
        let origin = origin ?? frame.time
        self.origin = origin
        // A thousandth of a frame early still counts as on time.
        let lastTick = Int(((frame.time - origin) * settings.rateHz + 1e-3).rounded(.down))
        let ticks = nextTick..<max(nextTick, lastTick + 1)
        nextTick = ticks.upperBound
        let (longestGap, capacity) = (longestGap, capacity)
        for track in frame.tracks {
            histories[track.id, default: PoseHistory(capacity: capacity)].add(
                track.pose, at: (frame.time - origin) * settings.rateHz, through: ticks,
                longestGap: longestGap * settings.rateHz)
        }
        let windows = ticks.filter(completesWindow).flatMap { complete(at: $0, frame: frame) }
        let forgotten = nextTick - settings.window - Int(Self.graceSeconds * settings.rateHz)
        histories = histories.filter { $0.value.lastTick >= forgotten }
        return windows
    }

    /// A frame may complete several windows, the first of which ends as many ticks before it as the longest gap has.
    private var capacity: Int { settings.window + Int((Self.longestGap * settings.rateHz).rounded(.up)) + 1 }

    private mutating func startOver() {
        (histories, origin, nextTick) = ([:], nil, 0)
        interval = SightingInterval()
    }

    /// Seconds between two sightings that still belong to one movement.
    private var longestGap: Double {
        min(max(Self.usualGap, Self.gapIntervals * (interval.seconds ?? 0)), Self.longestGap)
    }

    private func completesWindow(_ tick: Int) -> Bool {
        let first = tick + 1 - settings.window
        return first >= 0 && first % settings.stride == 0
    }

    private func complete(at tick: Int, frame: TrackedFrame) -> [PoseWindow] {
        let recent = tick - Int(Self.graceSeconds * settings.rateHz)
        let subjects: [Int] =
            switch settings.subjects {
            case .prominent: frame.prominent.map { [$0] } ?? []
            case .everyone: histories.filter { $0.value.lastTick > recent }.keys.sorted()
            }
        let windows = subjects.compactMap { track in
            histories[track].map { window(of: track, history: $0, endingAt: tick, aspect: frame.aspect) }
        }
        return windows.isEmpty ? [window(of: nil, history: nil, endingAt: tick, aspect: frame.aspect)] : windows
    }

    private func window(of track: Int?, history: PoseHistory?, endingAt tick: Int, aspect: Float) -> PoseWindow {
        let first = tick + 1 - settings.window
        let (keypoints, posed) =
            history?.poses(from: first, through: tick)
            ?? ([Float](repeating: 0, count: settings.window * PoseHistory.width), 0)
        let start = (origin ?? 0) + Double(first) / settings.rateHz
        return PoseWindow(
            track: posed > 0 ? track : nil, start: start, end: start + Double(settings.window) / settings.rateHz,
            keypoints: keypoints, posedFrames: posed, aspect: aspect)
    }
}
