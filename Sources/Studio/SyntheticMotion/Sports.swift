import Foundation

/// Swings, throws and kicks, which the classifier must not take for an exercise.
enum Sports {
    static let kinds: [MotionKind] = [
        MotionKind("bat_swing", "other", weight: 2) { swing(&$0) },
        MotionKind("throw", "other", weight: 2) { pitch(&$0) },
        MotionKind("serve", "other", weight: 2) { serve(&$0) },
        MotionKind("forehand", "other", weight: 2) { forehand(&$0) },
        MotionKind("bowl", "other", weight: 2) { bowl(&$0) },
        MotionKind("kick", "other") { kick(&$0) },
    ]

    /// Baseball, golf and tennis swings: a sweep across the body with one or both hands while the trunk turns.
    static func swing(_ performer: inout Performer) -> PerformedMotion {
        let isGolf = performer.chance(0.35), isOneHanded = !isGolf && performer.chance(0.4)
        let stance = Stance(&performer, width: 0.09...0.2, lean: isGolf ? 20...40 : 0...15, give: 0.02...0.1)
        let tempo = performer.tempo(1.6...4.5, jitter: 0.15, resting: 0.5)
        let back = performer.angle(45...100), through = performer.angle(50...115)
        let high = performer.uniform(0...0.75), low: Float = isGolf ? -1.05 : performer.uniform(-0.6...0)
        let step = performer.uniform(0...0.12)
        let turns = Stroke(out: 0.4, hold: 0.04, back: 0.12, softness: 0.6)
        return PerformedMotion(tempo, from: performer.side(), alternating: false) { moment in
            let (progress, wound) = (moment.progress, turns(moment.progress))
            let out = ease(progress, from: 0.44, to: 0.66) - ease(progress, from: 0.75, to: 1)
            var posture = stance.posture(at: moment.time)
            let turn = -back * wound * (1 - out) + through * out
            posture.trunk.y = 0.35 * turn
            posture.spine.y = 0.65 * turn
            posture.head.y = -0.6 * turn
            posture.leftFoot.end.x +=
                step * ease(progress, from: 0.35, to: 0.5) * (1 - ease(progress, from: 0.8, to: 1))
            // Low in the middle of the sweep, high at both ends.
            let height = low + (high - low) * max(wound * (1 - out), out)
            let across = -0.35 * wound * (1 - out) + 0.35 * out
            for side in Side.both {
                if isOneHanded && side == .left {
                    posture.reach(side, abduction: 0.5, flexion: 0.5, bend: 0.8)
                } else {
                    let shift = isOneHanded ? 0.25 * (1 - out) : 0
                    posture.hold(
                        side, at: Point(0.04 + shift + side.sign * across, height, 0.5), elbow: Point(0.6, -1, -0.2))
                }
            }
            return posture
        }
    }

    /// A throw with the right arm and a step with the left foot.
    static func pitch(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let stance = Stance(&performer, width: 0.06...0.12)
        let tempo = performer.tempo(1.6...4.5, jitter: 0.15, resting: 0.5)
        let leg = performer.uniform(0...0.9), step = body.height * performer.uniform(0.1...0.45)
        let turn = performer.angle(30...80), bow = performer.angle(10...55)
        return PerformedMotion(tempo, from: performer.side(), alternating: false) { moment in
            let progress = moment.progress
            let wound = ease(progress, from: 0.05, to: 0.4) - ease(progress, from: 0.45, to: 0.58)
            let out = ease(progress, from: 0.48, to: 0.64) - ease(progress, from: 0.75, to: 1)
            var posture = stance.posture(at: moment.time)
            let forward = ease(progress, from: 0.35, to: 0.55) - ease(progress, from: 0.8, to: 1)
            posture.leftFoot.end += Point(0, leg * body.thigh * arch((progress - 0.12) / 0.4), step * forward)
            posture.pelvis.z += 0.5 * step * forward
            posture.pelvis.y -= 0.25 * step * forward
            posture.trunk.y = -0.4 * turn * wound + 0.3 * turn * out
            posture.spine.y = -0.6 * turn * wound + 0.5 * turn * out
            posture.lean(0.05 - 0.15 * wound + bow * out, rounding: 0.3 * out)
            posture.reach(.left, abduction: 0.4 * wound, flexion: 0.3 + 1.2 * wound, bend: 0.4, .chest)
            let raised = 0.3 + 1.6 * max(wound, arch((progress - 0.4) / 0.3))
            posture.reach(
                .right, abduction: raised + 0.1 * wound, flexion: 0.2 + 0.9 * out, bend: 0.3 + 1.5 * wound,
                twist: -1.5 * wound, .chest)
            return posture
        }
    }

