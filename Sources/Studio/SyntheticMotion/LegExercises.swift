import Foundation

/// Running on the spot, hops, steps and calf raises.
enum LegExercises {
    static let kinds: [MotionKind] = [
        MotionKind("high_knees", "high_knees") { highKnees(&$0) },
        MotionKind("calf_raise", "calf_raise") { calfRaise(&$0) },
        MotionKind("skater", "other") { skater(&$0) },
        MotionKind("step_up", "step_up") { stepUp(&$0) },
        MotionKind("rope_skipping", "jump_rope") { ropeSkipping(&$0) },
    ]

    /// High knees, or heels to the seat.
    static func highKnees(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let stance = Stance(&performer, width: 0.035...0.06, lean: -5...10)
        let tempo = performer.tempo(performer.chance(0.25) ? 0.8...1.6 : 0.22...0.6, jitter: 0.05, resting: 0.05)
        let isHeels = performer.chance(0.2),
            height = performer.chance(0.35) ? performer.uniform(0.4...0.9) : performer.uniform(0.85...1.4)
        let forward = performer.uniform(0.25...0.7) * min(height, 1)
        // At a run, a knee is still on its way down when the other one comes up.
        let overlap = performer.uniform(0...0.45)
        let hop = body.height * performer.uniform(0...0.04), pump = performer.uniform(0...1)
        let carriage =
            performer.chance(0.3)
            ? Carriage(&performer, among: [.hips, .hanging, .behindHead, .forward]) : nil
        return PerformedMotion(tempo, from: .left, alternating: true) { moment in
            var posture = stance.posture(at: moment.time)
            let lift = overlap + (1 - overlap) * arch(moment.progress)
            let rest = overlap * max(1 - ease(moment.progress / 0.35), ease((moment.progress - 0.65) / 0.35))
            let way =
                isHeels
                ? Point(0, 0.75 * min(height, 1) * body.shin, -0.9 * min(height, 1) * body.shin)
                : Point(0, height * body.thigh, forward * body.thigh)
            posture.leftFoot.end += way * lift
            posture.rightFoot.end += way * rest
            if isHeels { for side in Side.both { posture[foot: side].bend = Point(0, -0.5, 1) } }
            posture.spine.y = -0.12 * arch(moment.progress)
            for side in Side.both {
                let share: Float = (side == .left ? -0.4 : 1) * arch(moment.progress) * pump
                posture.reach(side, abduction: 0.15, flexion: 0.1 + 0.7 * share, bend: 1.3 + 0.4 * share, twist: 0.2)
            }
            carriage?.apply(to: &posture)
            posture.rise(hop * arch(moment.progress))
            return posture
        }
    }

    static func calfRaise(_ performer: inout Performer) -> PerformedMotion {
        let stance = Stance(&performer, width: 0.03...0.09, give: 0...0.01)
        let tempo = performer.tempo(0.9...2.6), stroke = performer.stroke()
        let height = performer.uniform(0.05...0.11)
        let carriage = Carriage(&performer, among: [.hanging, .hips, .dumbbells, .bar, .forward])
        return PerformedMotion(tempo) { moment in
            var posture = stance.posture(at: moment.time)
            carriage.apply(to: &posture)
            posture.rise(height * stroke(moment.progress))
            return posture
        }
    }

