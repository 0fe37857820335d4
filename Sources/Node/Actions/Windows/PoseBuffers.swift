/// Everyone's poses on the tick grid, for analysing a whole recording.
///
/// A person gets a new buffer after a pause of more than ten seconds, and when times go backwards. Memory is thus
/// proportional to the poses, not to the time stamps.
public struct PoseBuffers: Sendable {
    private static let longestPauseSeconds = 10.0

    private let rate: Double
    /// The buffers of each person, in order of time.
    private var buffers: [Int: [PoseBuffer]] = [:]

    /// Creates empty buffers.
    ///
    /// - Parameter rate: frames per second of the tick grid.
    public init(rate: Double) { self.rate = rate }

    /// Adds a window of a tracked person. Windows without a person are ignored.
    public mutating func add(_ window: PoseWindow) {
        guard let track = window.track else { return }
        var own = buffers[track] ?? []
        if let end = own.last?.end, window.start - end <= Self.longestPauseSeconds, window.end >= end {
            own[own.count - 1].add(window)
        } else {
            var buffer = PoseBuffer(rate: rate)
            buffer.add(window)
            own.append(buffer)
        }
        buffers[track] = own
    }

    /// All buffers, in order of person, then time.
    public var stretches: [PoseStretch] {
        buffers.sorted { $0.key < $1.key }.flatMap { $0.value }.map { $0.stretch(from: $0.start, to: $0.end) }
    }
}
