import Foundation

/// Exercises against a weight or a bar that the hands hold.
enum PullExercises {
    static let kinds: [MotionKind] = [
        MotionKind("row", "row") { row(&$0) },
        MotionKind("pull_up", "pull_up", .anywhere, weight: 3) { pullUp(&$0) },
        MotionKind("pulldown", "pulldown", .anywhere) { pulldown(&$0) },
        MotionKind("bench_press", "bench_press", .anywhere) { benchPress(&$0) },
        MotionKind("dip", "dip", .anywhere) { dip(&$0) },
    ]

    /// Bent over, pulling weights to the belly; sometimes seated at a cable.
    static func row(_ performer: inout Performer) -> PerformedMotion {
        let isSeated = performer.chance(0.25), isOneArmed = !isSeated && performer.chance(0.25)
        let stance = Stance(
            &performer, lean: isSeated ? -5...12 : 40...78, give: 0.03...0.1, seated: isSeated ? 1 : 0)
        let tempo = performer.tempo(1.1...3), stroke = performer.stroke()
        let heave = performer.uniform(0...0.12), back = performer.uniform(0.1...0.25), side = performer.side()
        return PerformedMotion(tempo, side: { _ in isOneArmed ? side : nil }) { moment in
            let effort = stroke(moment.progress)
            var posture = stance.posture(at: moment.time)
            let body = posture.physique
            if !isSeated { posture.pelvis.z -= back * body.height * 0.7 }
            posture.trunk.x -= heave * effort
            posture.head.x = isSeated ? 0 : -0.4
            for hand in Side.both {
                let share = isOneArmed && hand != side ? 0 : effort
                posture.reach(hand, abduction: 0.12, flexion: isSeated ? 1.3 : 0.1, bend: 0.1)
                let stretched = posture[hand: hand]
                posture.hold(hand, at: Point(0.42, -0.6, 0.15), elbow: Point(0.4, 0.2, -1))
                let pulled = posture[hand: hand]
                posture[hand: hand].end = stretched.end.mixed(with: pulled.end, share)
                posture[hand: hand].bend = stretched.bend.mixed(with: pulled.bend, max(share, 0.3))
            }
            return posture
        }
    }

    /// Hanging from a bar, with or without pulling up. The legs dangle, cross, swing or come up.
    static func pullUp(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(1.2...4), stroke = performer.stroke()
        let way = performer.chance(0.12) ? 0 : body.arm * performer.uniform(0.45...1)
        let grip = body.shoulderWidth * performer.uniform(0.3...1.5), hang = performer.uniform(0.02...0.4)
        let lean = performer.angle(-20...4), rock = performer.uniform(-0.25...0.1)
        let kip = performer.wander(performer.uniform(0.01...0.1), every: 2.5)
        let elbow = Point(performer.uniform(0.2...1), -1, performer.uniform(-0.4...0.8))
        let legs = Dangling(&performer)
        return PerformedMotion(tempo) { moment in
            let effort = stroke(moment.progress), swing = kip(moment.time)
            var posture = Posture(standing: body)
            let bar = hang + body.ankle + body.leg + body.trunk + 0.97 * body.arm
            posture.pelvis = Point(0, hang + body.ankle + body.leg + way * effort, swing)
            posture.lean(lean + rock * effort)
            for side in Side.both { posture.touch(side, Point(side.sign * grip, bar, 0.04), elbow: elbow) }
            legs.apply(to: &posture, swing: swing, effort: effort)
            posture.head.x = -0.2
            return posture
        }
    }

    /// How the legs hang of a person who holds on to a bar.
    private struct Dangling {
        private let fold: Float
        private let raise: Float
        private let raiseWithEffort: Float
        private let cross: Float
        private let difference: Float

        init(_ performer: inout Performer) {
            fold = performer.chance(0.5) ? performer.uniform(0.2...0.9) : 0
            raise = performer.chance(0.25) ? performer.angle(10...80) : performer.angle(-8...12)
            raiseWithEffort = performer.chance(0.2) ? performer.angle(10...70) : 0
            cross = performer.chance(0.4) ? performer.uniform(-0.08...0.02) : performer.uniform(0.03...0.14)
            difference = performer.chance(0.3) ? performer.uniform(-0.5...0.5) : 0
        }

