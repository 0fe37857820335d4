import Foundation

/// Standing or seated exercises in which only the arms work.
enum ArmExercises {
    static let kinds: [MotionKind] = [
        MotionKind("curl", "biceps_curl") { curl(&$0) },
        MotionKind("pushdown", "triceps_pushdown") { pushdown(&$0) },
        MotionKind("shoulder_press", "shoulder_press") { press(&$0) },
        MotionKind("arm_raise", "arm_raise") { raise(&$0) },
        MotionKind("arm_circles", "other") { circles(&$0) },
        MotionKind("boxing", "other") { boxing(&$0) },
    ]

    /// The arm that works in a repetition, counted from 0: the right one first, or both in all.
    private static func takingTurns(_ isAlternating: Bool) -> (Int) -> Side? {
        { repetition in isAlternating ? repetition % 2 == 0 ? .right : .left : nil }
    }

    /// Both arms together or alternating, with dumbbells or a bar.
    static func curl(_ performer: inout Performer) -> PerformedMotion {
        let stance = Stance(&performer, seated: 0.15)
        let tempo = performer.tempo(1.2...3.6), stroke = performer.stroke()
        let isAlternating = performer.chance(0.4), top = performer.angle(105...140)
        let drift = performer.angle(0...30), twist = performer.angle(-25...25), rock = performer.uniform(0...0.1)
        let working = takingTurns(isAlternating)
        return PerformedMotion(tempo, side: working) { moment in
            let effort = stroke(moment.progress)
            var posture = stance.posture(at: moment.time)
            posture.trunk.x -= rock * effort
            for side in Side.both {
                let share = working(moment.repetition) == side.other ? 0 : effort
                posture.reach(
                    side, abduction: 0.14, flexion: 0.03 + drift * share, bend: 0.15 + share * top, twist: twist)
            }
            return posture
        }
    }

    /// At a cable, the forearms go down instead of up.
    static func pushdown(_ performer: inout Performer) -> PerformedMotion {
        let stance = Stance(&performer, lean: 0...25)
        let tempo = performer.tempo(1...2.8), stroke = performer.stroke()
        let folded = performer.angle(90...125)
        return PerformedMotion(tempo) { moment in
            let effort = stroke(moment.progress)
            var posture = stance.posture(at: moment.time)
            for side in Side.both {
                posture.reach(
                    side, abduction: 0.12, flexion: 0.15, bend: folded * (1 - effort) + 0.15, twist: 0.3)
            }
            return posture
        }
    }

    /// From the shoulders to overhead.
    static func press(_ performer: inout Performer) -> PerformedMotion {
        let stance = Stance(&performer, lean: -8...4, seated: 0.25)
        let tempo = performer.tempo(1.2...3.6), stroke = performer.stroke()
        let isAlternating = performer.chance(0.15)
        let wide = performer.uniform(0.05...0.25), narrow = performer.uniform(-0.1...0.1)
        let front = performer.uniform(0...0.15), dip = performer.chance(0.25) ? performer.uniform(0.02...0.1) : 0
        let working = takingTurns(isAlternating)
        return PerformedMotion(tempo, side: working) { moment in
            let effort = stroke(moment.progress)
            var posture = stance.posture(at: moment.time)
            let body = posture.physique
            posture.pelvis.y -= dip * arch(moment.progress * 5)
            let (half, arm) = (0.5 * body.shoulderWidth / body.trunk, body.arm / body.trunk)
            for side in Side.both {
                let share = working(moment.repetition) == side.other ? 0 : effort
                let spot = Point(half + wide, 0.03, front).mixed(with: Point(half + narrow, 0.98 * arm, 0), share)
                posture.hold(side, at: spot, elbow: Point(1, -0.8, 0.1))
            }
            return posture
        }
    }

