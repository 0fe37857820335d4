import Poses

/// One person's joints through a window, without gaps. Both axes have the same unit, and y points up.
struct BodyPath {
    /// The positions, `[frames · 18]`; meaningless for joints that were never seen.
    private(set) var positions: [SIMD2<Float>]
    /// The confidences, `[frames · 18]`; 0 where the joint was missing and its position is interpolated.
    private(set) var confidences: [Float]
    /// Whether each joint was seen at least once.
    private(set) var hasSeen: [Bool]
    /// The middle of the hips in each frame. Without hips it is the neck, without both the mean of the joints.
    private(set) var roots: [SIMD2<Float>] = []
    /// The unit of lengths: the median over the frames of the torso length or 0.3 of the body's extent, whichever is
    /// larger. The torso alone would be too short for push-ups seen from the front.
    private(set) var size: Float = 0

    private static let joints = Joint.allCases.count

    /// Fills the gaps and measures the body.
    ///
    /// - Parameters:
    ///   - keypoints: `[frames, 18, 3]`, fractions from the top left and confidence.
    ///   - aspect: width divided by height of the picture.
    init(keypoints: [Float], aspect: Float) {
        let count = keypoints.count / 3
        positions = [SIMD2<Float>](repeating: .zero, count: count)
        confidences = [Float](repeating: 0, count: count)
        hasSeen = [Bool](repeating: false, count: Self.joints)
        for index in 0..<count {
            let x = keypoints[3 * index] * aspect, y = keypoints[3 * index + 1], confidence = keypoints[3 * index + 2]
            let isSound = x.isFinite && y.isFinite && confidence.isFinite
            guard isSound, confidence >= PoseFeatures.minimumConfidence else { continue }
            positions[index] = SIMD2(x, -y)
            confidences[index] = confidence
            hasSeen[index % Self.joints] = true
        }
        for joint in 0..<Self.joints where hasSeen[joint] { fillHoles(of: joint) }
        measure()
    }

    /// Interpolates a joint linearly between sightings. Before the first and after the last sighting it stands still.
    private mutating func fillHoles(of joint: Int) {
        let frames = positions.count / Self.joints
        var last: Int?
        for frame in 0..<frames where confidences[frame * Self.joints + joint] > 0 {
            let here = positions[frame * Self.joints + joint]
            let before = last ?? -1
            let from = before >= 0 ? positions[before * Self.joints + joint] : here
            for hole in before + 1..<frame {
                let weight = Float(hole - before) / Float(frame - before)
                positions[hole * Self.joints + joint] = from * (1 - weight) + here * weight
            }
            last = frame
        }
        guard let last else { return }
        for hole in last + 1..<max(frames, last + 1) {
            positions[hole * Self.joints + joint] = positions[last * Self.joints + joint]
        }
    }

    /// Computes ``roots`` and ``size``.
    private mutating func measure() {
        let seen = (0..<Self.joints).filter { hasSeen[$0] }
        var sizes: [Float] = []
        for frame in 0..<positions.count / Self.joints {
            let joints = positions[frame * Self.joints..<(frame + 1) * Self.joints]
            var low = SIMD2<Float>(repeating: .infinity), high = -low, sum = SIMD2<Float>()
            for joint in seen {
                let point = joints[joints.startIndex + joint]
                low = pointwiseMin(low, point)
                high = pointwiseMax(high, point)
                sum += point
            }
            let center = sum / Float(max(seen.count, 1))
            let necks = mean(of: [.neck], joints) ?? mean(of: [.rightShoulder, .leftShoulder], joints)
            let root = mean(of: [.rightHip, .leftHip], joints) ?? necks ?? center
            roots.append(root)
            let torso = (necks ?? root) - root
            let extent = seen.isEmpty ? 0 : (high - low).max()
            sizes.append(max((torso * torso).sum().squareRoot(), 0.3 * extent))
        }
        size = max(Self.median(&sizes), 1e-3)
    }

    /// The mean of those of `wanted` that were ever seen.
    private func mean(of wanted: [Joint], _ joints: ArraySlice<SIMD2<Float>>) -> SIMD2<Float>? {
        var sum = SIMD2<Float>(), count: Float = 0
        for joint in wanted where hasSeen[joint.rawValue] {
            sum += joints[joints.startIndex + joint.rawValue]
            count += 1
        }
        return count > 0 ? sum / count : nil
    }

    private static func median(_ values: inout [Float]) -> Float {
        values.sort()
        let middle = values.count / 2
        return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
    }
}
