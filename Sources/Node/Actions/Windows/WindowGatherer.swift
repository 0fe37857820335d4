import Poses

/// Gathers each person's poses into windows on the model's time grid.
///
/// A camera rarely delivers exactly the model's rate, and a busy board drops frames. So poses are resampled by their
/// time stamps to ticks of 1 / rate: linearly between two sightings, but not across a gap. Training uses the same code.
/// The first window is complete after `window` ticks, the next ones every `stride` ticks.
public struct WindowGatherer {
    /// The model's windows, and whose poses are gathered.
    public struct Settings: Sendable {
        /// Frames in a window, as the model requires.
        public var window: Int
        /// Frames before the window that the model looks back.
        public var context: Int
        /// Frames between the starts of two windows, as the model requires.
        public var stride: Int
        /// Ticks per second, as the model requires.
        public var rateHz: Double
        /// Who gets windows.
        public var subjects: Subjects

        /// Creates settings.
        public init(
            window: Int = 60, context: Int = 0, stride: Int = 10, rateHz: Double = 30, subjects: Subjects = .prominent
        ) {
            self.window = window
            self.context = context
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

    /// Poses are interpolated between sightings that are at most this many seconds apart. At low frame rates the limit
    /// is ``gapIntervals`` times the source's frame interval, but at most `KeypointFrame.longestGapSeconds`.
    ///
    /// Measured on rendered clips: repetitions are counted down to 2 Hz, where two frames are 0.5 s apart.
    private static let usualGap = 0.25
    private static let gapIntervals = 1.6
    /// Seconds after which a person who is not seen gets no more windows.
    private static let graceSeconds = 1.0

    private let settings: Settings
    /// The jump of the times before the newest frame; `nil` without one.
    package private(set) var jump: TimeJump?
    private var jumps = TimeJumpDetector()
    private var interval = SightingInterval()
    /// What is known of a tracked person.
    private struct Person {
        var continuity = TrackContinuity()
        var history: PoseHistory
        var sightings = SightingInterval()
        /// The first tick that waits for a sighting that is not doubtful.
        var doubtfulSince: Int?
        /// The tick after the newest frame with this person.
        var seen = 0
    }

    private var people: [Int: Person] = [:]
    private var origin: Double?
    private var nextTick = 0

    /// Starts without poses.
    public init(_ settings: Settings) { self.settings = settings }

    /// Adds the next frame. Returns the windows that became complete with it, often none.
    ///
    /// Frames must be in order of time. A frame without a usable time is ignored. After a ``jump`` of the times windows
    /// start over.
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
        for track in frame.measured {
            var person = people[track.id] ?? Person(history: PoseHistory(capacity: capacity))
            person.sightings.add(frame.time)
            let verdict = person.continuity.judge(track.pose, at: frame.time, aspect: frame.aspect)
            // What was left out as doubtful is filled in when the movement goes on.
            let first = max(person.doubtfulSince ?? ticks.lowerBound, nextTick - capacity)
            switch verdict {
            case .isDoubtful: person.doubtfulSince = first
            case .startsAnew: person = Person(continuity: person.continuity, history: PoseHistory(capacity: capacity))
            case .goesOn: person.doubtfulSince = nil
            }
            if verdict != .isDoubtful {
                person.history.add(
                    track.pose, at: (frame.time - origin) * settings.rateHz,
                    through: (verdict == .goesOn ? first : ticks.lowerBound)..<nextTick,
                    longestGap: longestGap * settings.rateHz)
            }
            person.seen = nextTick
            people[track.id] = person
        }
        let windows = ticks.filter(completesWindow).flatMap { complete(at: $0, frame: frame) }
        let forgotten = nextTick - settings.window - Int(Self.graceSeconds * settings.rateHz)
        people = people.filter { $0.value.seen > forgotten }
        return windows
    }

    /// Goes on with the poses of a track under the number that the person had before.
    mutating func rename(_ track: Int, to earlier: Int) { people[earlier] = people.removeValue(forKey: track) }

    /// The number of ticks to remember. A frame may complete several windows, the first of which ends up to the longest
    /// gap before the frame.
    private var capacity: Int {
        settings.context + settings.window + Int((KeypointFrame.longestGapSeconds * settings.rateHz).rounded(.up)) + 1
    }

    private mutating func startOver() {
        (people, origin, nextTick) = ([:], nil, 0)
        interval = SightingInterval()
    }

    /// The most seconds between two sightings that belong to one movement.
    private var longestGap: Double {
        min(max(Self.usualGap, Self.gapIntervals * (interval.seconds ?? 0)), KeypointFrame.longestGapSeconds)
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
            case .everyone: people.filter { $0.value.history.lastTick > recent }.keys.sorted()
            }
        let windows = subjects.compactMap { track in
            people[track].map {
                window(
                    of: track, history: $0.history, endingAt: tick, aspect: frame.aspect,
                    sightingSeconds: $0.sightings.seconds)
            }
        }
        return windows.isEmpty ? [window(of: nil, history: nil, endingAt: tick, aspect: frame.aspect)] : windows
    }

    private func window(
        of track: Int?, history: PoseHistory?, endingAt tick: Int, aspect: Float, sightingSeconds: Double? = nil
    ) -> PoseWindow {
        let first = tick + 1 - settings.window
        let (keypoints, posed) =
            history?.poses(from: first, through: tick)
            ?? ([Float](repeating: 0, count: settings.window * PoseHistory.width), 0)
        let context = history?.poses(from: first - settings.context, through: first - 1).0 ?? []
        let start = (origin ?? 0) + Double(first) / settings.rateHz
        return PoseWindow(
            track: posed > 0 ? track : nil, start: start, end: start + Double(settings.window) / settings.rateHz,
            keypoints: keypoints, context: context, posedFrames: posed, aspect: aspect,
            sightingSeconds: sightingSeconds)
    }
}
