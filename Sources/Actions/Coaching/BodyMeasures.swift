import Foundation
import Poses

/// Measures of a body in single frames; `nil` where the joints they need were not seen well enough.
struct BodyMeasures {
    /// Joints that are less sure than this were not seen.
    private static let leastConfidence: Float = 0.5

    private let body: BodyPath
    let frames: Int

    init(_ stretch: PoseStretch) {
        body = BodyPath(keypoints: stretch.keypoints, aspect: stretch.aspect)
        frames = stretch.frames
    }

    var size: Float { body.size }

    /// Whether the joints were seen in most frames of a span.
    func sees(_ joints: [Joint], in span: ClosedRange<Int>) -> Bool {
        joints.allSatisfy { joint in
            let seen = span.count { confidence(joint, $0) >= Self.leastConfidence }
            return 2 * seen > span.count
        }
    }

    func place(_ joint: Joint, _ frame: Int) -> SIMD2<Float> { body.positions[frame * 18 + joint.rawValue] }

    /// Whichever sides of the body show all of `joints` (named for the right side).
    func sides(_ joints: [Joint], in span: ClosedRange<Int>) -> [(Joint) -> Joint] {
        [{ $0 }, { $0.mirrored }].filter { side in sees(joints.map(side), in: span) }
    }

    /// The mean over the visible sides of a measure; `nil` if neither shows the joints.
    func mean(
        _ joints: [Joint], in span: ClosedRange<Int>, _ measure: ((Joint) -> Joint) -> Float
    ) -> Double? {
        let values = sides(joints, in: span).map(measure)
        return values.isEmpty ? nil : Double(values.reduce(0, +)) / Double(values.count)
    }

    /// Degrees at the second of three joints, 180 when they lie on a line.
    func angle(_ a: Joint, _ b: Joint, _ c: Joint, _ frame: Int) -> Float {
        let (u, v) = (place(a, frame) - place(b, frame), place(c, frame) - place(b, frame))
        return atan2(abs(u.x * v.y - u.y * v.x), (u * v).sum() + 1e-9) * 180 / .pi
    }

    /// Degrees of the trunk from the vertical.
    func lean(_ frame: Int) -> Float {
        let way = place(.neck, frame) - body.roots[frame]
        return atan2(abs(way.x), way.y) * 180 / .pi
    }

    private func confidence(_ joint: Joint, _ frame: Int) -> Float { body.confidences[frame * 18 + joint.rawValue] }
}
