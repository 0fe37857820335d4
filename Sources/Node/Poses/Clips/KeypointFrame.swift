/// Reads and interpolates the poses in an array `[frames, 18, 3]`, which holds 54 numbers per frame.
package enum KeypointFrame {
    /// The number of joints in a frame.
    package static let joints = 18
    /// The number of values in a frame: x, y and confidence of each joint.
    package static let count = 3 * joints
    /// The most seconds between two sightings that belong to one movement, at the lowest frame rates.
    package static let longestGapSeconds = 0.85
    /// The values of a frame without a person.
    package static let missing = [Float](repeating: 0, count: count)

    /// The values of a pose: x, y and confidence of each joint in order.
    package static func values(_ pose: Pose) -> [Float] { pose.keypoints.flatMap { [$0.x, $0.y, $0.confidence] } }

    /// The frame at a place of `count` frames that run back and forth.
    package static func backAndForth(_ place: Int, count: Int) -> Int {
        guard count > 1 else { return 0 }
        let way = place % (2 * (count - 1))
        return way < count ? way : 2 * (count - 1) - way
    }

    /// Whether any joint of a frame was seen.
    package static func hasPose(_ keypoints: [Float], frame: Int) -> Bool {
        (0..<joints).contains { keypoints[frame * count + 3 * $0 + 2] > 0 }
    }

    /// Writes the pose at a fractional position in `source` to `frame` of `target`.
    ///
    /// Each joint is interpolated linearly. If it is missing on either side, the nearer frame is used. Positions are
    /// clamped to the clip.
    package static func read(_ source: [Float], at position: Float, into target: inout [Float], frame: Int) {
        let last = source.count / count - 1
        let clamped = min(max(position, 0), Float(last))
        let low = Int(clamped)
        blend(
            (source, low), (source, min(low + 1, last)), weight: clamped - Float(low), into: &target, frame: frame)
    }

    /// Writes `a · (1 − weight) + b · weight` to `frame` of `target`, per joint like ``read(_:at:into:frame:)``.
    ///
    /// `a` and `b` are an array of frames and the index of a frame in it.
    package static func blend(
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
