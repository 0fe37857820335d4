import Foundation
import Poses

/// Measurements of a body in single frames.
struct BodyMeasures {
    /// Joints below this confidence count as not seen.
    private static let leastConfidence: Float = 0.5

    private let body: BodyPath
    let frames: Int

    init(_ stretch: PoseStretch) {
        body = BodyPath(keypoints: stretch.keypoints, aspect: stretch.aspect)
        frames = stretch.frames
    }

    /// The unit of lengths; see `BodyPath.size`.
    var size: Float { body.size }

    /// Whether each of the joints was seen in most frames of a span.
    func sees(_ joints: [Joint], in span: ClosedRange<Int>) -> Bool {
        joints.allSatisfy { joint in
            let seen = span.count { confidence(joint, $0) >= Self.leastConfidence }
            return 2 * seen > span.count
        }
    }

    /// The position of a joint in a frame; y points up.
    func place(_ joint: Joint, _ frame: Int) -> SIMD2<Float> { body.positions[frame * 18 + joint.rawValue] }

    /// The sides of the body on which all of `joints` are seen. A side is a function from right joints to its own.
    func sides(_ joints: [Joint], in span: ClosedRange<Int>) -> [(Joint) -> Joint] {
        [{ $0 }, { $0.mirrored }].filter { side in sees(joints.map(side), in: span) }
    }

    /// The mean of a measurement over the visible sides; `nil` if the joints are seen on neither.
    func mean(
        _ joints: [Joint], in span: ClosedRange<Int>, _ measure: ((Joint) -> Joint) -> Float
    ) -> Double? {
        let values = sides(joints, in: span).map(measure)
        return values.isEmpty ? nil : Double(values.reduce(0, +)) / Double(values.count)
    }

    /// The angle at the second of three joints in degrees; 180 when they are on a line.
    func angle(_ a: Joint, _ b: Joint, _ c: Joint, _ frame: Int) -> Float {
        let (u, v) = (place(a, frame) - place(b, frame), place(c, frame) - place(b, frame))
        return atan2(abs(u.x * v.y - u.y * v.x), (u * v).sum() + 1e-9) * 180 / .pi
    }

    /// The angle between the trunk and the vertical in degrees.
    func lean(_ frame: Int) -> Float {
        let trunk = place(.neck, frame) - body.roots[frame]
        return atan2(abs(trunk.x), trunk.y) * 180 / .pi
    }

    private func confidence(_ joint: Joint, _ frame: Int) -> Float { body.confidences[frame * 18 + joint.rawValue] }
}
