/// Everybody's poses on the tick grid, for whoever looks at a whole recording.
///
/// After a pause of more than ``longestPauseSeconds``, or when times begin again, a person's reel starts anew: memory
/// follows what was seen, not how long the recording says it is.
public struct PoseBuffers: Sendable {
    private static let longestPauseSeconds = 10.0

    private let rate: Double
    /// Of each person, in order of time.
    private var reels: [Int: [PoseBuffer]] = [:]

    /// - Parameter rate: frames per second of the tick grid.
    public init(rate: Double) { self.rate = rate }

    /// Adds a window of a followed person; windows of nobody are passed over.
    public mutating func add(_ window: PoseWindow) {
        guard let track = window.track else { return }
        var own = reels[track] ?? []
        if let end = own.last?.end, window.start - end <= Self.longestPauseSeconds, window.end >= end {
            own[own.count - 1].add(window)
        } else {
            var reel = PoseBuffer(rate: rate)
            reel.add(window)
            own.append(reel)
        }
        reels[track] = own
    }

    /// The reel a segment lies in; `nil` where the person was not seen.
    public func stretch(around segment: ActionSegment) -> PoseStretch? {
        let middle = (segment.start + segment.end) / 2
        let own = reels[segment.track] ?? []
        return (own.last { $0.start <= middle } ?? own.first)?.stretch(around: segment)
    }

    /// Every reel from its first to its last pose, in order of person, then time.
    public var stretches: [PoseStretch] {
        reels.sorted { $0.key < $1.key }.flatMap { $0.value }.map { $0.stretch(from: $0.start, to: $0.end) }
    }
}
