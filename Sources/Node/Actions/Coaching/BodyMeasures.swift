import Foundation
import Poses

/// Measurements of a body in single frames.
package struct BodyMeasures {
    /// Joints below this confidence count as not seen.
    static let minimumConfidence: Float = 0.5
    /// Joints of smaller bodies, in picture heights from hips to neck, are too inexact for angles.
    private static let minimumSize: Float = 0.05
    /// The view is found from this many frames at most.
    private static let viewFrames = 60
    /// A projected limb of this share of its length counts as lying in the plane of the picture. Joints are not found
    /// more exactly.
    private static let planeShare: Float = 0.985

    private let body: BodyPath
    let frames: Int
    /// Frames per second.
    let rate: Double
    /// From which side the camera sees the person.
    let view: CameraView
    /// Whether the camera sees the person's back.
    let isFromBehind: Bool
    /// Whether each frame's pose lies partly outside the picture.
    private let cutFrames: [Bool]
    /// The angle between the line of sight and the direction that the person faces, in degrees: 0 is from the front or the
    /// back; `nil` when it is unknown.
    let yawDegrees: Float?
    /// Seconds between two sightings of the person; those between are interpolated.
    let sightingSeconds: Double
    /// The height in each frame of the part that carries the motion up and down; empty when nothing does. See ``RaisingSpeed``.
    private(set) var carrierHeights: [Float] = []
    /// The length of each limb that is ever seen, by its two joints.
    private var lengths: [[Joint]: Float] = [:]

    /// The limbs of the right side.
    private static let limbs: [[Joint]] = [
        [.rightShoulder, .rightElbow], [.rightElbow, .rightWrist], [.rightShoulder, .rightHip],
        [.rightHip, .rightKnee],
        [.rightKnee, .rightAnkle],
    ]

    /// Measures the poses of a stretch.
    package init(_ stretch: PoseStretch) {
        body = BodyPath(keypoints: stretch.keypoints, aspect: stretch.aspect)
        frames = stretch.frames
        rate = stretch.rate
        cutFrames = (0..<stretch.frames).map { Self.isCutOff(stretch.keypoints, frame: $0) }
        let every = max(1, frames / Self.viewFrames)
        let poses = stride(from: 0, to: frames, by: every).map { KeypointFrame.pose(stretch.keypoints, frame: $0) }
        let share = CameraView.shareOfFront(poses, aspect: stretch.aspect)
        view = CameraView(shareOfFront: share)
        isFromBehind = view != .side && Self.isFromBehind(poses)
        yawDegrees = share.map { acos(min($0, 1)) * 180 / .pi }
        sightingSeconds = max(stretch.sightingSeconds ?? 0, 1 / stretch.rate)
        for limb in Self.limbs + Self.limbs.map({ $0.map(\.mirrored) }) { lengths[limb] = longest(limb[0], limb[1]) }
        carrierHeights = heightsOfCarrier()
    }

    /// Whether in most poses the left shoulder and hip are on the left in the picture, as they are from behind.
    private static func isFromBehind(_ poses: [Pose]) -> Bool {
        let widths = poses.compactMap { pose -> Float? in
            let joints: [Joint] = [.leftShoulder, .rightShoulder, .leftHip, .rightHip]
            guard joints.allSatisfy({ pose[$0].confidence >= minimumConfidence }) else { return nil }
            return pose[.leftShoulder].x - pose[.rightShoulder].x + pose[.leftHip].x - pose[.rightHip].x
        }
        return (widths.median ?? 0) < 0
    }

    /// The unit of lengths; see `BodyPath.size`.
    var size: Float { body.size }
    /// The length of the trunk. Unlike ``size`` it does not change with the view of a person who lies down and sits up.
    var trunk: Float {
        let sides = [limb(.rightShoulder, .rightHip), limb(.leftShoulder, .leftHip)].compactMap { $0?.length }
        return max(sides.max() ?? size, 1e-6)
    }
    /// Whether the body is too small in the picture for angles.
    var isTooSmall: Bool { size < Self.minimumSize }

    /// Whether the picture's edge cuts the body in more than a third of the frames of a span. For a joint outside the
    /// picture the pose network gives a position and often a high confidence, but an angle of it is wrong by 10° and more.
    func isCutOff(in span: ClosedRange<Int>) -> Bool { 3 * span.count { cutFrames[$0] } > span.count }

    /// The joints that must be in the picture. Hands leave it in many exercises.
    private static let wholeBody: [Joint] = [
        .nose, .leftShoulder, .rightShoulder, .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
    ]

    private static func isCutOff(_ keypoints: [Float], frame: Int) -> Bool {
        guard KeypointFrame.hasPose(keypoints, frame: frame) else { return false }
        // Two hundredths are the error of a joint at the edge.
        let inside: ClosedRange<Float> = -0.02...1.02
        return wholeBody.contains { joint in
            let place = frame * KeypointFrame.count + 3 * joint.rawValue
            return !inside.contains(keypoints[place]) || !inside.contains(keypoints[place + 1])
        }
    }

    /// Whether each of the joints was seen in most frames of a span.
    ///
    /// - Parameter least: the confidence from which a joint counts as seen, 0…1.
    func sees(_ joints: [Joint], in span: ClosedRange<Int>, from least: Float = minimumConfidence) -> Bool {
        joints.allSatisfy { joint in
            let seen = span.count { confidence(joint, $0) >= least }
            return 2 * seen > span.count
        }
    }

    /// The position of a joint in a frame; y points up.
    func place(_ joint: Joint, _ frame: Int) -> SIMD2<Float> { body.positions[frame * 18 + joint.rawValue] }

    /// The middle of the hips in a frame; y points up.
    func root(_ frame: Int) -> SIMD2<Float> { body.roots[frame] }

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

    /// The angle at the second of three joints in the plane of the picture, in degrees; 180 when they are on a line.
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

/// Angles in space, from the projected lengths of limbs.
extension BodyMeasures {
    /// A limb between two joints.
    struct Limb {
        let from, to: Joint
        /// Its length, which is that of its longest projections.
        let length: Float
    }

    /// A limb; `nil` when it is never seen.
    func limb(_ from: Joint, _ to: Joint) -> Limb? {
        (lengths[[from, to]] ?? lengths[[to, from]]).map { Limb(from: from, to: to, length: max($0, 1e-6)) }
    }

    /// The length of a limb's longest projections, without outliers; `nil` when it is never seen.
    private func longest(_ from: Joint, _ to: Joint) -> Float? {
        (0..<frames).filter { min(confidence(from, $0), confidence(to, $0)) >= Self.minimumConfidence }
            .map { (place(from, $0) - place(to, $0)).length }.quantile(0.95)
    }

    /// The share of a limb's length that is seen in a frame; less than 1 where it points to or away from the camera.
    func projectedShare(_ limb: Limb, _ frame: Int) -> Float {
        min((place(limb.from, frame) - place(limb.to, frame)).length / limb.length, 1)
    }

    /// The angle between two limbs that start at the same joint, in degrees; 180 when they are on a line.
    ///
    /// Both limbs point away from the camera, or both towards it: so it is at a knee or a hip that bends as they do.
    func angleInSpace(_ one: Limb, _ other: Limb, _ frame: Int) -> Float {
        let u = place(one.to, frame) - place(one.from, frame), v = place(other.to, frame) - place(other.from, frame)
        let lengths = max(one.length, u.length) * max(other.length, v.length)
        let depths = depth(u, one) * depth(v, other)
        return acos(min(max(((u * v).sum() + depths) / max(lengths, 1e-9), -1), 1)) * 180 / .pi
    }

    /// The extent of a limb along the line of sight.
    private func depth(_ projection: SIMD2<Float>, _ limb: Limb) -> Float {
        let length = Self.planeShare * limb.length
        return max(0, length * length - (projection * projection).sum()).squareRoot()
    }
}

extension KeypointFrame {
    /// One frame of `[frames, 18, 3]` as a pose.
    static func pose(_ keypoints: [Float], frame: Int) -> Pose {
        Pose(
            keypoints: (0..<joints).map { joint in
                let place = frame * count + 3 * joint
                return Keypoint(x: keypoints[place], y: keypoints[place + 1], confidence: keypoints[place + 2])
            })
    }
}
