import Foundation

/// On hands and feet across the floor: similar to burpees and push-ups, but neither.
enum Crawls {
    static let kinds: [MotionKind] = [
        MotionKind("walk_out", "other", weight: 2) { walkOut(&$0) },
        MotionKind("bear_crawl", "other", .anywhere) { bearCrawl(&$0) },
        MotionKind("yoga_flow", "other", .anywhere) { yogaFlow(&$0) },
    ]

    /// The hands walk from the feet out into a plank and back.
    static func walkOut(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(3.2...8, resting: 0.2)
        var plank = Posture.Plank()
        plank.handWidth = performer.uniform(0.5...0.8)
        let sag = performer.uniform(-0.1...0.04), near = body.height * performer.uniform(0.14...0.28)
        let out = Posture(plank, body, shoulder: 0.93 * body.arm, sag: sag)
        let far = out.leftHand.end.z, soft = performer.uniform(0...0.07)
        func bowed(_ hands: Float, hip: Float, behind: Float, pitch: Float) -> Posture {
            var posture = out
            posture.pelvis = Point(0, body.ankle + hip * body.leg, behind * body.leg)
            posture.lean(pitch, rounding: 0.4)
            for side in Side.both {
                posture[hand: side].end.z = hands
                posture[foot: side].bend = Point(side.sign * 0.2, 0, 1)
            }
            return posture
        }
        let stand = Posture(standing: body, stance: plank.footWidth * body.hipWidth / body.height)
        let bow = bowed(near, hip: 0.94 - soft, behind: -0.06, pitch: 2.2)
        let pike = bowed(0.55 * far, hip: 0.86 - soft, behind: 0.28, pitch: 2.2)
        let hold = performer.uniform(0...0.06), reach = performer.uniform(0.03...0.1), steps = performer.uniform(3...6)
        let way = Keyframes([
            (0, stand), (0.06, stand), (0.22, bow), (0.34, pike), (0.46 - hold, out), (0.5 + hold, out), (0.64, pike),
            (0.77, bow), (0.93, stand), (1, stand),
        ])
        return PerformedMotion(tempo) { moment in
            var posture = way.posture(at: moment.progress)
            let isWalking =
                moment.progress > 0.22 && moment.progress < 0.77 && abs(moment.progress - 0.48) > 0.04 + hold
            if isWalking {
                let step = sin(moment.progress * steps * 2 * .pi)
                posture.leftHand.end += Point(0, max(0, step), step) * reach
                posture.rightHand.end += Point(0, max(0, -step), -step) * reach
            }
            return posture
        }
    }

    /// On hands and toes with the knees off the floor; opposite hand and foot move together.
    static func bearCrawl(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(0.5...1.3, jitter: 0.06, resting: 0.05)
        let stride = performer.uniform(0.08...0.3), isOnTheSpot = performer.chance(0.3)
        let hip = performer.uniform(0.62...0.95) * body.leg, direction: Float = performer.chance(0.8) ? 1 : -1
        let middle = performer.seconds / 2, tuck = performer.uniform(0.15...0.5), period = tempo.meanPeriod
        return PerformedMotion(tempo, from: .left, alternating: true) { moment in
            let swing = arch(moment.progress)
            var posture = Posture(standing: body)
            posture.pelvis = Point(0, hip, 0)
            posture.lean(acos(min(max((0.92 * body.arm - hip) / body.trunk, -0.7), 0.7)))
            let shoulder = posture.shoulder(.left)
            let shift = stride * (2 * ease(moment.progress) - 1) / 2 * direction
            for side in Side.both {
                let hand: Float = side == .left ? shift : -shift
                posture.touch(
                    side, Point(side.sign * 0.17, 0.03 + (side == .left ? 0.08 * swing : 0), shoulder.z + hand))
                let lift = side == .right ? 0.06 * swing : 0
                posture.plant(side, x: 0.1, z: -tuck * body.leg - hand, lift: 0.07 + lift, knee: 0.2)
            }
            posture.head.x = -0.4
            if !isOnTheSpot { posture.place.z = direction * stride / period * (moment.time - middle) }
            return posture
        }
    }

    /// From the plank into stretches: downward dog, cobra, child's pose.
    static func yogaFlow(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(2.5...7, resting: 0.3)
        let plank = Posture.Plank()
        let straight = Posture(plank, body, shoulder: 0.93 * body.arm)
        let allFours = FloorExercises.allFours(body)
        var dog = straight, cobra = straight, child = allFours
        dog.pelvis = Point(0, body.ankle + 0.93 * body.leg, 0.38 * body.leg)
        dog.lean(performer.angle(118...138))
        for side in Side.both { dog[hand: side].end.z = 1.3 * body.leg }
        cobra.pelvis.y = 0.12 * body.height
        cobra.lean(performer.angle(20...50), rounding: -0.5)
        child.pelvis = Point(0, 0.17 * body.height, -0.75 * body.thigh)
        child.lean(1.4, rounding: 0.2)
        child.head.x = -0.3
        // Keep the legs stretched from the toes; otherwise the knees would go through the floor.
        let toes = straight.leftFoot.end
        func stretched(_ posture: Posture) -> Posture {
            var posture = posture
            let rise = posture.pelvis.y - toes.y
            posture.pelvis.z = toes.z + max(0, 0.97 * body.leg * body.leg - rise * rise).squareRoot()
            return posture
        }
        cobra = stretched(cobra)
        let isSun = performer.chance(0.5)
        let isKneeling = !isSun && performer.chance(0.5)
        let first = isSun ? dog : isKneeling ? child : straight
        let second = isKneeling ? allFours : isSun || performer.chance(0.5) ? cobra : dog
        let hold = performer.uniform(0.05...0.18)
        let way = Keyframes([
            (0, first), (hold, first), (0.5 - hold, second), (0.5 + hold, second), (1 - hold, first), (1, first),
        ])
        return PerformedMotion(tempo) { moment in
            let posture = way.posture(at: moment.progress)
            return isKneeling ? posture : stretched(posture)
        }
    }
}
