import NeuralNet
import Poses

/// The input features of the classifier: the positions of the joints relative to the body's root, their velocities and
/// their confidences. They do not depend on the position in the picture, on the person's size or on the picture's
/// shape.
///
/// Channels of a frame, in this order:
///
/// | channels | what |
/// |---|---|
/// | 36 | joints around the root, x then y, in body sizes |
/// | 2 | the root's position relative to its mean over the window |
/// | 16 | bones (``bones``), end minus start |
/// | 38 | velocities of the first 38: five times the central difference; 0 in the first and the last frame |
/// | 18 | confidences, 0 where a joint was missing |
///
/// y points up, and both axes have the same unit. Training and recognition share this code. A golden file made by an
/// independent program (`Tests/Fixtures/make_features_golden.py`) verifies it.
public enum PoseFeatures {
    /// Increases whenever the same poses give other values. A model works only with its own version.
    public static let version = 1
    /// The number of features per frame.
    public static let channels = 36 + 2 + 16 + 38 + 18

    /// Upper arms, forearms, thighs and shins. On two-dimensional poses, bones give better results than joints
    /// (ST-GCN++, PYSKL).
    public static let bones: [(from: Joint, to: Joint)] = [
        (.rightShoulder, .rightElbow), (.rightElbow, .rightWrist),
        (.leftShoulder, .leftElbow), (.leftElbow, .leftWrist),
        (.rightHip, .rightKnee), (.rightKnee, .rightAnkle), (.leftHip, .leftKnee), (.leftKnee, .leftAnkle),
    ]

    /// Below this confidence a joint counts as missing.
    static let minimumConfidence: Float = 0.1
    /// Positions are clipped to this many body sizes.
    static let farthestPosition: Float = 6
    /// Velocities are clipped to this.
    static let farthestVelocity: Float = 4
    private static let joints = 18
    /// Channels with velocities: the joints and the root.
    private static let moving = 38

    /// What the slow branch sees: every `step`-th frame of the context and the window, the newest frame included.
    ///
    /// - Parameters:
    ///   - window: `[frames, 18, 3]`
    ///   - before: `[frames, 18, 3]` before the window; what is missing at its beginning is empty.
    package static func slowFrames(
        of window: [Float], after before: [Float], _ context: ModelDescription.Context
    ) -> [Float] {
        let width = 3 * joints
        let missing = max(context.frames - before.count / width, 0)
        let all = [Float](repeating: 0, count: missing * width) + before + window
        let count = all.count / width
        let frames = count / context.step
        var slow = [Float]()
        slow.reserveCapacity(frames * width)
        for frame in 0..<frames {
            let source = (count - 1 - (frames - 1 - frame) * context.step) * width
            slow += all[source..<source + width]
        }
        return slow
    }

    /// Computes what the network sees: the features of the window, then those of the slow branch if there is one.
    ///
    /// - Parameters:
    ///   - window: `[frames, 18, 3]`
    ///   - before: `[frames, 18, 3]` before the window; what is missing at its beginning is empty.
    ///   - context: `nil` for a network without a slow branch.
    ///   - aspect: width divided by height of the picture.
    ///   - features: holds the values of all these frames.
    package static func compute(
        window: [Float], after before: [Float], _ context: ModelDescription.Context?, aspect: Float,
        into features: UnsafeMutablePointer<Float>
    ) {
        compute(keypoints: window, aspect: aspect, into: features)
        guard let context else { return }
        compute(
            keypoints: slowFrames(of: window, after: before, context), aspect: aspect, step: context.step,
            into: features + window.count / (3 * joints) * channels)
    }

    /// Computes the features of a window.
    ///
    /// - Parameters:
    ///   - keypoints: `[frames, 18, 3]`: x and y as fractions of the picture from the top left, confidence.
    ///   - aspect: width divided by height of the picture.
    ///   - step: how many frames of the source lie between two of these. Velocities are those of the source's frames.
    /// - Returns: `[frames, channels]`
    public static func compute(keypoints: [Float], aspect: Float, step: Int = 1) -> Tensor<Float> {
        let frames = keypoints.count / (3 * joints)
        return Tensor(shape: [frames, channels]) { compute(keypoints: keypoints, aspect: aspect, step: step, into: $0) }
    }

    /// Computes the features of a window into memory of the caller, which must hold `frames · channels` values.
    /// Training uses this for a whole batch.
    public static func compute(
        keypoints: [Float], aspect: Float, step: Int = 1, into features: UnsafeMutablePointer<Float>
    ) {
        let frames = keypoints.count / (3 * joints)
        precondition(frames > 0 && keypoints.count == frames * 3 * joints, "key points are [frames, 18, 3]")
        let body = BodyPath(keypoints: keypoints, aspect: aspect)
        let size = body.size
        let center = body.roots.reduce(SIMD2<Float>(), +) / Float(frames)
        for frame in 0..<frames {
            let row = features + frame * channels
            let root = body.roots[frame]
            for joint in 0..<joints {
                let position = body.hasSeen[joint] ? (body.positions[frame * joints + joint] - root) / size : .zero
                write(position, limit: farthestPosition, to: row + 2 * joint)
            }
            write((root - center) / size, limit: farthestPosition, to: row + 2 * joints)
            for (index, bone) in bones.enumerated() {
                let (from, to) = (row + 2 * bone.from.rawValue, row + 2 * bone.to.rawValue)
                for axis in 0..<2 { row[moving + 2 * index + axis] = to[axis] - from[axis] }
            }
            let confidences = row + channels - joints
            for joint in 0..<joints { confidences[joint] = body.confidences[frame * joints + joint] }
        }
        writeVelocities(frames, step: step, features)
    }

    private static func writeVelocities(_ frames: Int, step: Int, _ features: UnsafeMutablePointer<Float>) {
        let first = moving + 2 * bones.count
        for frame in 0..<frames {
            let row = features + frame * channels
            let isEdge = frame == 0 || frame == frames - 1
            for channel in 0..<moving {
                let speed = isEdge ? 0 : 5 / Float(step) * (row[channel + channels] - row[channel - channels])
                row[first + channel] = min(max(speed, -farthestVelocity), farthestVelocity)
            }
        }
    }

    private static func write(_ point: SIMD2<Float>, limit: Float, to target: UnsafeMutablePointer<Float>) {
        let clipped = point.clamped(lowerBound: SIMD2(repeating: -limit), upperBound: SIMD2(repeating: limit))
        target[0] = clipped.x
        target[1] = clipped.y
    }
}
