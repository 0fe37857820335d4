import Poses

/// The 54 numbers of one pose inside `[frames, 18, 3]`, and how to read between two of them.
enum KeypointFrame {
    static let joints = 18
    static let count = 3 * joints
    /// Nobody is there.
    static let missing = [Float](repeating: 0, count: count)

    static func values(_ pose: Pose) -> [Float] { pose.keypoints.flatMap { [$0.x, $0.y, $0.confidence] } }

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
