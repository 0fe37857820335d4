import Foundation

/// On the floor without an exercise.
enum FloorWork {
    /// On hands and knees, or sitting back on the heels.
    static func kneel(_ performer: inout Performer) -> Performance {
        let body = performer.physique
        var plank = Posture.Plank()
        plank.isOnKnees = true
        plank.shin = performer.uniform(0...0.2)
        let back = performer.uniform(0.2...0.9), shift = performer.wander(0.02), look = performer.angle(-40...10)
        return Performance { moment in
            var posture = Posture(plank, body, shoulder: body.arm * 0.9)
            let hands = (posture.leftHand, posture.rightHand)
            posture.pelvis = Point(shift(moment.time), 0.95 * body.thigh, 0.05)
                .mixed(with: Point(0, 0.25 * body.height, -0.5 * body.thigh), back)
            posture.lean(Float(80).degrees - back * 0.6, rounding: 0.4)
            (posture.leftHand, posture.rightHand) = hands
            posture.head.x = look
            return posture
        }
    }

    /// Sitting on the floor with bent knees.
    static func sitOnFloor(_ performer: inout Performer) -> Performance {
        let body = performer.physique
        let pitch = performer.wander(0.06, every: 3), base = performer.angle(-25...15)
        let feet = performer.uniform(0.5...0.8), width = performer.uniform(0.04...0.16)
        let look = performer.wander(0.4, every: 3)
        let isPropped = performer.chance(0.4)
        return Performance { moment in
            var posture = Posture(
                supine: body, pitch: base + pitch(moment.time), rounding: 0.3, feet: feet, width: width)
            posture.head = Point(0.1, look(moment.time), 0)
            for side in Side.both {
                if isPropped {
                    posture.touch(side, Point(side.sign * 0.25, 0.03, -0.3), elbow: Point(0.3, 0.3, -1))
                } else {
                    let knee = Point(side.sign * width, 0.27 * body.height, 0.45 * feet * body.leg)
                    posture.touch(side, knee, elbow: Point(0.6, -0.8, 0))
                }
            }
            return posture
        }
    }
}
