import Poses

/// Cuts off the time before somebody begins and after they have ended.
public enum StillnessTrim {
    /// Mean speed of the limbs below which a person stands still, trunk lengths per second.
    static let stillSpeed: Float = 0.35
    /// Kept on either side, lest the first and last repetition lose their edges.
    static let marginSeconds = 0.3

    /// The clip from the first to the last motion; `nil` when there is less than a second of it.
    public static func trimmed(_ clip: LabelledClip) -> LabelledClip? {
        let span = Int((0.2 * clip.rate).rounded())
        guard clip.frames > 2 * span, span > 0 else { return nil }
        let trunk = trunk(of: clip)
        let moving = (0..<clip.frames - span).filter { speed(clip, from: $0, to: $0 + span) / trunk > stillSpeed }
        guard let first = moving.first, let last = moving.last else { return nil }
        let start = Double(first) / clip.rate - marginSeconds, end = Double(last + span) / clip.rate + marginSeconds
        guard end - start >= 1 + 2 * marginSeconds else { return nil }
        return clip.cut(from: max(start, 0), to: end, name: clip.name)
    }

    private static let limbs: [Joint] = [
        .leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
        .leftShoulder, .rightShoulder, .leftHip, .rightHip,
    ]

    /// Picture heights per second.
    private static func speed(_ clip: LabelledClip, from first: Int, to last: Int) -> Float {
        var sum: Float = 0, count: Float = 0
        for joint in limbs {
            guard let a = point(clip, joint, first), let b = point(clip, joint, last) else { continue }
            let way = b - a
            sum += (way * way).sum().squareRoot()
            count += 1
        }
        return count > 0 ? sum / count / Float(Double(last - first) / clip.rate) : 0
    }

    /// The trunk's length, picture heights: its upper quartile, since a trunk bent towards the camera looks short.
    private static func trunk(of clip: LabelledClip) -> Float {
        let lengths = (0..<clip.frames).compactMap { frame -> Float? in
            guard let neck = point(clip, .neck, frame), let left = point(clip, .leftHip, frame),
                let right = point(clip, .rightHip, frame)
            else { return nil }
            let way = neck - (left + right) / 2
            return (way * way).sum().squareRoot()
        }.sorted()
        return lengths.isEmpty ? 0.2 : max(lengths[lengths.count * 3 / 4], 0.01)
    }

    private static func point(_ clip: LabelledClip, _ joint: Joint, _ frame: Int) -> SIMD2<Float>? {
        let index = frame * KeypointFrame.count + 3 * joint.rawValue
        guard clip.keypoints[index + 2] > 0.3 else { return nil }
        return SIMD2(clip.keypoints[index] * clip.aspect, clip.keypoints[index + 1])
    }
}
