/// Decides which frames of a camera are looked at when there is no time for all of them: every one, every second, …
///
/// Taking whichever frame is newest keeps a board at full load and leaves gaps of any length. Evenly spaced frames at
/// some spare time are worth more: poses at 8 to 15 Hz are all a classifier needs. The stride follows from how long
/// frames take and how often they come, both measured; it grows after two seconds of too much load, and shrinks only
/// when five seconds long there was clearly time for more.
public struct FrameSkipping: Sendable {
    public struct Settings: Sendable, Equatable {
        /// The share of one core's time that may be spent on frames, their decoder's included, 0…1.
        public var maximumLoad: Double
        /// No frame is left out where that would make it fewer a second than so many.
        public var minimumRateHz: Double

        public init(maximumLoad: Double = 0.85, minimumRateHz: Double = 8) {
            self.maximumLoad = maximumLoad
            self.minimumRateHz = minimumRateHz
        }
    }

    /// The stride is thought over once a second.
    private static let measureSeconds = 1.0
    /// So many times in a row there must be too much load, or time for more, before the stride changes.
    private static let patience = (growing: 2, shrinking: 5)
    /// A smaller stride must leave this share of the permitted load free, or it would soon grow again.
    private static let reserve = 0.2

    /// What is left for poses beside a decoder that takes all, as a share of a core.
    private static let leastLoad = 0.05

    /// Every so many-th frame is taken.
    public private(set) var value = 1
    private let settings: Settings
    /// The first index that may be taken.
    private var next = Int.min
    /// The first and the last frame that came since the stride was last thought over.
    private var came: (first: (index: Int, time: Double), last: (index: Int, time: Double))?
    private var durations: [Double] = []
    /// What the decoder had used when the stride was last thought over.
    private var decodedSeconds: Double?
    /// What would have been right the last times, newest last.
    private var wishes: [(least: Int, comfortable: Int)] = []

    public init(_ settings: Settings = Settings()) { self.settings = settings }

    /// Whether the next frame of the camera is to be looked at.
    ///
    /// - Parameters:
    ///   - index: counts every frame of the camera, also those that were lost on the way.
    ///   - time: of the frame, in seconds.
    public mutating func accepts(index: Int, time: Double) -> Bool {
        came = (came?.first ?? (index, time), (index, time))
        guard index >= next else { return false }
        next = index + value
        return true
    }

    /// Learns how long a frame that was taken kept its taker busy.
    ///
    /// - Parameter decodingSeconds: the processor time the source's decoder has used so far. It decodes every frame, also
    ///   those that are left out, so its share of a core is taken off the permitted load.
    public mutating func add(_ duration: Duration, decodingSeconds: @autoclosure () -> Double = 0) {
        durations.append(duration.seconds)
        // Below four no outlier can be told.
        guard let came, durations.count >= 4, came.last.time - came.first.time >= Self.measureSeconds else { return }
        let elapsed = came.last.time - came.first.time
        let interval = elapsed / Double(max(1, came.last.index - came.first.index))
        let decoded = decodingSeconds()
        let decoding = max(0, decoded - (decodedSeconds ?? decoded)) / elapsed
        decodedSeconds = decoded
        // Anything may delay one frame; that is no reason to look at fewer.
        let usual = durations.sorted().dropLast(max(1, durations.count / 20))
        think(over: usual.reduce(0, +) / Double(usual.count), interval: interval, decoding: decoding)
        durations = []
        self.came = nil
    }

    /// - Parameters:
    ///   - duration: seconds that a frame takes.
    ///   - interval: seconds between two frames of the camera.
    ///   - decoding: the decoder's share of a core.
    private mutating func think(over duration: Double, interval: Double, decoding: Double) {
        let largest = max(1, Int(1 / (interval * settings.minimumRateHz) + 1e-3))
        func stride(atLoad load: Double) -> Int {
            let left = max(load - decoding, Self.leastLoad)
            return min(largest, max(1, Int((duration / (interval * left)).rounded(.up))))
        }
        wishes.append(
            (stride(atLoad: settings.maximumLoad), stride(atLoad: settings.maximumLoad * (1 - Self.reserve))))
        let least = wishes.suffix(Self.patience.growing).map(\.least).min() ?? value
        let comfortable = wishes.suffix(Self.patience.shrinking).map(\.comfortable).max() ?? value
        let grows = wishes.count >= Self.patience.growing && least > value
        let shrinks = wishes.count >= Self.patience.shrinking && comfortable < value
        if grows || shrinks {
            value = grows ? least : comfortable
            wishes = []
        }
        wishes = wishes.suffix(Self.patience.shrinking)
    }
}
