import Foundation

extension Posture {
    /// What the angles of an arm are relative to.
    enum Reference {
        /// The chest, whatever its lean.
        case chest
        /// The vertical, turned with the chest: for hanging arms and loads.
        case gravity
    }

    /// The orientation of the chest.
    var chest: Rotation { Rotation(trunk) * Rotation(spine) }

    /// The middle of the shoulders. The spine has two pieces and bends above the pelvis.
    var shoulders: Point {
        pelvis + Rotation(trunk) * Point(0, 0.42 * physique.trunk, 0) + chest * Point(0, 0.58 * physique.trunk, 0)
    }

    func shoulder(_ side: Side) -> Point { shoulders + chest * Point(side.sign * physique.shoulderWidth / 2, 0, 0) }

    /// Leans the trunk forward by `pitch` in total; the spine contributes `rounding`. Radians.
    mutating func lean(_ pitch: Float, rounding: Float = 0) {
        trunk.x = pitch - 0.6 * rounding
        spine.x = rounding
    }

    /// Moves an arm by the angles of its joints, in radians.
    ///
    /// - Parameters:
    ///   - abduction: 0 hangs, a quarter turn points outwards, a half turn up.
    ///   - flexion: 0 hangs, a quarter turn points forward, a half turn up.
    ///   - bend: angle of the elbow, 0 is straight.
    ///   - twist: turns the elbow; positive values bring the bent forearm inwards.
    mutating func reach(
        _ side: Side, abduction: Float, flexion: Float, bend: Float = 0.2, twist: Float = 0,
        _ reference: Reference = .gravity
    ) {
        let upper = Point(
            side.sign * sin(abduction), -cos(abduction) * cos(flexion), cos(abduction) * sin(flexion))
        let front = Point(0, sin(flexion), cos(flexion))
        let inward = upper.cross(front) * side.sign
        let fold = front * cos(twist) + inward * sin(twist)
        let frame = reference == .chest ? chest : Rotation.yaw(trunk.y + spine.y)
        let reach = upper * (physique.upperArm + cos(bend) * physique.forearm) + fold * (sin(bend) * physique.forearm)
        self[hand: side] = Limb(end: shoulder(side) + frame * reach, bend: frame * -fold)
    }

    /// Holds a hand at a position relative to the chest, in trunk lengths from the middle of the shoulders.
    ///
    /// - Parameter elbow: direction of the left elbow, relative to the chest.
    mutating func hold(_ side: Side, at spot: Point, elbow: Point = Point(0.5, -0.8, -0.3)) {
        let out = Point(side.sign, 1, 1)
        self[hand: side] = Limb(end: shoulders + chest * (spot * out * physique.trunk), bend: chest * (elbow * out))
    }

    /// Puts a hand at a point in space.
    mutating func touch(_ side: Side, _ point: Point, elbow: Point = Point(0.6, 0.2, -0.8)) {
        self[hand: side] = Limb(end: point, bend: elbow * Point(side.sign, 1, 1))
    }

    /// Puts a foot down.
    ///
    /// - Parameters:
    ///   - x: distance outwards from the middle, metres; negative crosses over.
    ///   - lift: height of the heel above the floor, metres.
    ///   - knee: how far the knee points outwards, relative to forward.
    mutating func plant(_ side: Side, x: Float, z: Float, lift: Float = 0, knee: Float = 0.1) {
        self[foot: side] = Limb(
            end: Point(side.sign * x, physique.ankle + lift, z), bend: Point(side.sign * knee, 0.12, 1))
    }

    /// Lifts the whole person.
    mutating func rise(_ height: Float) {
        pelvis.y += height
        leftFoot.end.y += height
        rightFoot.end.y += height
        leftHand.end.y += height
        rightHand.end.y += height
    }

    /// Shifts the whole person relative to their place.
    mutating func shift(_ step: Point) {
        pelvis += step
        leftFoot.end += step
        rightFoot.end += step
        leftHand.end += step
        rightHand.end += step
    }
}