    /// From one leg to the other, with the free leg behind.
    static func skater(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(0.7...1.7, jitter: 0.06, resting: 0.05)
        let way = body.height * performer.uniform(0.12...0.32), lean = performer.angle(12...50)
        let give = body.leg * performer.uniform(0.06...0.2), cross = body.height * performer.uniform(0.02...0.2)
        let touch = performer.uniform(0...0.12), swing = performer.angle(20...55)
        return PerformedMotion(tempo, from: .left, alternating: true) { moment in
            // From the right (−way) to the left (way). The mirrored repetition comes back.
            let across = -1 + 2 * ease(moment.progress, from: 0.15, to: 0.8)
            var posture = Posture(standing: body)
            posture.pelvis = Point(way * across * 0.95, body.standingHip - give * (1 - 0.7 * arch(moment.progress)), 0)
            posture.lean(lean * (1 - 0.4 * arch(moment.progress)), rounding: 0.2)
            let arrived = (across + 1) / 2
            func foot(_ sign: Float, _ free: Float) -> Point {
                Point(sign * body.hipWidth * 0.4, body.ankle, 0)
                    .mixed(with: Point(-sign * cross, body.ankle + touch, -0.2 * body.height), free)
            }
            let centre = Point(way * across, 0, 0), hop = Point(0, 0.06 * arch(moment.progress), 0)
            posture.leftFoot.end = foot(1, 1 - arrived) + centre + hop
            posture.rightFoot.end = foot(-1, arrived) + centre + hop
            posture.spine.y = 0.3 * across
            for side in Side.both {
                posture.reach(side, abduction: 0.35, flexion: 0.35 - side.sign * across * swing, bend: 0.7)
            }
            return posture
        }
    }

    /// Onto a box and down again.
    static func stepUp(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(1.6...3.6, resting: 0.1)
        let box = performer.uniform(0.15...0.5), z = body.height * performer.uniform(0.16...0.26)
        let carriage = Carriage(&performer, among: [.hanging, .dumbbells, .hips, .clasped])
        func posture(left: Float, right: Float, hip: Float, lift: Float = 0, lean: Float) -> Posture {
            var posture = Posture(standing: body, stance: 0.05)
            posture.plant(.left, x: 0.06 * body.height, z: z * left, lift: box * left + lift)
            posture.plant(.right, x: 0.06 * body.height, z: z * right, lift: box * right + (left > right ? lift : 0))
            posture.pelvis.y += box * hip
            posture.pelvis.z = z * hip
            posture.lean(lean)
            carriage.apply(to: &posture)
            return posture
        }
        let frames = Keyframes([
            (0, posture(left: 0, right: 0, hip: 0, lean: 0.05)),
            (0.2, posture(left: 1, right: 0, hip: 0.15, lean: 0.35)),
            (0.42, posture(left: 1, right: 0.75, hip: 0.9, lift: 0.08, lean: 0.12)),
            (0.5, posture(left: 1, right: 1, hip: 1, lean: 0.05)),
            (0.6, posture(left: 1, right: 1, hip: 1, lean: 0.08)),
            (0.8, posture(left: 1, right: 0, hip: 0.15, lean: 0.3)),
            (1, posture(left: 0, right: 0, hip: 0, lean: 0.05)),
        ])
        return PerformedMotion(tempo, from: performer.side(), alternating: performer.chance(0.5)) {
            frames.posture(at: $0.progress)
        }
    }

    /// Small hops while the hands turn a rope.
    static func ropeSkipping(_ performer: inout Performer) -> PerformedMotion {
        let stance = Stance(&performer, width: 0.025...0.06, lean: -2...10)
        let tempo = performer.tempo(0.35...0.7, jitter: 0.03, resting: 0.05)
        let height = performer.uniform(0.03...0.14), radius = performer.uniform(0.02...0.1)
        let spread = performer.uniform(0.1...0.35), isRunning = performer.chance(0.25)
        let low = performer.uniform(-0.85 ... -0.5)
        return PerformedMotion(tempo, from: .left, alternating: isRunning) { moment in
            var posture = stance.posture(at: moment.time)
            let half = 0.5 * posture.physique.shoulderWidth / posture.physique.trunk
            let angle = 2 * .pi * moment.progress
            for side in Side.both {
                let spot = Point(half + spread, low + radius * sin(angle), 0.15 + radius * cos(angle))
                posture.hold(side, at: spot, elbow: Point(0.2, -0.6, -1))
            }
            posture.pelvis.y -= 0.03 * (1 - arch(moment.progress))
            if isRunning { posture.leftFoot.end += Point(0, 0.12, 0.05) * arch(moment.progress) }
            posture.rise(height * arch((moment.progress - 0.2) / 0.6))
            return posture
        }
    }
}
