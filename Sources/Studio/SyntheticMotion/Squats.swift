import Foundation

/// Knees and hips bend together; both feet stay in place.
enum Squats {
    static let kinds: [MotionKind] = [
        MotionKind("squat", "squat") { squat(&$0) }
    ]

    /// The depth and balance of a person's squat.
    struct Depth {
        /// Angle of the thigh from the vertical at the bottom, radians; a quarter turn is parallel to the floor.
        let thigh: Float
        /// Angle of the shin from the vertical at the bottom, radians.
        let shin: Float
        /// How far the shoulders stay in front of the heels, metres. Determines the lean of the trunk.
        let balance: Float
        let rounding: Float

        init(
            _ performer: inout Performer, thigh range: ClosedRange<Float>, balance: ClosedRange<Float> = -0.01...0.08
        ) {
            thigh = performer.angle(range)
            shin = performer.angle(12...36) * min(1, thigh / Float(80).degrees)
            self.balance = performer.physique.height * performer.uniform(balance)
            rounding = performer.angle(-5...18)
        }

        /// Bends the knees of a standing posture and leans the trunk so that it keeps its balance.
        func apply(_ effort: Float, to posture: inout Posture, upright: Float = 0) {
            let body = posture.physique
            let (thigh, shin) = (0.05 + effort * thigh, 0.03 + effort * shin)
            posture.pelvis.y = body.ankle + body.shin * cos(shin) + body.thigh * cos(thigh)
            posture.pelvis.z = 0.9 * (body.shin * sin(shin) - body.thigh * sin(thigh))
            let reach = (balance * effort - posture.pelvis.z) / body.trunk
            let lean = asin(min(max(reach, -0.1), 0.97))
            posture.lean(lean * (1 - upright), rounding: rounding * effort)
        }
    }

    private static let carriages: [Carriage.Style] = [
        .raised, .raised, .raised, .raised, .raised, .raised, .forward, .hanging, .behindHead, .crossed, .clasped,
        .clasped, .goblet, .goblet,
        .bar, .bar, .bar, .frontRack, .hips, .dumbbells, .overhead,
    ]

    static func squat(_ performer: inout Performer) -> PerformedMotion {
        if performer.chance(0.2) { return jumpSquat(&performer) }
        let isSumo = performer.chance(0.2)
        let isPulse = performer.chance(0.05)
        let body = performer.physique
        let tempo = performer.tempo(isPulse ? 0.8...1.6 : performer.slowly(1.2...3.4, upTo: 8))
        let stroke = performer.stroke()
        let carriage = Carriage(&performer, among: isSumo ? [.goblet, .clasped, .hanging, .hips] : carriages)
        let depth = Depth(
            &performer, thigh: performer.chance(0.25) ? 55...78 : 76...114, balance: -0.01...0.13)
        let stance = performer.uniform(isSumo ? 0.17...0.27 : 0.075...0.18) * body.height
        let knee = performer.uniform(isSumo ? 0.6...1.1 : -0.05...0.8)
        let upright = isSumo ? performer.uniform(0.2...0.6) : performer.uniform(0...0.15)
        let look = performer.uniform(0.3...0.9), stagger = performer.normal(0.012)
        let rise = performer.chance(0.1) ? performer.uniform(0.02...0.05) : 0
        let strengths = (0..<40).map { _ in 1 + performer.normal(0.05) }
        return PerformedMotion(tempo) { moment in
            let strength = strengths[moment.repetition % strengths.count]
            let effort = isPulse ? 0.62 + 0.38 * stroke(moment.progress) : stroke(moment.progress) * strength
            var posture = Posture(standing: body)
            depth.apply(effort, to: &posture, upright: upright)
            // Some people rise onto their toes at the top.
            let toes = rise * ease(1 - 3 * effort) * arch(moment.progress)
            for side in Side.both {
                posture.plant(side, x: stance, z: side.sign * stagger, knee: knee * min(effort * 2, 1))
            }
            posture.head.x = -look * (posture.trunk.x + posture.spine.x)
            carriage.apply(to: &posture, effort: effort)
            posture.rise(toes)
            return posture
        }
    }

    private static func jumpSquat(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(1.1...2.6, jitter: 0.06)
        let depth = Depth(&performer, thigh: 50...100)
        let stance = performer.uniform(0.07...0.15) * body.height, knee = performer.uniform(0...0.5)
        let height = performer.uniform(0.04...0.32)
        let back = performer.angle(10...50), lift = performer.angle(10...170), bend = performer.angle(10...50)
        let isHeld = performer.chance(0.4)
        let held = Carriage(&performer, among: [.behindHead, .clasped, .raised, .hips])
        let bottom = performer.uniform(0.32...0.45)
        return PerformedMotion(tempo) { moment in
            let (take, land) = (bottom + 0.18, bottom + 0.42)
            let down = ease(moment.progress, from: 0.04, to: bottom) - ease(moment.progress, from: bottom, to: take)
            let landing = 0.35 * arch((moment.progress - land) / (1 - land))
            let flight =
                height * 4 * max(0, (moment.progress - take) * (land - moment.progress))
                / ((land - take) * (land - take))
            var posture = Posture(standing: body)
            depth.apply(max(down, landing), to: &posture)
            for side in Side.both { posture.plant(side, x: stance, z: 0, knee: knee) }
            posture.head.x = -0.6 * (posture.trunk.x + posture.spine.x)
            if isHeld {
                held.apply(to: &posture, effort: down)
            } else {
                let swing = lift * arch((moment.progress - bottom) / (land + 0.08 - bottom)) - back * down
                for side in Side.both { posture.reach(side, abduction: 0.2, flexion: swing, bend: bend) }
            }
            posture.rise(flight)
            return posture
        }
    }
}
