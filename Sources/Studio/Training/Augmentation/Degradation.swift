import NeuralNet
import Poses

/// Degrades a clip artificially, to measure how much a model loses by it.
public struct Degradation: Sendable {
    /// Poses per second, as on a loaded board; `nil` keeps the clip's rate.
    public var rateHz: Double?
    /// Share of the joints that are missing in the whole clip, 0…1.
    public var droppedJoints: Float

    /// No degradation by default.
    public init(rateHz: Double? = nil, droppedJoints: Float = 0) {
        self.rateHz = rateHz
        self.droppedJoints = droppedJoints
    }

    /// The degraded clip. The same seed drops the same joints.
    public func applied(to clip: LabelledClip, seed: UInt64) -> LabelledClip {
        // Fewer poses per second, which recognition resamples to its own rate again.
        var clip = rateHz.map { clip.resampled(to: min($0, clip.rate)).resampled(to: clip.rate) } ?? clip
        guard droppedJoints > 0 else { return clip }
        var random = RandomSource(seed: seed)
        let dropped = (0..<KeypointFrame.joints).filter { _ in random.chance(droppedJoints) }
        for frame in 0..<clip.frames {
            for joint in dropped {
                let index = frame * KeypointFrame.count + 3 * joint
                clip.keypoints.replaceSubrange(index..<index + 3, with: repeatElement(0, count: 3))
            }
        }
        return clip
    }
}