    /// One arm tosses, the other strikes overhead and follows through: tennis, volleyball, or a basketball shot.
    static func serve(_ performer: inout Performer) -> PerformedMotion {
        let stance = Stance(&performer, width: 0.05...0.14)
        let tempo = performer.tempo(1.6...4, jitter: 0.12, resting: 0.5)
        let give = performer.uniform(0.02...0.16), jump = performer.chance(0.4) ? performer.uniform(0.03...0.3) : 0
        let toss = performer.angle(120...175), turn = performer.angle(0...70), bow = performer.angle(5...50)
        let isShot = performer.chance(0.3)
        return PerformedMotion(tempo, from: performer.side(), alternating: false) { moment in
            let progress = moment.progress
            let up = ease(progress, from: 0.08, to: 0.36) - ease(progress, from: 0.46, to: 0.62)
            let strike = ease(progress, from: 0.44, to: 0.54), through = ease(progress, from: 0.54, to: 0.68)
            let back = ease(progress, from: 0.78, to: 1)
            var posture = stance.posture(at: moment.time)
            posture.pelvis.y -= give * (up + 0.5 * through - 0.5 * back)
            posture.spine.y = turn * (through * (1 - back) - up)
            posture.lean(0.05 - 0.2 * up + bow * through * (1 - back), rounding: 0.3 * through * (1 - back))
            posture.head.x = -0.4 * up
            let high = max(up, 0.9 * strike * (1 - through))
            posture.reach(
                .left, abduction: 0.2 + 0.2 * up, flexion: 0.3 + (toss - 0.3) * (isShot ? high : up), bend: 0.3, .chest)
            let raised = 0.25 + 1.3 * up * (1 - strike) + 2.6 * strike * (1 - through) + 0.3 * through * (1 - back)
            let bend = 0.3 + 1.6 * up * (1 - strike)
            posture.reach(
                .right, abduction: raised, flexion: 0.3 + 0.8 * through * (1 - back), bend: bend, twist: -1.4 * up,
                .chest)
            posture.rise(jump * arch((progress - 0.42) / 0.2))
            return posture
        }
    }

    /// The arm swings like a pendulum and the last step is deep, similar to a lunge.
    static func bowl(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(2...4.5, jitter: 0.1, resting: 0.5)
        let step = body.height * performer.uniform(0.25...0.45), depth = body.leg * performer.uniform(0.1...0.28)
        let cross = body.height * performer.uniform(0...0.2), bow = performer.angle(20...55)
        let back = performer.angle(30...90)
        return PerformedMotion(tempo, from: performer.side(), alternating: false) { moment in
            let progress = moment.progress
            let down = ease(progress, from: 0.3, to: 0.55) - ease(progress, from: 0.75, to: 1)
            let swing =
                -back * arch((progress - 0.1) / 0.35) + 2.2
                * (ease(progress, from: 0.44, to: 0.65) - ease(progress, from: 0.75, to: 1))
            var posture = Posture(standing: body)
            posture.pelvis += Point(0, -depth * down, 0.5 * step * down)
            posture.plant(.left, x: 0.05 * body.height, z: step * down)
            posture.plant(.right, x: 0.05 * body.height - cross * down, z: -0.25 * step * down, lift: 0.08 * down)
            posture.lean(0.08 + bow * down, rounding: 0.3 * down)
            posture.reach(.right, abduction: 0.1, flexion: swing, bend: 0.15)
            posture.reach(.left, abduction: 0.3 + 0.9 * down, flexion: 0.2, bend: 0.4)
            return posture
        }
    }

    /// A leg swings forward or to the side.
    static func kick(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let stance = Stance(&performer, width: 0.04...0.09)
        let tempo = performer.tempo(0.9...2.4, jitter: 0.1, resting: 0.3)
        let height = performer.angle(30...95), isSideways = performer.chance(0.4), back = performer.angle(0...40)
        let carriage = Carriage(&performer, among: [.clasped, .hips, .hanging, .forward])
        return PerformedMotion(tempo, from: performer.side(), alternating: performer.chance(0.5)) { moment in
            var posture = stance.posture(at: moment.time)
            let angle = -back * arch(moment.progress / 0.35) + height * arch((moment.progress - 0.3) / 0.6)
            let length = 0.97 * body.leg * (1 - 0.15 * arch(moment.progress / 0.4))
            let way =
                isSideways
                ? Point(sin(max(angle, 0)), -cos(angle), 0) : Point(0.03, -cos(angle), sin(angle))
            posture.leftFoot.end = posture.pelvis + Point(body.hipWidth / 2, 0, 0) + way * length
            posture.lean(-0.15 * max(angle, 0))
            posture.trunk.z = isSideways ? 0.25 * max(angle, 0) : 0
            carriage.apply(to: &posture)
            return posture
        }
    }
}
