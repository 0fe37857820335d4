import Foundation

/// Legs and arms move out and in together: hopped, stepped, half high, or with the arms in front.
enum JumpingJacks {
    static let kinds: [MotionKind] = [
        MotionKind("jumping_jack", "jumping_jack") { jack(&$0) },
        MotionKind("seal_jack", "other") { sealJack(&$0) },
        MotionKind("jumping_t", "other") { jumpingT(&$0) },
    ]

    /// Full and half jacks, hopped or stepped.
    static func jack(_ performer: inout Performer) -> PerformedMotion {
        let isStepped = performer.chance(0.13)
        let isHalf = performer.chance(0.1)
        let full = performer.angle(isHalf ? 100...130 : 140...178)
        return jump(&performer, isStepped: isStepped) { performer in
            let side = performer.uniform(0.06...0.22)
            let front = performer.angle(0...22), bend = performer.angle(4...38)
            let foldOverHead = performer.uniform(-1.6 ... -0.8)
            return { posture, spread in
                for hand in Side.both {
                    posture.reach(
                        hand, abduction: side + spread * (full - side), flexion: front * arch(spread) + 0.05,
                        bend: bend * (0.7 + 0.5 * spread), twist: 0.5 * (1 - spread) + foldOverHead * spread, .chest)
                }
            }
        }
    }

    /// The arms open and close in front of the chest. Not labelled as a jumping jack.
    static func sealJack(_ performer: inout Performer) -> PerformedMotion {
        let isStepped = performer.chance(0.1)
        return jump(&performer, isStepped: isStepped) { performer in
            let wide = performer.angle(65...90), height = performer.angle(75...95)
            return { posture, spread in
                for hand in Side.both {
                    posture.reach(hand, abduction: 0.05 + spread * wide, flexion: height, bend: 0.2)
                }
            }
        }
    }

    /// The arms rise to the side up to shoulder height, straight as a T. Not labelled as a jumping jack.
    static func jumpingT(_ performer: inout Performer) -> PerformedMotion {
        jump(&performer, isStepped: false) { performer in
            let high = performer.angle(75...98), low = performer.angle(3...20), bend = performer.angle(0...15)
            let isAlternating = performer.chance(0.3)
            return { posture, spread in
                for hand in Side.both {
                    let share = isAlternating && hand == .left ? 1 - spread : spread
                    posture.reach(hand, abduction: low + share * (high - low), flexion: 0.05, bend: bend)
                }
            }
        }
    }

    private static func jump(
        _ performer: inout Performer, isStepped: Bool, arms: (inout Performer) -> (inout Posture, Float) -> Void
    ) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(
            performer.chance(0.12) ? 1.7...2.6 : 0.7...1.7, jitter: 0.05, resting: isStepped ? 0.1 : 0.06)
        let dwell = performer.uniform(0...0.14), softness = performer.uniform(0...0.8)
        let legs = Stroke(out: 0.48 - dwell, hold: 2 * dwell, back: 0.48 - dwell, softness: softness)
        let lag = performer.uniform(-0.05...0.05)
        let narrow = body.height * performer.uniform(0.03...0.065)
        let wide = body.height * performer.uniform(0.12...0.29)
        let hop = isStepped ? 0 : body.height * performer.uniform(0.01...0.085)
        let give = body.leg * performer.uniform(0.005...0.09)
        let lean = performer.angle(-3...9), knee = performer.uniform(0.2...0.7), look = performer.angle(-10...12)
        let sway = performer.wander(0.015)
        let carry = arms(&performer)
        return PerformedMotion(tempo) { moment in
            var posture = Posture(standing: body)
            let spread = legs(moment.progress)
            let flight = hop * (arch(moment.progress * 2) + arch(moment.progress * 2 - 1))
            let stand = narrow + spread * wide
            let across = max(0, stand - body.hipWidth / 2)
            // People bend their knees when they land, at both ends of the movement.
            let landing = give * pow(abs(cos(2 * .pi * moment.progress)), 3)
            posture.pelvis.y = (body.leg * body.leg - across * across).squareRoot() * 0.985 + body.ankle - landing
            posture.pelvis.x = sway(moment.time)
            posture.lean(lean)
            posture.head.x = look
            for side in Side.both {
                let isStill = isStepped && (moment.repetition % 2 == 0) == (side == .right)
                posture.plant(side, x: isStill ? narrow : stand, z: 0, knee: knee)
                if isStepped && !isStill { posture[foot: side].end.y += 0.03 * arch(moment.progress * 2) }
            }
            carry(&posture, legs(min(max(moment.progress + lag * arch(moment.progress), 0), 1)))
            posture.rise(flight)
            return posture
        }
    }
}
