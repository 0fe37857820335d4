import Foundation

/// Steps to the side, with and without the arms.
enum SideSteps {
    static let kinds: [MotionKind] = [
        MotionKind("step_touch", "other") { stepTouch(&$0) },
        MotionKind("side_shuffle", "other", weight: 2) { shuffle(&$0) },
    ]

    /// The feet step out and back alternately, with the arms to the side or overhead: half a jumping jack at a time.
    static func stepTouch(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(0.6...1.5, jitter: 0.05, resting: 0.05)
        let step = body.height * performer.uniform(0.1...0.26), give = performer.uniform(0.01...0.08)
        let lift = performer.angle(30...100), bend = performer.angle(5...70), isBoth = performer.chance(0.3)
        let carriage =
            performer.chance(0.4) ? Carriage(&performer, among: [.hips, .clasped, .hanging, .behindHead]) : nil
        return PerformedMotion(tempo, from: .left, alternating: true) { moment in
            let out = arch(moment.progress)
            var posture = Posture(standing: body, stance: 0.04)
            posture.leftFoot.end += Point(step * out, 0.05 * arch(moment.progress * 2), 0)
            posture.pelvis += Point(0.3 * step * out, -give * out - 0.2 * step * out, 0)
            for side in Side.both {
                let share: Float = side == .left || isBoth ? out : 0
                posture.reach(side, abduction: 0.15 + lift * share, flexion: 0.1, bend: bend)
            }
            carriage?.apply(to: &posture)
            return posture
        }
    }

    /// Sideways across the floor, upright or half squatting.
    static func shuffle(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(0.4...1.4, jitter: 0.06, resting: 0.05)
        let step = body.height * performer.uniform(0.1...0.28), steps = 1 + performer.random.index(below: 4)
        let depth = Squats.Depth(&performer, thigh: 15...65), low = performer.uniform(0.5...1)
        let carriage = Carriage(&performer, among: [.clasped, .clasped, .hips, .forward, .hanging])
        let direction = performer.side()
        // Some people touch the floor or a cone at each end.
        let reach = performer.chance(0.35) ? performer.angle(25...60) : 0
        return PerformedMotion(tempo) { moment in
            // The leading foot moves out first, then the other one follows.
            let lead = ease(moment.progress, from: 0, to: 0.5), trail = ease(moment.progress, from: 0.5, to: 1)
            var posture = Posture(standing: body, stance: 0.06)
            depth.apply(low, to: &posture)
            posture.pelvis.x = step * (lead + trail) / 2
            posture.leftFoot.end += Point(step * lead, 0.04 * arch(moment.progress * 2), 0)
            posture.rightFoot.end += Point(step * trail, 0.04 * arch(moment.progress * 2 - 1), 0)
            carriage.apply(to: &posture, effort: 0.5)
            if reach > 0 && moment.repetition % steps == steps - 1 {
                let down = arch((moment.progress - 0.35) / 0.65)
                posture.lean(posture.trunk.x + reach * down, rounding: 0.3 * down)
                posture.pelvis.y -= 0.1 * posture.physique.leg * down
                posture.leftHand.end = posture.leftHand.end.mixed(
                    with: posture.leftFoot.end + Point(0, 0.12, 0.1), down)
            }
            let isBack = (moment.repetition / steps) % 2 == 1
            let done = Float(moment.repetition % steps)
            if isBack { posture = posture.mirrored }
            posture.place.x = step * (isBack ? Float(steps) - done : done)
            return direction == .left ? posture : posture.mirrored
        }
    }
}
