/// Decides which frames of a camera are processed when there is no time for all of them: every one, every second, …
///
/// Always processing the newest frame keeps a board at full load and leaves gaps of any length. Evenly spaced frames
/// with time to spare are better: a classifier needs only poses at 8 to 15 Hz. The stride follows from the measured
/// processing time and frame interval. It grows after two seconds of overload. It shrinks after five seconds with
/// clearly enough time for more frames.
public struct FrameSkipping: Sendable {
    /// The limits that the stride has to keep.
    public struct Settings: Sendable, Equatable {
        /// The share of one core that processing and decoding frames may use, 0…1.
        public var maximumLoad: Double
        /// The lowest rate, in processed frames per second, that skipping may lead to.
        public var minimumRateHz: Double

        /// Creates settings; the defaults suit a small board.
        public init(maximumLoad: Double = 0.85, minimumRateHz: Double = 8) {
            self.maximumLoad = maximumLoad
            self.minimumRateHz = minimumRateHz
        }
    }

    /// Seconds between two decisions about the stride.
    private static let measureSeconds = 1.0
    /// The number of consecutive decisions that must agree before the stride changes.
    private static let confirmations = (growing: 2, shrinking: 5)
    /// A smaller stride must leave this share of the permitted load free; otherwise it would soon grow again.
    private static let reserve = 0.2

    /// The load permitted for poses, as a share of a core, when the decoder alone uses up ``Settings/maximumLoad``.
    private static let minimumLoad = 0.05

    /// The stride: 1 processes every frame, 2 every second one.
    public private(set) var value = 1
    private let settings: Settings
    /// The camera's share of the processor; `nil` where nobody else uses it.
    private let share: SharedLoad.Share?
    /// The first index that may be accepted.
    private var next = Int.min
    /// The first and the last frame that arrived since the last decision.
    private var arrived: (first: (index: Int, time: Double), last: (index: Int, time: Double))?
    private var durations: [Double] = []
    /// The decoder's processor time at the last decision.
    private var decodedSeconds: Double?
    /// The strides that the last measurements call for, newest last.
    private var candidates: [(least: Int, comfortable: Int)] = []

    /// Starts with a stride of 1.
    ///
    /// - Parameter share: limits the load further, and is told the load that was measured.
    public init(_ settings: Settings = Settings(), share: SharedLoad.Share? = nil) {
        self.settings = settings
        self.share = share
    }

    /// The load that processing and decoding frames may cause now, as a share of a core.
    public var permittedLoad: Double { min(settings.maximumLoad, share?.permitted ?? .infinity) }

    /// Whether the next frame of the camera should be processed.
    ///
    /// - Parameters:
    ///   - index: counts every frame of the camera, including lost ones.
    ///   - time: the time of the frame, in seconds.
    public mutating func accepts(index: Int, time: Double) -> Bool {
        arrived = (arrived?.first ?? (index, time), (index, time))
        guard index >= next else { return false }
        next = index + value
        return true
    }

    /// Adds the processing time of an accepted frame, and adjusts the stride about once a second.
    ///
    /// - Parameter decodingSeconds: the processor time the source's decoder has used so far. The decoder also decodes
    ///   skipped frames, so its share of a core is subtracted from the permitted load.
    public mutating func add(_ duration: Duration, decodingSeconds: @autoclosure () -> Double = 0) {
        durations.append(duration.seconds)
        // With fewer than four durations an outlier cannot be recognised.
        guard let arrived, durations.count >= 4 else { return }
        let elapsed = arrived.last.time - arrived.first.time
        guard elapsed >= Self.measureSeconds else { return }
        let interval = elapsed / Double(max(1, arrived.last.index - arrived.first.index))
        let decoded = decodingSeconds()
        let decoding = max(0, decoded - (decodedSeconds ?? decoded)) / elapsed
        decodedSeconds = decoded
        share?.report(durations.reduce(0, +) / elapsed + decoding)
        // A single slow frame is no reason to skip more frames.
        let usual = durations.sorted().dropLast(max(1, durations.count / 20))
        updateStride(duration: usual.reduce(0, +) / Double(usual.count), interval: interval, decoding: decoding)
        durations = []
        self.arrived = nil
    }

    /// Changes the stride if enough measurements agree.
    ///
    /// - Parameters:
    ///   - duration: seconds to process one frame.
    ///   - interval: seconds between two frames of the camera.
    ///   - decoding: the decoder's share of a core.
    private mutating func updateStride(duration: Double, interval: Double, decoding: Double) {
        let maximumLoad = permittedLoad
        let largest = max(1, Int(1 / (interval * settings.minimumRateHz) + 1e-3))
        func stride(atLoad load: Double) -> Int {
            let left = max(load - decoding, Self.minimumLoad)
            return min(largest, max(1, Int((duration / (interval * left)).rounded(.up))))
        }
        candidates.append(
            (stride(atLoad: maximumLoad), stride(atLoad: maximumLoad * (1 - Self.reserve))))
        let least = candidates.suffix(Self.confirmations.growing).map(\.least).min() ?? value
        let comfortable = candidates.suffix(Self.confirmations.shrinking).map(\.comfortable).max() ?? value
        let grows = candidates.count >= Self.confirmations.growing && least > value
        let shrinks = candidates.count >= Self.confirmations.shrinking && comfortable < value
        if grows || shrinks {
            value = grows ? least : comfortable
            candidates = []
        }
        candidates = candidates.suffix(Self.confirmations.shrinking)
    }
}
