import Foundation

/// Endurance exercises on machines and with ropes.
enum Machines {
    static let kinds: [MotionKind] = [
        MotionKind("battle_rope", "battle_rope") { battleRope(&$0) },
        MotionKind("rowing_machine", "rowing_machine", .anywhere) { rowing(&$0) },
        MotionKind("bike", "bike", .anywhere) { bike(&$0) },
    ]

    /// On a rowing machine: legs, trunk and arms push and pull in turn, and come back in the other order.
    static func rowing(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(1.4...3.4, jitter: 0.05, resting: 0.05)
        let seat = performer.uniform(0.2...0.42), feet = performer.uniform(0.1...0.3)
        let near = performer.uniform(0.3...0.5), far = performer.uniform(0.82...0.97)
        let forward = performer.angle(12...38), back = performer.angle(5...30)
        let drive = performer.uniform(0.3...0.45), width = performer.uniform(0.06...0.14)
        let rounding = performer.uniform(0...0.35), look = performer.angle(-15...10)
        return PerformedMotion(tempo) { moment in
            let progress = moment.progress
            let legs = ease(progress, from: 0, to: drive) - ease(progress, from: drive + 0.2, to: 1)
            let trunk =
                ease(progress, from: 0.4 * drive, to: drive + 0.05) - ease(progress, from: drive + 0.12, to: 0.85)
            let arms =
                ease(progress, from: 0.6 * drive, to: drive + 0.08)
                - ease(progress, from: drive + 0.08, to: drive + 0.3)
            var posture = Posture(standing: body)
            posture.pelvis = Point(0, seat, -(near + (far - near) * legs) * body.leg)
            posture.lean(forward - (forward + back) * trunk, rounding: rounding * (1 - trunk))
            posture.head.x = look
            let arm = 0.96 * body.arm / body.trunk
            for side in Side.both {
                posture[foot: side] = Posture.Limb(
                    end: Point(side.sign * width, feet, 0), bend: Point(side.sign * 0.15, 1, 0.2))
                let stretched = Point(0.12, -0.15, arm), pulled = Point(0.2, -0.5, 0.22)
                posture.hold(side, at: stretched.mixed(with: pulled, arms), elbow: Point(0.4, -0.4, -1))
            }
            return posture
        }
    }

    /// Pedals on a bicycle that stands: upright, bent over the handlebar, or leaning back.
    static func bike(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(0.55...1.3, jitter: 0.03, resting: 0)
        let isRecumbent = performer.chance(0.2), crank = performer.uniform(0.14...0.19)
        let stretch = performer.uniform(0.82...0.97) * body.leg
        // The lowest pedal is a leg's length from the hips: below a saddle, in front of a seat.
        let slope = isRecumbent ? performer.angle(55...80) : performer.angle(8...28)
        let saddle = isRecumbent ? performer.uniform(0.35...0.5) : 0.2 + crank + stretch * cos(slope)
        let lean = isRecumbent ? performer.angle(-35 ... -10) : performer.angle(5...55)
        let axle = Point(0, saddle - (stretch - crank) * cos(slope), (stretch - crank) * sin(slope))
        let width = performer.uniform(0.07...0.12), sway = performer.wander(0.012, every: 1.5)
        let rock = performer.uniform(0...0.05), look = performer.angle(-25...5), isFree = performer.chance(0.15)
        let handle = Point(
            0.2, performer.uniform(-0.45 ... -0.05), performer.uniform(0.75...0.98) * body.arm / body.trunk)
        return PerformedMotion(tempo) { moment in
            var posture = Posture(standing: body)
            posture.pelvis = Point(sway(moment.time), saddle, 0)
            posture.lean(lean, rounding: 0.2)
            posture.head.x = look - 0.4 * lean
            posture.trunk.z = rock * sin(2 * .pi * moment.progress)
            for side in Side.both {
                let turn = 2 * .pi * moment.progress + (side == .left ? 0 : .pi)
                posture[foot: side] = Posture.Limb(
                    end: axle + Point(side.sign * width, crank * cos(turn), crank * sin(turn)),
                    bend: Point(side.sign * 0.1, 0.6, 1))
                if isFree {
                    posture.reach(side, abduction: 0.15, flexion: 0.1, bend: 0.3)
                } else {
                    posture.hold(side, at: handle, elbow: Point(0.6, -0.8, -0.2))
                }
            }
            return posture
        }
    }

    /// Waves in heavy ropes, with both arms together or in turn, in a half squat.
    static func battleRope(_ performer: inout Performer) -> PerformedMotion {
        let stance = Stance(&performer, width: 0.08...0.18, lean: 8...40, give: 0.04...0.22)
        let isAlternating = performer.chance(0.7)
        let tempo = performer.tempo(isAlternating ? 0.24...0.6 : 0.3...0.9, jitter: 0.06, resting: 0.05)
        let bob = performer.uniform(0...0.05)
        let low = performer.uniform(-0.85 ... -0.55), high = performer.uniform(-0.3...0.25)
        let reach = performer.uniform(0.4...0.75), wide = performer.uniform(0.05...0.3)
        return PerformedMotion(tempo, from: isAlternating ? .left : nil, alternating: isAlternating) { moment in
            var posture = stance.posture(at: moment.time)
            posture.pelvis.y -= bob * arch(moment.progress)
            for side in Side.both {
                let share =
                    isAlternating
                    ? 0.5 + side.sign * 0.5 * arch(moment.progress) : 0.5 - 0.5 * cos(2 * .pi * moment.progress)
                let height = low + (high - low) * share
                posture.hold(side, at: Point(wide + 0.15, height, reach), elbow: Point(0.7, -0.8, -0.4))
            }
            return posture
        }
    }
}
