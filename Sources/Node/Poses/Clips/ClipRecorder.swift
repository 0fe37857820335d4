/// Records the prominent person's poses as a clip with a fixed rate, from frames at irregular times.
///
/// Between sightings that are too far apart for one movement nobody is shown. Pauses longer than ``longestPause`` are
/// shortened to it.
public struct ClipRecorder {
    /// In seconds: long enough that no window sees both sides.
    private static let longestPause = 10.0

    private let rate: Double
    /// What is subtracted from the times.
    private var first: Double?
    private var aspect: Float = 1
    private var sightings: [(time: Double, keypoints: [Float])] = []

    /// - Parameter rate: frames per second of the clip.
    public init(rate: Double) { self.rate = rate }

    /// Seconds since the first frame.
    public var seconds: Double { (sightings.last?.time ?? 0) }

    /// Adds a frame. Frames must come in order of time.
    public mutating func add(_ frame: TrackedFrame) {
        let person = frame.tracks.first { $0.id == frame.prominent }
        // A person who rests is interpolated between two looks.
        guard person?.isMeasured != false else { return }
        add(person?.pose, at: frame.time, aspect: frame.aspect)
    }

    /// Adds a pose; `nil` where the person is not in view. Poses must come in order of time.
    ///
    /// - Parameters:
    ///   - time: in seconds.
    ///   - aspect: width divided by height of the picture.
    package mutating func add(_ pose: Pose?, at time: Double, aspect: Float) {
        var first = first ?? time
        let last = sightings.last?.time ?? 0
        first = max(first, time - last - Self.longestPause)
        self.first = first
        self.aspect = aspect
        sightings.append((time - first, pose.map(KeypointFrame.values) ?? KeypointFrame.missing))
    }

    /// The clip so far, without label; `nil` when nobody was seen.
    public func clip() -> LabelledClip? {
        guard sightings.contains(where: { $0.keypoints.contains { $0 != 0 } }) else { return nil }
        let count = Int(seconds * rate + 1e-6) + 1
        var keypoints = [Float](repeating: 0, count: count * KeypointFrame.count)
        var next = 0
        for frame in 0..<count {
            let time = Double(frame) / rate
            while next + 1 < sightings.count && sightings[next + 1].time <= time { next += 1 }
            let (a, b) = (sightings[next], sightings[min(next + 1, sightings.count - 1)])
            let weight = b.time > a.time ? Float((time - a.time) / (b.time - a.time)) : 0
            if b.time - a.time > KeypointFrame.longestGapSeconds, time - a.time > 0.5 / rate, b.time - time > 0.5 / rate
            {
                continue
            }
            KeypointFrame.blend((a.keypoints, 0), (b.keypoints, 0), weight: weight, into: &keypoints, frame: frame)
        }
        return LabelledClip(name: "", label: "", group: "", rate: rate, aspect: aspect, keypoints: keypoints)
    }
}
