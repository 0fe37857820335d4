/// One person's poses on the tick grid, joined from overlapping windows, for looking back further than one window.
public struct PoseBuffer: Sendable {
    /// Frames per second.
    public let rate: Double
    /// The time of the first frame in the buffer, in seconds on the source's clock.
    public private(set) var start = 0.0
    /// Width divided by height of the picture.
    public private(set) var aspect: Float = 1
    /// `[frames, 18, 3]`, as in ``PoseWindow``; zeros where there was no pose.
    public private(set) var keypoints: [Float] = []
    /// Seconds between the newest sightings; `nil` when unknown.
    private var sightingSeconds: Double?
    private let longest: Int

    /// Creates an empty buffer.
    ///
    /// - Parameters:
    ///   - rate: frames per second.
    ///   - longestSeconds: the length of the buffer; older frames are removed.
    public init(rate: Double, longestSeconds: Double = .infinity) {
        self.rate = rate
        longest = longestSeconds.isFinite ? Int(longestSeconds * rate) : .max
    }

    /// The number of frames in the buffer.
    public var frames: Int { keypoints.count / PoseHistory.width }
    /// The time after the last frame, in seconds on the source's clock.
    public var end: Double { start + Double(frames) / rate }

    /// Adds the frames of a window that are new. Windows must be in order of time.
    public mutating func add(_ window: PoseWindow) {
        if frames == 0 {
            start = window.start
            aspect = window.aspect
        }
        sightingSeconds = window.sightingSeconds ?? sightingSeconds
        let known = Int(((end - window.start) * rate).rounded())
        if known < 0 {
            // The person was not seen for a while. A gap longer than the buffer needs no more memory than the buffer.
            let gap = min(-known, longest == .max ? -known : longest)
            start += Double(-known - gap) / rate
            keypoints += [Float](repeating: 0, count: gap * PoseHistory.width)
        }
        let fresh = max(0, min(known, window.frames))
        keypoints += window.keypoints[(fresh * PoseHistory.width)...]
        removeFirst(frames - longest)
    }

    /// Removes everything before a time.
    public mutating func forget(before time: Double) { removeFirst(Int(((time - start) * rate).rounded())) }

    /// The frames between two times, as far as the buffer holds them.
    public func stretch(from first: Double, to last: Double) -> PoseStretch {
        let from = min(max(0, Int(((first - start) * rate).rounded())), frames)
        let to = min(max(from, Int(((last - start) * rate).rounded())), frames)
        return PoseStretch(
            start: start + Double(from) / rate, rate: rate, aspect: aspect,
            keypoints: Array(keypoints[from * PoseHistory.width..<to * PoseHistory.width]),
            sightingSeconds: sightingSeconds)
    }

    private mutating func removeFirst(_ count: Int) {
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
    /// Seconds between two sightings of the person, between which poses are interpolated; `nil` when unknown.
    public let sightingSeconds: Double?

    /// Creates a stretch from its parts.
    public init(start: Double, rate: Double, aspect: Float, keypoints: [Float], sightingSeconds: Double? = nil) {
        self.start = start
        self.rate = rate
        self.aspect = aspect
        self.keypoints = keypoints
        self.sightingSeconds = sightingSeconds
    }

    /// The number of frames.
    public var frames: Int { keypoints.count / PoseHistory.width }
    /// The time after the last frame, in seconds on the source's clock.
    public var end: Double { time(of: frames) }
    /// The time of a frame, in seconds on the source's clock.
    public func time(of frame: Int) -> Double { start + Double(frame) / rate }
}
