import Foundation

/// What people do in a gym between exercises.
enum EverydayLife {
    static let kinds: [MotionKind] = [
        MotionKind("phone", "none", .anywhere) { phone(&$0) },
        MotionKind("drink", "none", .anywhere) { drink(&$0) },
        MotionKind("wipe", "none", .anywhere) { wipe(&$0) },
        MotionKind("wave", "none", .anywhere) { wave(&$0) },
        MotionKind("pick_up", "none", .anywhere, weight: 2) { pickUp(&$0) },
        MotionKind("tie_shoe", "none", .anywhere) { tieShoe(&$0) },
    ]

    /// Reads a phone or holds it to the ear.
    static func phone(_ performer: inout Performer) -> PerformedMotion {
        let stance = Stance(&performer, seated: 0.2)
        let isCall = performer.chance(0.3), isBoth = !isCall && performer.chance(0.5)
        let bow = performer.angle(15...45), tremble = performer.wander(0.02, every: 1), look = performer.wander(0.15)
        let low = performer.uniform(-0.35 ... -0.05), side = performer.side()
        return PerformedMotion { moment in
            var posture = stance.posture(at: moment.time)
            posture.head = Point(isCall ? 0 : bow, look(moment.time), 0)
            for hand in Side.both where hand == side || isBoth {
                let spot = isCall ? Point(0.22, 0.3, 0.08) : Point(0.08 + tremble(moment.time), low, 0.38)
                posture.hold(hand, at: spot, elbow: Point(0.5, -1, 0.1))
            }
            return posture
        }
    }

    /// Drinks, wipes the face or scratches the head: one hand goes up once and stays for a while.
    static func drink(_ performer: inout Performer) -> PerformedMotion {
        let stance = Stance(&performer, seated: 0.2)
        let span = performer.event(lasting: performer.uniform(1.5...4)), back = performer.angle(0...30)
        let rub = performer.chance(0.4) ? performer.uniform(0.03...0.1) : 0, pace = performer.uniform(4...9)
        let side = performer.side(), height = performer.uniform(0.2...0.5)
        return PerformedMotion { moment in
            let progress = (moment.time - span.lowerBound) / (span.upperBound - span.lowerBound)
            let raise = ease(progress, from: 0, to: 0.3) - ease(progress, from: 0.7, to: 1)
            var posture = stance.posture(at: moment.time)
            posture.head.x -= back * raise
            let hanging = posture[hand: side]
            let shake = rub * sin(pace * moment.time)
            posture.hold(side, at: Point(0.05 + shake, height + 0.5 * shake, 0.22), elbow: Point(0.7, -1, 0.2))
            posture[hand: side].end = hanging.end.mixed(with: posture[hand: side].end, raise)
            return posture
        }
    }

    /// Wipes a bench, a machine or a window: one hand moves to and fro.
    static func wipe(_ performer: inout Performer) -> PerformedMotion {
        let stance = Stance(&performer, lean: 5...60)
        let pace = performer.uniform(3...9), reach = performer.uniform(0.08...0.3)
        let bend = performer.wander(0.12, every: 3)
        let height = performer.uniform(-0.5...0.3), side = performer.side(), angle = performer.uniform(0...6)
        let drift = performer.wander(0.15, every: 3)
        return PerformedMotion { moment in
            var posture = stance.posture(at: moment.time)
            posture.trunk.x += bend(moment.time)
            posture.pelvis.z -= 0.1 * posture.trunk.x
            let swing = reach * sin(pace * moment.time)
            let spot = Point(0.1 + swing * cos(angle) + drift(moment.time), height + swing * sin(angle), 0.6)
            posture.hold(side, at: spot, elbow: Point(0.6, -1, 0))
            return posture
        }
    }

    /// Waves or claps.
    static func wave(_ performer: inout Performer) -> PerformedMotion {
        let stance = Stance(&performer)
        let pace = performer.uniform(5...14), reach = performer.uniform(0.06...0.2), isClap = performer.chance(0.5)
        let height = performer.uniform(-0.2...0.6), side = performer.side()
        return PerformedMotion { moment in
            var posture = stance.posture(at: moment.time)
            let swing = reach * sin(pace * moment.time)
            for hand in Side.both where isClap || hand == side {
                let spot =
                    isClap ? Point(0.02 + reach + swing, 0.5 * height - 0.1, 0.4) : Point(0.5 + swing, height, 0.2)
                posture.hold(hand, at: spot, elbow: Point(0.7, -1, 0))
            }
            return posture
        }
    }

    /// Bends down for something once and comes up again, using the knees or the back.
    static func pickUp(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let stance = Stance(&performer)
        let span = performer.event(lasting: performer.uniform(1.4...4)), hold = performer.uniform(0.02...0.3)
        let depth = Squats.Depth(&performer, thigh: 20...95), bow = performer.angle(0...45)
        let isBoth = performer.chance(0.5), side = performer.side(), aside = performer.uniform(-0.2...0.3)
        let height = performer.uniform(0.05...0.45), stagger = performer.normal(0.12)
        return PerformedMotion { moment in
            let progress = (moment.time - span.lowerBound) / (span.upperBound - span.lowerBound)
            let down = ease(progress, from: 0, to: 0.5 - hold) - ease(progress, from: 0.5 + hold, to: 1)
            var posture = stance.posture(at: moment.time)
            let upright = posture
            depth.apply(1, to: &posture)
            posture.trunk.x += bow
            posture.leftFoot.end.z += stagger
            for hand in Side.both where hand == side || isBoth {
                posture.touch(hand, Point(hand.sign * aside, height, 0.25 * body.height), elbow: Point(0.5, 0, -1))
            }
            var mixed = upright.mixed(with: posture, down)
            mixed.leftFoot.end.z = posture.leftFoot.end.z
            return mixed
        }
    }

    /// Kneels on one knee or crouches, with both hands at a shoe or a weight.
    static func tieShoe(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let isOnKnee = performer.chance(0.6), bow = performer.angle(35...80)
        let busy = performer.wander(0.03, every: 0.8), sway = performer.wander(0.012)
        let far = performer.uniform(0.16...0.26)
        let mirror = performer.side()
        return PerformedMotion { moment in
            var posture = Posture(standing: body)
            posture.pelvis = Point(0.02 + sway(moment.time), (isOnKnee ? 0.27 : 0.2) * body.height, -0.04 * body.height)
            posture.lean(bow, rounding: 0.5)
            posture.plant(.left, x: 0.08, z: far * body.height, knee: 0.2)
            posture.plant(.right, x: 0.08, z: (isOnKnee ? -0.2 : 0.1) * body.height, lift: 0.05, knee: 0.1)
            if isOnKnee { posture.rightFoot.bend = Point(-0.1, -1, 0.4) }
            for side in Side.both {
                let hand =
                    posture.leftFoot.end
                    + Point(side.sign * (0.05 + busy(moment.time)), 0.06 + busy(moment.time + 3), 0.03)
                posture.touch(side, hand, elbow: Point(0.5, 0, -1))
            }
            posture.head.x = 0.1
            return mirror == .left ? posture : posture.mirrored
        }
    }
}