        func apply(to posture: inout Posture, swing: Float, effort: Float) {
            let body = posture.physique
            for side in Side.both {
                let angle = raise + raiseWithEffort * effort + (side == .left ? difference : 0) - 2 * swing
                let knee = Point(0, -cos(angle), sin(angle)) * body.thigh
                let shin = angle - fold * 1.5 - (angle > 0.5 ? angle : 0)
                let foot = knee + Point(0, -cos(shin), sin(shin)) * (0.97 * body.shin)
                posture[foot: side] = Posture.Limb(
                    end: posture.pelvis + foot + Point(side.sign * cross, 0, 0), bend: Point(side.sign * 0.1, -0.2, 1))
            }
        }
    }

    /// Seated or kneeling under a cable. The bar comes down to the chest or the neck.
    static func pulldown(_ performer: inout Performer) -> PerformedMotion {
        let stance = Stance(&performer, lean: -18...5, seated: 0.85)
        let tempo = performer.tempo(1.2...3.6), stroke = performer.stroke()
        let wide = performer.uniform(0.05...0.5), low = performer.uniform(-0.25...0.1),
            lean = performer.uniform(0...0.25)
        return PerformedMotion(tempo) { moment in
            let effort = stroke(moment.progress)
            var posture = stance.posture(at: moment.time)
            posture.trunk.x -= lean * effort
            let body = posture.physique
            let (half, arm) = (0.5 * body.shoulderWidth / body.trunk, body.arm / body.trunk)
            for side in Side.both {
                let high = Point(half + 0.8 * wide, (0.94 - 0.4 * wide) * arm, 0.1)
                let spot = high.mixed(with: Point(half + wide, low, 0.2), effort)
                posture.hold(side, at: spot, elbow: Point(1, -0.8, -0.3))
            }
            return posture
        }
    }

    /// On the back on a bench or the floor, pushing weights up from the chest.
    static func benchPress(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(1.2...3.4), stroke = performer.stroke()
        let bench = performer.chance(0.8) ? performer.uniform(0.38...0.5) : 0.05
        let incline = performer.chance(0.25) ? performer.angle(15...40) : 0
        let isFly = performer.chance(0.2), wide = performer.uniform(0.05...0.35), feet = performer.uniform(0.1...0.22)
        return PerformedMotion(tempo) { moment in
            let effort = stroke(moment.progress)
            var posture = Posture(
                supine: body, pitch: -.pi / 2 + incline, feet: 0.55, width: feet * body.height, knee: 0.4)
            posture.pelvis.y = bench + 0.05
            let (half, arm) = (0.5 * body.shoulderWidth / body.trunk, body.arm / body.trunk)
            for side in Side.both {
                let low = isFly ? Point(half + 0.85 * arm, -0.1, 0.15) : Point(half + wide, -0.2, 0.12)
                let spot = low.mixed(with: Point(half * (isFly ? 0.5 : 1), -0.05, 0.96 * arm), effort)
                posture.hold(side, at: spot, elbow: Point(1, -0.5, -0.6))
            }
            return posture
        }
    }

    /// Hands on the edge of a bench behind the body; the elbows bend.
    static func dip(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(1.1...2.8), stroke = performer.stroke()
        let bench = performer.uniform(0.35...0.5), way = performer.uniform(0.12...0.28)
        let feet = performer.uniform(0.6...0.97)
        return PerformedMotion(tempo) { moment in
            var posture = Posture(supine: body, pitch: 0.05, feet: feet, width: 0.1)
            let top = bench + 0.93 * body.arm - body.trunk
            posture.pelvis.y = max(top - way * stroke(moment.progress), 0.1)
            for side in Side.both {
                posture.touch(side, Point(side.sign * 0.5 * body.shoulderWidth, bench, -0.1), elbow: Point(0.2, 0, -1))
            }
            return posture
        }
    }
}
