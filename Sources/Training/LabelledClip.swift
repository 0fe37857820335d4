/// A stretch of one person's poses, all of one action: what the classifier learns from.
public struct LabelledClip: Sendable {
    /// Where it came from; used in reports.
    public let name: String
    public let label: String
    /// The same person or source: never split over training and validation.
    public let group: String
    /// Frames per second.
    public let rate: Double
    /// Width divided by height of the picture.
    public let aspect: Float
    /// `[frames, 18, 3]`: x and y as fractions from the top left, confidence; 0 = missing.
    public var keypoints: [Float]

    public init(name: String, label: String, group: String, rate: Double, aspect: Float, keypoints: [Float]) {
        self.name = name
        self.label = label
        self.group = group
        self.rate = rate
        self.aspect = aspect
        self.keypoints = keypoints
    }

    public var frames: Int { keypoints.count / KeypointFrame.count }

    /// Share of the frames in which any joint was seen, 0…1.
    public var posedShare: Float {
        guard frames > 0 else { return 0 }
        return Float((0..<frames).count { KeypointFrame.hasPose(keypoints, frame: $0) }) / Float(frames)
    }

    /// The same clip under another label or group.
    public func with(label: String? = nil, group: String? = nil) -> LabelledClip {
        LabelledClip(
            name: name, label: label ?? self.label, group: group ?? self.group, rate: rate, aspect: aspect,
            keypoints: keypoints)
    }

    /// The same movement at another rate, sampled by time; it ends with the last sample that the clip covers.
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
}

/// The 54 numbers of one pose inside `[frames, 18, 3]`, and how to read between two of them.
enum KeypointFrame {
    static let joints = 18
    static let count = 3 * joints

    static func hasPose(_ keypoints: [Float], frame: Int) -> Bool {
        (0..<joints).contains { keypoints[frame * count + 3 * $0 + 2] > 0 }
    }

    /// Reads the pose at a fractional frame: linear between two sightings of a joint, the nearer frame if either
    /// side is missing. Positions outside the clip are taken at its ends.
    static func read(_ source: [Float], at position: Float, into target: inout [Float], frame: Int) {
        let last = source.count / count - 1
        let clamped = min(max(position, 0), Float(last))
        let low = Int(clamped)
        blend(
            (source, low), (source, min(low + 1, last)), weight: clamped - Float(low), into: &target, frame: frame)
    }

    /// `a · (1 − weight) + b · weight` per joint, by the rule of ``read(_:at:into:frame:)``.
    static func blend(
        _ a: ([Float], Int), _ b: ([Float], Int), weight: Float, into target: inout [Float], frame: Int
    ) {
        for joint in 0..<joints {
            let first = a.1 * count + 3 * joint, second = b.1 * count + 3 * joint
            let share = a.0[first + 2] > 0 && b.0[second + 2] > 0 ? weight : weight < 0.5 ? 0 : 1
            for part in 0..<3 {
                target[frame * count + 3 * joint + part] = a.0[first + part] * (1 - share) + b.0[second + part] * share
            }
        }
    }
}
