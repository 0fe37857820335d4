/// One person's poses on the tick grid, window after window, for whoever looks further back than a window.
public struct PoseBuffer: Sendable {
    /// Frames per second.
    public let rate: Double
    /// Seconds on the source's clock of the first frame kept.
    public private(set) var start = 0.0
    public private(set) var aspect: Float = 1
    /// `[frames, 18, 3]`, as in ``PoseWindow``; zeros where there was no pose.
    public private(set) var keypoints: [Float] = []
    private let longest: Int

    /// - Parameter longestSeconds: older frames are forgotten.
    public init(rate: Double, longestSeconds: Double = .infinity) {
        self.rate = rate
        longest = longestSeconds.isFinite ? Int(longestSeconds * rate) : .max
    }

    public var frames: Int { keypoints.count / PoseHistory.width }
    public var end: Double { start + Double(frames) / rate }

    /// Adds what a window shows that is not known yet. Windows come in order of time.
    public mutating func add(_ window: PoseWindow) {
        if frames == 0 {
            start = window.start
            aspect = window.aspect
        }
        let known = Int(((end - window.start) * rate).rounded())
        if known < 0 {
            // Nobody was seen for a while. What is far back is of no use, and not worth its memory.
            let gap = min(-known, longest == .max ? -known : longest)
            start += Double(-known - gap) / rate
            keypoints += [Float](repeating: 0, count: gap * PoseHistory.width)
        }
        let fresh = max(0, min(known, window.frames))
        keypoints += window.keypoints[(fresh * PoseHistory.width)...]
        forget(frames - longest)
    }

    /// Forgets everything before a time.
    public mutating func forget(before time: Double) { forget(Int(((time - start) * rate).rounded())) }

    /// The frames of a stretch of time, as far as they are known.
    public func stretch(from first: Double, to last: Double) -> PoseStretch {
        let from = min(max(0, Int(((first - start) * rate).rounded())), frames)
        let to = min(max(from, Int(((last - start) * rate).rounded())), frames)
        return PoseStretch(
            start: start + Double(from) / rate, rate: rate, aspect: aspect,
            keypoints: Array(keypoints[from * PoseHistory.width..<to * PoseHistory.width]))
    }

    /// A segment and half a second around it, in which its first repetition may begin and its last one end.
    public func stretch(around segment: ActionSegment) -> PoseStretch {
        stretch(from: segment.start - 0.5, to: segment.end + 0.5)
    }

    private mutating func forget(_ count: Int) {
        guard count > 0 else { return }
        let count = min(count, frames)
        keypoints.removeFirst(count * PoseHistory.width)
        start += Double(count) / rate
    }
}

/// Poses of one person, evenly spaced in time.
public struct PoseStretch: Sendable, Equatable {
    /// The time of the first frame, seconds on the source's clock.
    public let start: Double
    /// Frames per second.
    public let rate: Double
    /// Width divided by height of the picture.
    public let aspect: Float
    /// `[frames, 18, 3]`: x and y as fractions from the top left, confidence; zeros where there was no pose.
    public let keypoints: [Float]

    public init(start: Double, rate: Double, aspect: Float, keypoints: [Float]) {
        self.start = start
        self.rate = rate
        self.aspect = aspect
        self.keypoints = keypoints
    }

    public var frames: Int { keypoints.count / PoseHistory.width }
    public var end: Double { time(of: frames) }
    public func time(of frame: Int) -> Double { start + Double(frame) / rate }
}
