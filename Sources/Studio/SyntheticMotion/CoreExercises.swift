import Foundation

/// Standing exercises in which the trunk bends and turns.
enum CoreExercises {
    static let kinds: [MotionKind] = [
        MotionKind("side_bend", "other") { sideBend(&$0) },
        MotionKind("standing_twist", "other") { twist(&$0) },
        MotionKind("knee_to_elbow", "other") { kneeToElbow(&$0) },
        MotionKind("toe_touch", "other", weight: 2) { toeTouch(&$0) },
    ]

    static func sideBend(_ performer: inout Performer) -> PerformedMotion {
        let stance = Stance(&performer, width: 0.06...0.16)
        let tempo = performer.tempo(1...2.8), stroke = performer.stroke()
        let bend = performer.angle(18...45)
        let carriage = Carriage(&performer, among: [.hips, .behindHead, .overhead, .dumbbells, .hanging])
        return PerformedMotion(tempo, from: performer.side(), alternating: performer.chance(0.7)) { moment in
            let effort = stroke(moment.progress)
            var posture = stance.posture(at: moment.time)
            posture.trunk.z = -0.25 * bend * effort
            posture.spine.z = -0.75 * bend * effort
            posture.pelvis.x -= 0.06 * effort
            carriage.apply(to: &posture)
            return posture
        }
    }

    /// The trunk turns from side to side, with the hands in front of the chest or stretched out.
    static func twist(_ performer: inout Performer) -> PerformedMotion {
        let stance = Stance(&performer, width: 0.06...0.16)
        let tempo = performer.tempo(0.7...2, jitter: 0.06, resting: 0.05)
        let angle = performer.angle(30...75)
        let carriage = Carriage(&performer, among: [.clasped, .goblet, .forward, .behindHead, .crossed, .bar])
        return PerformedMotion(tempo, from: .left, alternating: true) { moment in
            var posture = stance.posture(at: moment.time)
            posture.spine.y = angle * arch(moment.progress)
            posture.trunk.y = 0.3 * angle * arch(moment.progress)
            carriage.apply(to: &posture)
            return posture
        }
    }

    /// Knee and opposite elbow meet in front of the body.
    static func kneeToElbow(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let stance = Stance(&performer, width: 0.05...0.1)
        let tempo = performer.tempo(0.8...2, jitter: 0.06)
        let isCrossed = performer.chance(0.7), height = performer.uniform(0.6...1), bow = performer.angle(8...30)
        return PerformedMotion(tempo, from: .left, alternating: true) { moment in
            let effort = arch(moment.progress)
            var posture = stance.posture(at: moment.time)
            posture.leftFoot.end += Point(isCrossed ? -0.1 : 0.1, height * body.thigh, 0.4 * body.thigh) * effort
            posture.lean(bow * effort, rounding: 0.4 * effort)
            posture.spine.y = (isCrossed ? 0.5 : 0) * effort
            posture.spine.z = (isCrossed ? 0 : -0.3) * effort
            for side in Side.both {
                posture.hold(side, at: Point(0.17, 0.3, 0), elbow: Point(1, 0.2 - 0.8 * effort, 0.2 + 0.6 * effort))
            }
            return posture
        }
    }

    /// A hand to the opposite foot with straight legs, or both hands to the toes.
    static func toeTouch(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let stance = Stance(&performer, width: 0.08...0.3)
        let tempo = performer.tempo(1.1...3), stroke = performer.stroke()
        let bow = performer.angle(65...110), isBoth = performer.chance(0.3), depth = performer.uniform(0.1...0.4)
        return PerformedMotion(tempo, from: .left, alternating: true) { moment in
            let effort = stroke(moment.progress)
            var posture = stance.posture(at: moment.time)
            posture.lean(bow * effort, rounding: 0.5 * effort)
            posture.pelvis.z -= 0.1 * body.height * effort
            posture.spine.y = isBoth ? 0 : -0.4 * effort
            for side in Side.both {
                posture.reach(side, abduction: isBoth ? 0.1 : 1.45, flexion: 0.1, bend: 0.1, .chest)
                let goal = isBoth ? posture[foot: side].end : posture[foot: side.other].end
                guard isBoth || side == .left else { continue }
                let way = goal + Point(0, depth * body.shin, 0.05)
                posture[hand: side].end = posture[hand: side].end.mixed(with: way, effort)
            }
            return posture
        }
    }
}
