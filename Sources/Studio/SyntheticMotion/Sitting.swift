import Foundation

/// On chairs, benches and machines.
enum Sitting {
    static let kinds: [MotionKind] = [
        MotionKind("sit", "none", .anywhere, weight: 2) { sit(&$0) },
        MotionKind("sit_to_stand", "none", .anywhere, weight: 2) { sitToStand(&$0) },
    ]

    /// Sits and looks around, talks or leans forward.
    static func sit(_ performer: inout Performer) -> PerformedMotion {
        let seated = seat(&performer)
        return PerformedMotion { seated($0.time) }
    }

    /// Sits down or stands up, once.
    static func sitToStand(_ performer: inout Performer) -> PerformedMotion {
        let seated = seat(&performer), stance = Stance(&performer)
        let span = performer.event(lasting: performer.uniform(1.1...3)), isRising = performer.chance(0.5)
        let bow = performer.angle(15...50)
        return PerformedMotion { moment in
            let progress = ease((moment.time - span.lowerBound) / (span.upperBound - span.lowerBound))
            let standing = isRising ? progress : 1 - progress
            var upright = stance.posture(at: moment.time)
            let seat = seated(moment.time)
            upright.shift(Point(0, 0, (seat.leftFoot.end.z + seat.rightFoot.end.z) / 2))
            var posture = seat.mixed(with: upright, standing)
            (posture.leftFoot, posture.rightFoot) = (seat.leftFoot, seat.rightFoot)
            posture.trunk.x += bow * arch(standing)
            return posture
        }
    }

    private static func seat(_ performer: inout Performer) -> (Float) -> Posture {
        let body = performer.physique
        let height = body.height * performer.uniform(0.22...0.31), pitch = performer.angle(-15...35)
        let nod = performer.wander(0.08, every: 3), look = performer.wander(0.4, every: 3), side = performer.side()
        let feet = performer.uniform(0.6...1.2) * body.thigh, width = body.height * performer.uniform(0.04...0.14)
        let carriage =
            performer.chance(0.4)
            ? Carriage(&performer, among: [.crossed, .clasped, .goblet, .behindHead, .bar]) : nil
        let attention = performer.wander(0.5, every: 3), wave = performer.wander(0.15, every: 1.2)
        let isTalking = performer.chance(0.5)
        return { time in
            var posture = Posture(standing: body)
            posture.pelvis = Point(0, height, 0)
            posture.lean(pitch + nod(time), rounding: 0.3)
            posture.head = Point(-0.3 * pitch, look(time), 0)
            for each in Side.both {
                posture.plant(each, x: width, z: feet + each.sign * 0.03, knee: 0.2)
                posture.touch(
                    each, Point(each.sign * width, height + 0.03, 0.85 * body.thigh), elbow: Point(0.7, -0.5, -0.5))
            }
            carriage?.apply(to: &posture)
            if isTalking {
                let resting = posture[hand: side]
                posture.hold(side, at: Point(0.15 + wave(time), -0.2 + wave(time + 5), 0.4), elbow: Point(0.5, -1, 0))
                posture[hand: side].end = resting.end.mixed(with: posture[hand: side].end, ease(0.5 + attention(time)))
            }
            return posture
        }
    }
}
