import Foundation

/// People standing around without exercising.
enum Standing {
    static let kinds: [MotionKind] = [
        MotionKind("idle", "none", .anywhere, weight: 3) { idle(&$0) },
        MotionKind("talk", "none", .anywhere, weight: 2) { talk(&$0) },
        MotionKind("starting_pose", "none", .anywhere, weight: 2) { startingPose(&$0) },
        MotionKind("cut_off", "none", .anywhere, isCut: true) { idle(&$0) },
    ]

    /// Stands, looks around, shifts the weight, gestures, scratches.
    static func idle(_ performer: inout Performer) -> PerformedMotion {
        let gestures: Float = performer.chance(0.6) ? 1 : 0
        return stand(
            &performer, gestures: gestures, carriages: [.hanging, .hanging, .hips, .crossed, .clasped, .dumbbells])
    }

    /// Talks with both hands.
    static func talk(_ performer: inout Performer) -> PerformedMotion {
        stand(&performer, gestures: 2, carriages: [.hanging, .clasped, .goblet])
    }

    /// Holds still as if an exercise were about to begin.
    static func startingPose(_ performer: inout Performer) -> PerformedMotion {
        stand(
            &performer, gestures: 0, carriages: [.overhead, .forward, .behindHead, .bar, .goblet, .frontRack, .raised])
    }

    private static func stand(
        _ performer: inout Performer, gestures: Float, carriages: [Carriage.Style]
    ) -> PerformedMotion {
        let body = performer.physique
        let carriage = Carriage(&performer, among: carriages)
        let shift = performer.wander(performer.uniform(0.004...0.045), every: 3)
        let bob = performer.wander(0.006, every: 2)
        let lean = performer.wander(0.03, every: 3), base = performer.angle(-4...10)
        let look = performer.wander(performer.uniform(0.05...0.5), every: 3), nod = performer.wander(0.12, every: 2)
        let turn = performer.wander(0.12, every: 5), twist = performer.wander(0.1, every: 3)
        let stance = performer.uniform(0.03...0.14), stagger = performer.normal(0.05)
        let side = performer.side(), isBoth = gestures > 1 || performer.chance(0.3)
        let strength = gestures > 0 ? performer.uniform(0.3...1) : 0
        let attention = performer.wander(0.5, every: 4)
        let (x, y) = (performer.uniform(0...0.4), performer.uniform(-0.5...0.35))
        let hands = (performer.wander(0.14, every: 1.4), performer.wander(0.14, every: 1.2))
        return PerformedMotion { moment in
            let time = moment.time
            var posture = Posture(standing: body, stance: stance)
            posture.pelvis += Point(shift(time), min(0, bob(time)) - 0.004, 0.3 * shift(time + 7))
            posture.lean(base + lean(time), rounding: 0.1)
            posture.trunk.z = shift(time) * 0.8
            posture.spine.y = twist(time)
            posture.head = Point(nod(time), look(time), 0)
            posture.heading.y = turn(time)
            posture.leftFoot.end.z += stagger
            carriage.apply(to: &posture)
            let raise = strength * ease(0.5 + attention(time))
            for hand in Side.both where hand == side || isBoth {
                var gesture = posture
                let wave = hand == .left ? hands.0(time) : hands.1(time)
                gesture.hold(hand, at: Point(x + wave, y + wave, 0.4), elbow: Point(0.5, -1, 0))
                posture[hand: hand].end = posture[hand: hand].end.mixed(with: gesture[hand: hand].end, raise)
                posture[hand: hand].bend = posture[hand: hand].bend.mixed(with: gesture[hand: hand].bend, raise)
            }
            return posture
        }
    }
}
