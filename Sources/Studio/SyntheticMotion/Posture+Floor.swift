import Foundation

extension Posture {
    /// A straight body, face down. The toes or knees are at the origin; the shoulders are above the hands.
    struct Plank {
        /// Height of the toes' support above the floor, metres.
        var feet: Float = 0
        /// Height of the hands' support above the floor, metres.
        var hands: Float = 0
        /// From the middle to each hand, in shoulder widths.
        var handWidth: Float = 0.65
        /// How far the hands are in front of the shoulders, metres.
        var handShift: Float = 0
        /// From the middle to each foot, in hip widths.
        var footWidth: Float = 0.6
        var isOnKnees = false
        /// Direction of the left elbow.
        var elbow = Point(0.8, 0.2, -1)
        /// How far the shins are folded up when the knees are on the floor, radians.
        var shin: Float = 0.3

        init() {}
    }

    /// A plank or a phase of a push-up.
    ///
    /// - Parameters:
    ///   - shoulder: height of the shoulders above the hands, metres.
    ///   - sag: how far the hips are below the straight line, metres; negative is piked.
    init(_ plank: Plank, _ physique: Physique, shoulder: Float, sag: Float = 0) {
        self.init(standing: physique)
        let pivot = plank.isOnKnees ? 0.055 * physique.height * 0.6 : plank.feet + physique.ankle + 0.03
        let lower = plank.isOnKnees ? physique.thigh : physique.leg
        let length = lower + physique.trunk
        let top = plank.hands + 0.95 * physique.arm
        let height = plank.hands + shoulder
        let rise = asin(min(max((height - pivot) / length, -0.4), 0.95))
        let tall = asin(min(max((top - pivot) / length, -0.4), 0.95))
        pelvis = Point(0, pivot + sin(rise) * lower - sag, cos(rise) * lower)
        let shoulders = Point(0, pivot + sin(rise) * length, cos(rise) * length)
        trunk.x = atan2(shoulders.z - pelvis.z, shoulders.y - pelvis.y)
        let hands = cos(tall) * length + plank.handShift
        for side in Side.both {
            touch(
                side, Point(side.sign * plank.handWidth * physique.shoulderWidth, plank.hands + 0.03, hands),
                elbow: plank.elbow)
            let x = side.sign * plank.footWidth * physique.hipWidth
            let toes = Point(x, pivot, 0)
            let folded = Point(x, pivot + sin(plank.shin) * physique.shin, -cos(plank.shin) * physique.shin)
            self[foot: side] = Limb(end: plank.isOnKnees ? folded : toes, bend: Point(0, -1, 0.1))
        }
    }

    /// On the back with bent knees. The head is behind the origin, the feet in front of it.
    ///
    /// - Parameters:
    ///   - pitch: of the trunk in radians; −π/2 is flat on the floor.
    ///   - rounding: share of `pitch` that the spine contributes, radians.
    ///   - feet: distance of the feet from the hips, in leg lengths.
    init(supine physique: Physique, pitch: Float, rounding: Float = 0, feet: Float, width: Float, knee: Float = 0.1) {
        self.init(standing: physique)
        pelvis = Point(0, 0.055 * physique.height, 0)
        lean(pitch, rounding: rounding)
        for side in Side.both {
            self[foot: side] = Limb(
                end: Point(side.sign * width, physique.ankle, feet * physique.leg),
                bend: Point(side.sign * knee, 1, 0.3))
        }
    }

    /// A crouch with both hands on the floor in front of the feet.
    init(crouching physique: Physique, hip: Float, hands: Float, handWidth: Float, stance: Float, knee: Float) {
        self.init(standing: physique)
        pelvis = Point(0, hip * physique.height, -0.1 * physique.height)
        let drop = max(0, pelvis.y - 0.9 * physique.arm)
        let pitch = acos(min(max(-drop / physique.trunk, -0.6), 0.9))
        lean(min(pitch, Float(105).degrees), rounding: 0.5)
        for side in Side.both {
            plant(side, x: stance, z: 0, lift: 0.03 * physique.height, knee: knee)
            touch(side, Point(side.sign * handWidth * physique.shoulderWidth, 0.03, hands))
        }
        head.x = -0.5
    }
}
