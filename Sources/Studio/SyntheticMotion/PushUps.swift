import Foundation

/// Face down on the hands and the feet or knees.
enum PushUps {
    static let kinds: [MotionKind] = [
        MotionKind("push_up", "push_up", .prone) { pushUp(&$0) },
        MotionKind("side_plank", "side_plank", .prone) { sidePlank(&$0) },
        MotionKind("plank", "plank", .prone) { plankHold(&$0) },
        MotionKind("mountain_climber", "mountain_climber", .prone) { mountainClimber(&$0) },
    ]

    private static func plank(_ performer: inout Performer) -> Posture.Plank {
        var plank = Posture.Plank()
        plank.handWidth = performer.chance(0.2) ? performer.uniform(0.2...0.5) : performer.uniform(0.5...1.1)
        plank.handShift = performer.normal(0.05)
        plank.footWidth = performer.uniform(0.3...1.4)
        plank.elbow = Point(performer.uniform(0.2...1.3), 0.2, -1)
        plank.shin = performer.angle(0...80)
        return plank
    }

    /// On the toes or the knees, with a wide or narrow grip, and hands or feet possibly raised.
    static func pushUp(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        var plank = plank(&performer)
        plank.isOnKnees = performer.chance(0.2)
        if performer.chance(0.15) { plank.hands = performer.uniform(0.1...0.5) }
        if !plank.isOnKnees && plank.hands == 0 && performer.chance(0.08) { plank.feet = performer.uniform(0.1...0.45) }
        let tempo = performer.tempo(performer.chance(0.15) ? 3...4.5 : 0.9...3)
        let stroke = performer.stroke()
        let top = body.arm * performer.uniform(0.9...0.985)
        let depth = performer.chance(0.2) ? performer.uniform(0.4...0.65) : performer.uniform(0.65...1)
        let way = depth * (top - 0.075 * body.height)
        let sag = performer.uniform(-0.08...0.07), worm = performer.uniform(-0.03...0.05)
        let look = performer.angle(-50...10), shake = performer.wander(0.005, every: 1.2)
        let forward = performer.uniform(0...0.05)
        let strengths = (0..<40).map { _ in 1 - abs(performer.normal(0.05)) }
        return PerformedMotion(tempo) { moment in
            let effort = stroke(moment.progress) * strengths[moment.repetition % strengths.count]
            var posture = Posture(
                plank, body, shoulder: top - way * effort, sag: sag + worm * effort + shake(moment.time))
            posture.pelvis.z += forward * effort
            posture.head.x = look
            return posture
        }
    }

    /// Held still on the hands or elbows. Not labelled as a push-up.
    static func plankHold(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        var plank = plank(&performer)
        plank.isOnKnees = performer.chance(0.1)
        let isOnElbows = performer.chance(0.5)
        let shoulder = isOnElbows ? body.upperArm + 0.03 : body.arm * performer.uniform(0.9...0.98)
        let rise = performer.wander(0.008, every: 1.5), sag = performer.uniform(-0.1...0.08)
        let shake = performer.wander(0.012, every: 2), look = performer.angle(-50...20)
        // Some people tap their shoulders now and then.
        let isTapping = !isOnElbows && performer.chance(0.25)
        let tempo = performer.tempo(1.2...2.4)
        return PerformedMotion(tempo, from: .left, alternating: true) { moment in
            var posture = Posture(
                plank, body, shoulder: shoulder + rise(moment.time), sag: sag + shake(moment.time))
            posture.head.x = look
            if isOnElbows {
                for side in Side.both {
                    let shoulder = posture.shoulder(side)
                    posture.touch(
                        side, Point(shoulder.x * 0.7, 0.04, shoulder.z + body.forearm), elbow: Point(0.1, -1, 0))
                }
            } else if isTapping {
                let tap = posture.shoulder(.right)
                posture.leftHand.end = posture.leftHand.end.mixed(with: tap, arch(moment.progress))
            }
            return posture
        }
    }

    /// Held on one hand or elbow, the body straight and on its side. Some people dip the hips.
    static func sidePlank(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let isOnElbow = performer.chance(0.65), isOnKnees = performer.chance(0.15)
        // The arm reaches from the lower shoulder to the floor; the middle of the shoulders is half a width above it.
        let support = isOnElbow ? body.upperArm + 0.04 : body.arm * performer.uniform(0.9...0.98)
        let shoulder = support + 0.48 * body.shoulderWidth
        let lower = isOnKnees ? body.thigh : body.leg, pivot = body.ankle + 0.02
        let rise = asin(min((shoulder - pivot) / (lower + body.trunk), 0.9))
        let sag = performer.uniform(-0.06...0.07), shake = performer.wander(0.012, every: 2)
        let dip = performer.chance(0.2) ? performer.uniform(0.05...0.14) : 0
        let isRaised = performer.chance(0.4), lag = performer.uniform(-0.12...0.12),
            look = performer.wander(0.15, every: 3)
        let tempo = performer.tempo(1.2...3), side = performer.side()
        return PerformedMotion(tempo, from: side, alternating: false) { moment in
            var posture = Posture(standing: body)
            let hips = pivot + sin(rise) * lower - sag - dip * arch(moment.progress) + shake(moment.time)
            posture.pelvis = Point(cos(rise) * lower, max(hips, 0.1), 0)
            // The shoulders stay where they are while the hips sink.
            let straight = lower + body.trunk
            let up = atan2(pivot + sin(rise) * straight - posture.pelvis.y, cos(rise) * straight - posture.pelvis.x)
            posture.trunk.z = -(.pi / 2 - up)
            posture.head = Point(0, look(moment.time), 0)
            for each in Side.both {
                let spread: Float = each == .left ? 0 : 0.07
                let knee = Point(isOnKnees ? 0.1 * body.shin : 0, pivot + spread, 0.03 + lag * spread)
                let folded = knee + Point(0, 0, -0.95 * body.shin)
                posture[foot: each] = Posture.Limb(end: isOnKnees ? folded : knee, bend: Point(0.2, 0, 1))
            }
            let lowest = posture.shoulder(.left)
            posture.leftHand = Posture.Limb(
                end: Point(lowest.x, 0.04, lowest.z + (isOnElbow ? 0.95 * body.forearm : 0.02)), bend: Point(0, -1, 0)
            )
            if isRaised {
                let top = posture.shoulder(.right)
                posture.rightHand = Posture.Limb(end: top + Point(0, 0.96 * body.arm, 0), bend: Point(0, 0, -1))
            } else {
                posture.hold(.right, at: Point(0.32, -0.85, 0.05), elbow: Point(1, 0.2, -0.4))
            }
            return posture
        }
    }

    /// In the plank, the knees alternately run to the chest.
    static func mountainClimber(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let plank = plank(&performer)
        let tempo = performer.tempo(0.35...1.1, jitter: 0.06, resting: 0.05)
        let shoulder = body.arm * performer.uniform(0.9...0.98), sag = performer.uniform(-0.14 ... -0.01)
        let stride = performer.uniform(0.5...0.85), bob = performer.uniform(0...0.03), look = performer.angle(-50...0)
        let cross = performer.chance(0.2) ? performer.uniform(0.3...0.9) : 0
        return PerformedMotion(tempo, from: .left, alternating: true) { moment in
            let run = arch(moment.progress)
            var posture = Posture(plank, body, shoulder: shoulder, sag: sag - bob * run)
            posture.leftFoot.end += Point(-cross * run * body.hipWidth, 0.06 * run, stride * run * body.leg)
            posture.head.x = look
            return posture
        }
    }
}
