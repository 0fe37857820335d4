import Foundation

/// On the floor without an exercise, and getting down or up.
enum FloorWork {
    static let kinds: [MotionKind] = [
        MotionKind("kneel", "none", .anywhere) { kneel(&$0) },
        MotionKind("sit_on_floor", "none", .anywhere) { sitOnFloor(&$0) },
        MotionKind("lie", "none", .anywhere, weight: 2) { lie(&$0) },
        MotionKind("hold_low", "none", .anywhere, weight: 2) { holdLow(&$0) },
        MotionKind("get_down", "none", .anywhere, weight: 3) { getDown(&$0) },
    ]

    /// On hands and knees, or sitting back on the heels.
    static func kneel(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let back = performer.uniform(0...0.95), shift = performer.wander(0.02), look = performer.angle(-40...10)
        return PerformedMotion { moment in
            var posture = FloorExercises.allFours(body)
            let hands = (posture.leftHand, posture.rightHand)
            let heels = Point(0, 0.2 * body.height, -0.75 * body.thigh)
            posture.pelvis = posture.pelvis.mixed(with: heels, back) + Point(shift(moment.time), 0, 0)
            posture.lean(Float(87).degrees - 0.1 * back, rounding: 0.4)
            (posture.leftHand, posture.rightHand) = hands
            posture.head.x = look
            return posture
        }
    }

    /// Sitting on the floor with bent knees.
    static func sitOnFloor(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let pitch = performer.wander(0.06, every: 3), base = performer.angle(-25...15)
        let feet = performer.uniform(0.5...0.8), width = performer.uniform(0.04...0.16)
        let look = performer.wander(0.4, every: 3), isPropped = performer.chance(0.4)
        return PerformedMotion { moment in
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

    /// Lies on the back or the belly and hardly moves.
    static func lie(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let isProne = performer.chance(0.3), feet = performer.uniform(0.5...0.98)
        let breath = performer.wander(0.01, every: 3)
        let look = performer.wander(0.25, every: 4), arms = performer.uniform(0...2.7), bend = performer.angle(5...80)
        let twitch = performer.wander(0.06, every: 3), width = performer.uniform(0.05...0.2)
        return PerformedMotion { moment in
            var posture = Posture(supine: body, pitch: -.pi / 2, feet: feet, width: width)
            if isProne {
                posture.lean(.pi / 2)
                for side in Side.both {
                    posture[foot: side] = Posture.Limb(
                        end: Point(side.sign * width, 0.06, -0.97 * body.leg), bend: Point(0, -1, 0))
                }
            }
            posture.head = Point(0.1, look(moment.time), 0)
            for side in Side.both {
                posture.reach(
                    side, abduction: arms + twitch(moment.time), flexion: 0.1 + breath(moment.time), bend: bend,
                    twist: -1.2, .chest)
            }
            return posture
        }
    }

    /// Stays at the deepest point of a squat or a lunge.
    static func holdLow(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let depth = Squats.Depth(&performer, thigh: 65...118), shake = performer.wander(0.012, every: 1.5)
        let carriage = Carriage(&performer, among: [.clasped, .forward, .goblet, .hips, .hanging, .bar])
        let isLunge = performer.chance(0.4), step = body.height * performer.uniform(0.3...0.5)
        let stance = performer.uniform(0.07...0.18), look = performer.wander(0.3, every: 3), mirror = performer.side()
        return PerformedMotion { moment in
            var posture = Posture(standing: body, stance: stance)
            if isLunge {
                posture.pelvis.y = body.ankle + 0.8 * body.thigh + 0.06 * body.height
                posture.plant(.left, x: 0.07, z: step / 2)
                posture.plant(.right, x: 0.07, z: -step / 2, lift: 0.08)
                posture.rightFoot.bend = Point(0, -0.4, 1)
            } else {
                depth.apply(1, to: &posture)
            }
            posture.pelvis += Point(shake(moment.time), 0.5 * shake(moment.time + 4), 0)
            posture.head = Point(-0.2, look(moment.time), 0)
            carriage.apply(to: &posture, effort: 1)
            return mirror == .left ? posture : posture.mirrored
        }
    }

    /// From standing to the floor via a crouch and the knees, or back up; once.
    static func getDown(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let isRising = performer.chance(0.5), duration = performer.uniform(2...5.5)
        let start = performer.uniform(-0.3 * duration...max(0.3, performer.seconds - 0.7 * duration))
        let idle = Standing.idle(&performer), kneeling = kneel(&performer)
        let last = performer.pick([lie, sitOnFloor, kneel])(&performer)
        let first = Posture(
            crouching: body, hip: performer.uniform(0.25...0.35), hands: 0.25, handWidth: 0.7, stance: 0.12, knee: 0.4)
        var oneHand = first
        oneHand.reach(.left, abduction: 0.3, flexion: 0.5, bend: 0.8)
        let crouch = performer.chance(0.5) ? oneHand : first
        let stops = [0, performer.uniform(0.25...0.38), performer.uniform(0.55...0.7), 1]
        return PerformedMotion { moment in
            let progress = min(max((moment.time - start) / duration, 0), 1)
            let way = Keyframes(
                [idle.posture(moment), crouch, kneeling.posture(moment), last.posture(moment)].enumerated()
                    .map { (stops[$0.offset], $0.element) })
            return way.posture(at: isRising ? 1 - progress : progress)
        }
    }
}
