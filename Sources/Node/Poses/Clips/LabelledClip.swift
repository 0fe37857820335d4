/// Poses of one person doing one action: a training example of the classifier.
public struct LabelledClip: Sendable {
    /// Where the clip came from, for reports.
    public let name: String
    /// The action.
    public let label: String
    /// The person or source. Clips of one group are never split over training and validation.
    public let group: String
    /// Frames per second.
    public let rate: Double
    /// Width divided by height of the picture.
    public let aspect: Float
    /// `[frames, 18, 3]`: x and y as fractions from the top left, then confidence; 0 means missing.
    public var keypoints: [Float]

    /// Creates a clip from its parts.
    public init(name: String, label: String, group: String, rate: Double, aspect: Float, keypoints: [Float]) {
        self.name = name
        self.label = label
        self.group = group
        self.rate = rate
        self.aspect = aspect
        self.keypoints = keypoints
    }

    /// The number of frames.
    public var frames: Int { keypoints.count / KeypointFrame.count }
    /// The length in seconds.
    public var seconds: Double { Double(frames) / rate }

    /// Share of the frames in which any joint was seen, 0…1.
    public var posedShare: Float {
        guard frames > 0 else { return 0 }
        return Float((0..<frames).count { KeypointFrame.hasPose(keypoints, frame: $0) }) / Float(frames)
    }

    /// A copy with another name, label or group.
    public func with(name: String? = nil, label: String? = nil, group: String? = nil) -> LabelledClip {
        LabelledClip(
            name: name ?? self.name, label: label ?? self.label, group: group ?? self.group, rate: rate, aspect: aspect,
            keypoints: keypoints)
    }

    /// A copy at another rate, interpolated by time. It ends with the last sample that the clip covers.
    public func resampled(to newRate: Double) -> LabelledClip {
        guard newRate != rate, frames > 1 else { return self }
        // The small addition keeps the last frame when the division falls short of a whole number by rounding.
        let count = Int(Double(frames - 1) / rate * newRate + 1e-6) + 1
        var resampled = [Float](repeating: 0, count: count * KeypointFrame.count)
        for frame in 0..<count {
            let position = Float(Double(frame) * rate / newRate)
            KeypointFrame.read(keypoints, at: position, into: &resampled, frame: frame)
        }
        return LabelledClip(
            name: name, label: label, group: group, rate: newRate, aspect: aspect, keypoints: resampled)
    }

    /// A copy of at least this many frames: a shorter clip runs back and forth.
    package func lengthened(to count: Int) -> LabelledClip {
        guard frames > 1, frames < count else { return self }
        var longer = self
        for frame in frames..<count {
            let source = KeypointFrame.backAndForth(frame, count: frames) * KeypointFrame.count
            longer.keypoints += keypoints[source..<source + KeypointFrame.count]
        }
        return longer
    }

    /// The part between two times in seconds; `nil` if there is no such part.
    package func cut(from start: Double?, to end: Double?, name: String) -> LabelledClip? {
        let length = Double(frames) / rate
        let (start, end) = (start ?? 0, min(end ?? length, length))
        guard start >= 0, start < end, start.isFinite, end.isFinite else { return nil }
        let first = Int((start * rate).rounded()), last = min(Int((end * rate).rounded()), frames)
        guard first < last else { return nil }
        return LabelledClip(
            name: name, label: label, group: group, rate: rate, aspect: aspect,
            keypoints: Array(keypoints[first * KeypointFrame.count..<last * KeypointFrame.count]))
    }
}
