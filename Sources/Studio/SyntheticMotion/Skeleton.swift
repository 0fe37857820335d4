import Foundation
import Poses

/// The joint positions of a posture in space.
package struct Skeleton: Sendable {
    /// 18 points in the order of ``Joint``, in metres; y is up, x and z are the room's axes.
    package private(set) var joints = [SIMD3<Float>](repeating: .zero, count: Joint.allCases.count)

    /// Position of a joint.
    package subscript(joint: Joint) -> SIMD3<Float> { joints[joint.rawValue] }

    /// - Parameter joints: 18 points in the order of ``Joint``.
    init(joints: [SIMD3<Float>]) { self.joints = joints }

    init(_ posture: Posture) {
        let chest = posture.chest
        let middle = posture.shoulders
        for side in Side.both {
            placeArm(side, posture, chest: chest, middle: middle)
            placeLeg(side, posture)
        }
        set(.neck, (self[.leftShoulder] + self[.rightShoulder]) / 2)
        placeHead(posture, chest: chest)
        let turn = Rotation(posture.heading)
        for index in joints.indices { joints[index] = posture.place + turn * joints[index] }
    }

    private mutating func set(_ joint: Joint, _ point: Point) { joints[joint.rawValue] = point }

    private mutating func placeArm(_ side: Side, _ posture: Posture, chest: Rotation, middle: Point) {
        let (body, hand) = (posture.physique, posture[hand: side])
        var shoulder = middle + chest * Point(side.sign * body.shoulderWidth / 2, 0, 0)
        // The shoulder girdle follows a raised arm up and a reaching arm forward.
        let reach = (hand.end - shoulder).unit()
        let rise = max(0, reach.dot(chest.y) + 0.2) * 0.028, advance = max(0, reach.dot(chest.z)) * 0.012
        shoulder += (chest.y * rise + chest.z * advance) * body.height
        let (elbow, wrist) = Self.bend(
            from: shoulder, to: hand.end, body.upperArm, body.forearm, towards: hand.bend)
        set(side == .left ? .leftShoulder : .rightShoulder, shoulder)
        set(side == .left ? .leftElbow : .rightElbow, elbow)
        set(side == .left ? .leftWrist : .rightWrist, wrist)
    }

    private mutating func placeLeg(_ side: Side, _ posture: Posture) {
        let (body, foot) = (posture.physique, posture[foot: side])
        let hip = posture.pelvis + Rotation(posture.trunk) * Point(side.sign * body.hipWidth / 2, 0, 0)
        let (knee, ankle) = Self.bend(from: hip, to: foot.end, body.thigh, body.shin, towards: foot.bend)
        set(side == .left ? .leftHip : .rightHip, hip)
        set(side == .left ? .leftKnee : .rightKnee, knee)
        set(side == .left ? .leftAnkle : .rightAnkle, ankle)
    }

    private mutating func placeHead(_ posture: Posture, chest: Rotation) {
        let body = posture.physique
        let neck = chest * .pitch(0.5 * posture.head.x) * .roll(0.5 * posture.head.z)
        let head = chest * Rotation(posture.head)
        let middle = self[.neck] + neck * Point(0, body.neck, 0.012 * body.height)
        func face(_ x: Float, _ y: Float, _ z: Float) -> Point { middle + head * (Point(x, y, z) * body.height) }
        set(.nose, face(0, 0, 0.062))
        set(.leftEye, face(0.019, 0.02, 0.05))
        set(.rightEye, face(-0.019, 0.02, 0.05))
        set(.leftEar, face(0.042, 0.008, 0))
        set(.rightEar, face(-0.042, 0.008, 0))
    }

    /// Middle and end of a chain of two bones. The end is at `goal` if the bones reach it; otherwise they stretch
    /// towards it.
    private static func bend(
        from root: Point, to goal: Point, _ upper: Float, _ lower: Float, towards pole: Point
    ) -> (middle: Point, end: Point) {
        let way = goal - root
        let direction = way.unit(or: -.up)
        let length = min(max(way.length, abs(upper - lower) + 0.02), (upper + lower) * 0.9985)
        let along = (upper * upper - lower * lower + length * length) / (2 * length)
        let aside = max(upper * upper - along * along, 0).squareRoot()
        let fallback = abs(direction.y) < 0.9 ? Point.up : Point(0, 0, 1)
        let side = (pole - direction * pole.dot(direction)).unit(or: fallback)
        return (root + direction * along + side * aside, root + direction * length)
    }
}
