import Poses

typealias Side = BodySide

extension BodySide {
    /// The direction along x.
    var sign: Float { self == .left ? 1 : -1 }
    var other: Side { self == .left ? .right : .left }

    static let both = [Side.left, .right]
}

/// A body posture at one instant: the positions of trunk, hands and feet, without elbows and knees.
///
/// Postures of the same physique can be mixed part by part. ``Skeleton`` computes elbows and knees afterwards, so bones
/// keep their length.
struct Posture {
    /// Position of a hand or foot, and the direction in which the elbow or knee points.
    struct Limb {
        var end: Point
        var bend: Point
    }

    let physique: Physique
    /// The middle of the hips relative to the person's place on the floor.
    var pelvis: Point
    /// Pitch, yaw and roll of the pelvis, radians.
    var trunk = Point()
    /// Pitch, yaw and roll of the chest relative to the pelvis, radians.
    var spine = Point()
    /// Pitch, yaw and roll of the head relative to the chest, radians.
    var head = Point()
    var leftHand: Limb
    var rightHand: Limb
    var leftFoot: Limb
    var rightFoot: Limb
    /// The person's place on the floor, metres.
    var place = Point()
    /// The direction that the person faces, as yaw in `y`, radians.
    var heading = Point()

    /// A relaxed upright stand with hanging arms.
    ///
    /// - Parameter stance: distance from the middle to each foot, in body heights.
    init(standing physique: Physique, stance: Float = 0.07) {
        self.physique = physique
        pelvis = Point(0, physique.standingHip, 0)
        let zero = Limb(end: .zero, bend: .zero)
        (leftHand, rightHand, leftFoot, rightFoot) = (zero, zero, zero, zero)
        for side in Side.both {
            plant(side, x: stance * physique.height, z: 0)
            reach(side, abduction: Float(9).degrees, flexion: Float(3).degrees, bend: Float(12).degrees)
        }
    }

    subscript(hand side: Side) -> Limb {
        get { side == .left ? leftHand : rightHand }
        set { if side == .left { leftHand = newValue } else { rightHand = newValue } }
    }

    subscript(foot side: Side) -> Limb {
        get { side == .left ? leftFoot : rightFoot }
        set { if side == .left { leftFoot = newValue } else { rightFoot = newValue } }
    }

    /// Combines four postures part by part.
    static func merging(
        _ a: Posture, _ b: Posture, _ c: Posture, _ d: Posture, _ merge: (Point, Point, Point, Point) -> Point
    ) -> Posture {
        func limb(_ path: (Posture) -> Limb) -> Limb {
            let (a, b, c, d) = (path(a), path(b), path(c), path(d))
            return Limb(end: merge(a.end, b.end, c.end, d.end), bend: merge(a.bend, b.bend, c.bend, d.bend))
        }
        var merged = a
        merged.pelvis = merge(a.pelvis, b.pelvis, c.pelvis, d.pelvis)
        merged.trunk = merge(a.trunk, b.trunk, c.trunk, d.trunk)
        merged.spine = merge(a.spine, b.spine, c.spine, d.spine)
        merged.head = merge(a.head, b.head, c.head, d.head)
        merged.leftHand = limb(\.leftHand)
        merged.rightHand = limb(\.rightHand)
        merged.leftFoot = limb(\.leftFoot)
        merged.rightFoot = limb(\.rightFoot)
        merged.place = merge(a.place, b.place, c.place, d.place)
        merged.heading = merge(a.heading, b.heading, c.heading, d.heading)
        return merged
    }

    /// A posture between this one (weight 0) and another (weight 1).
    func mixed(with other: Posture, _ weight: Float) -> Posture {
        if weight <= 0 { return self }
        if weight >= 1 { return other }
        return Self.merging(self, other, self, self) { a, b, _, _ in a + (b - a) * weight }
    }

    /// The posture with left and right exchanged.
    var mirrored: Posture {
        func limb(_ limb: Limb) -> Limb { Limb(end: limb.end.mirrored, bend: limb.bend.mirrored) }
        func angles(_ angles: Point) -> Point { Point(angles.x, -angles.y, -angles.z) }
        var mirrored = self
        mirrored.pelvis = pelvis.mirrored
        mirrored.trunk = angles(trunk)
        mirrored.spine = angles(spine)
        mirrored.head = angles(head)
        (mirrored.leftHand, mirrored.rightHand) = (limb(rightHand), limb(leftHand))
        (mirrored.leftFoot, mirrored.rightFoot) = (limb(rightFoot), limb(leftFoot))
        mirrored.place = place.mirrored
        mirrored.heading = angles(heading)
        return mirrored
    }
}