    /// Straight arms to the side or the front, to shoulder height or all the way up, like a jumping jack without the
    /// legs.
    static func raise(_ performer: inout Performer) -> PerformedMotion {
        let stance = Stance(&performer, lean: -4...15)
        let tempo = performer.tempo(1.2...3.4), stroke = performer.stroke()
        let isFront = performer.chance(0.35), isAlternating = isFront && performer.chance(0.4)
        let top = performer.chance(0.3) ? performer.angle(130...175) : performer.angle(65...100)
        let bend = performer.angle(5...35)
        let working = takingTurns(isAlternating)
        return PerformedMotion(tempo, side: working) { moment in
            let effort = stroke(moment.progress)
            var posture = stance.posture(at: moment.time)
            for side in Side.both {
                let share = working(moment.repetition) == side.other ? 0 : effort * top
                let twist = isFront ? 0 : -0.5 * share
                posture.reach(
                    side, abduction: 0.15 + (isFront ? 0 : share), flexion: isFront ? share : 0.1, bend: bend,
                    twist: twist)
            }
            return posture
        }
    }

    /// Stretched arms draw circles: small ones to the sides, or full turns past the ears.
    static func circles(_ performer: inout Performer) -> PerformedMotion {
        let stance = Stance(&performer)
        let isWhole = performer.chance(0.4)
        let tempo = performer.tempo(isWhole ? 0.9...2.5 : 0.5...1.5, jitter: 0.04, resting: 0)
        let radius = performer.uniform(0.15...0.6), direction = performer.side().sign
        let offset = performer.chance(0.3) ? Float.pi : 0
        return PerformedMotion(tempo) { moment in
            var posture = stance.posture(at: moment.time)
            let body = posture.physique
            let turn = direction * moment.progress * 2 * .pi
            for side in Side.both {
                let own = turn + (side == .left ? 0 : offset)
                if isWhole {
                    posture.reach(side, abduction: 0.25, flexion: own, bend: 0.1)
                } else {
                    let half = 0.5 * body.shoulderWidth / body.trunk, arm = 0.9 * body.arm / body.trunk
                    posture.hold(
                        side, at: Point(half + arm, radius * sin(own), radius * cos(own)), elbow: Point(0, -1, -0.3))
                }
            }
            return posture
        }
    }

    /// Punches from a guard, with steps and turns of the shoulders.
    static func boxing(_ performer: inout Performer) -> PerformedMotion {
        let stance = Stance(&performer, width: 0.06...0.12, lean: 2...15, give: 0.02...0.07)
        let tempo = performer.tempo(0.35...1.1, jitter: 0.25, resting: 0.4)
        let yaw = performer.angle(-40...40), bounce = performer.uniform(0...0.035), beat = performer.uniform(4...10)
        let stroke = Stroke(out: 0.35, hold: 0, back: 0.45, softness: 0.3)
        let kinds = (0..<32).map { _ in performer.random.index(below: 4) }
        let hands = (0..<32).map { performer.chance(0.8) ? $0 % 2 == 0 : performer.chance(0.5) }
        return PerformedMotion(tempo) { moment in
            let effort = stroke(moment.progress), index = moment.repetition % 32
            let puncher: Side = hands[index] ? .left : .right
            var posture = stance.posture(at: moment.time)
            let reach = posture.physique.arm / posture.physique.trunk
            posture.pelvis.y -= bounce * (1 + sin(beat * moment.time))
            posture.leftFoot.end.z += 0.12 * (yaw > 0 ? -1 : 1)
            posture.rightFoot.end.z -= 0.12 * (yaw > 0 ? -1 : 1)
            posture.trunk.y = 0.5 * yaw
            posture.spine.y = 0.4 * yaw - 0.4 * puncher.sign * effort
            for side in Side.both {
                let goal =
                    switch kinds[index] {
                    case 0: Point(-0.25, 0.1, 0.55)
                    case 1: Point(0.1, 0.3, 0.5)
                    default: Point(0, 0.08, 0.93 * reach)
                    }
                let guardSpot = Point(0.17, 0.08, 0.3)
                let spot = side == puncher ? guardSpot.mixed(with: goal, effort) : guardSpot
                posture.hold(side, at: spot, elbow: Point(0.5 + (kinds[index] == 0 ? effort : 0), -1, 0))
            }
            return posture
        }
    }
}
