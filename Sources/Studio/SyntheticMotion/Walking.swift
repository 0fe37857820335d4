import Foundation

/// People who walk, near and far, across the picture and towards the camera.
enum Walking {
    static let kinds: [MotionKind] = [
        MotionKind("walk", "none", .anywhere, weight: 6, isTravelling: true) { walk(&$0) },
        MotionKind("treadmill", "none", .anywhere) { treadmill(&$0) },
        MotionKind("walk_and_stand", "none", .anywhere, weight: 2, isTravelling: true) { walkAndStand(&$0) },
        MotionKind("turn", "none", .anywhere) { turn(&$0) },
    ]

    /// Walks or runs on the spot, on a treadmill, sometimes with the hands on its rails.
    static func treadmill(_ performer: inout Performer) -> PerformedMotion {
        let gait = Gait(&performer, isRunning: performer.chance(0.6), isLoaded: false)
        let drift = performer.wander(0.05, every: 3), isHolding = performer.chance(0.15)
        let rail = Point(performer.uniform(0.35...0.5), performer.uniform(-0.75 ... -0.5), performer.uniform(0.3...0.6))
        return PerformedMotion { moment in
            var posture = gait.posture(at: moment.time)
            posture.place = Point(0, 0, drift(moment.time))
            guard isHolding else { return posture }
            for side in Side.both { posture.hold(side, at: rail, elbow: Point(0.6, -0.6, -0.6)) }
            return posture
        }
    }

    /// Walks or jogs straight or in a curve, sometimes carrying something.
    static func walk(_ performer: inout Performer) -> PerformedMotion {
        let gait = Gait(&performer, isRunning: performer.chance(0.12))
        let curve = performer.chance(0.35) ? performer.uniform(-0.4...0.4) : 0
        // With a long lens or a low camera, people who come nearer grow quickly.
        let hurry = performer.chance(0.2) ? performer.uniform(1...1.8) : 1
        let middle = performer.seconds / 2
        return PerformedMotion { moment in
            var posture = gait.posture(at: moment.time)
            let way = gait.speed * hurry * (moment.time - middle)
            let angle = curve * (moment.time - middle)
            // On a circle the heading turns with the path.
            let radius = curve == 0 ? 0 : gait.speed / curve
            posture.place =
                curve == 0
                ? Point(0, 0, way) : Point(radius * (1 - cos(angle)), 0, radius * sin(angle))
            posture.heading.y += angle
            return posture
        }
    }

    /// Stands, then walks off, or comes and stops.
    static func walkAndStand(_ performer: inout Performer) -> PerformedMotion {
        let gait = Gait(&performer, isRunning: false)
        let idle = Standing.idle(&performer)
        let change = performer.uniform(0.25...0.75) * performer.seconds
        let isLeaving = performer.chance(0.5), turn = performer.uniform(-1.5...1.5)
        return PerformedMotion { moment in
            let time = moment.time
            let since = isLeaving ? time - change : change - time
            let moving = ease(since, from: -0.2, to: 0.5)
            var posture = idle.posture(moment).mixed(with: gait.posture(at: time), moving)
            posture.place.z += gait.speed * max(0, since) * (isLeaving ? 1 : -1)
            posture.heading.y += turn * (1 - ease(since, from: -1.2, to: 0.2))
            return posture
        }
    }

    /// Turns around on the spot with small steps.
    static func turn(_ performer: inout Performer) -> PerformedMotion {
        let idle = Standing.idle(&performer)
        let span = performer.event(lasting: performer.uniform(1...3.5)), angle = performer.uniform(1...3.6)
        let direction = performer.side().sign, lift = performer.uniform(0.02...0.06)
        let steps = Float(2 + performer.random.index(below: 4))
        return PerformedMotion { moment in
            var posture = idle.posture(moment)
            let progress = (moment.time - span.lowerBound) / (span.upperBound - span.lowerBound)
            posture.heading.y += direction * angle * ease(progress)
            if progress > 0 && progress < 1 {
                let step = sin(progress * steps * 2 * .pi)
                posture.leftFoot.end.y += lift * max(0, step)
                posture.rightFoot.end.y += lift * max(0, -step)
            }
            return posture
        }
    }

    /// The gait of one person.
    private struct Gait {
        let body: Physique
        /// Double steps per second.
        let cadence: Float
        /// Half a step in metres.
        let reach: Float
        let phase: Float
        let swing: Float
        let lean: Float
        let lift: Float
        let bounce: Float
        let elbow: Float
        let carriage: Carriage?
        let look: Float

        /// Walking speed in metres per second.
        var speed: Float { 4 * reach * cadence }

        init(_ performer: inout Performer, isRunning: Bool, isLoaded: Bool = true) {
            body = performer.physique
            cadence = performer.uniform(isRunning ? 1.2...1.5 : 0.6...1.1)
            reach = body.height * performer.uniform(isRunning ? 0.18...0.28 : 0.09...0.19)
            phase = performer.uniform(0...1)
            swing = performer.uniform(0.1...0.55) * (isRunning ? 1.3 : 1)
            lean = performer.angle(isRunning ? 4...12 : 0...8)
            lift = body.height * performer.uniform(isRunning ? 0.12...0.2 : 0.04...0.08)
            bounce = performer.uniform(0.008...0.02)
            elbow = isRunning ? performer.angle(60...100) : performer.angle(8...35)
            look = performer.angle(-5...25)
            carriage =
                isLoaded && performer.chance(0.25)
                ? Carriage(&performer, among: [.dumbbells, .goblet, .clasped, .crossed, .behindHead, .hips]) : nil
        }

        func posture(at time: Float) -> Posture {
            var posture = Posture(standing: body, stance: 0.04)
            let turns = time * cadence + phase
            posture.pelvis.y +=
                bounce * cos(4 * .pi * turns) - 0.028 * body.height * min(1, reach / (0.12 * body.height))
            posture.lean(lean)
            posture.trunk.y = 0.1 * cos(2 * .pi * turns)
            posture.spine.y = -0.2 * cos(2 * .pi * turns)
            posture.head = Point(look - 0.5 * lean, 0.1 * cos(2 * .pi * turns), 0)
            carriage?.apply(to: &posture)
            for side in Side.both {
                let own = turns + (side == .left ? 0 : 0.5)
                let cycle = own - own.rounded(.down)
                // The foot stands for six tenths of a cycle, moving backwards relative to the body, and swings forward
                // for the rest.
                let swinging = max(0, (cycle - 0.6) / 0.4)
                let z = cycle < 0.6 ? 1 - cycle / 0.3 : -1 + 2 * ease(swinging)
                let heel = cycle < 0.6 ? 0.5 * pow(max(0, cycle - 0.35) / 0.25, 2) : 0.5 * (1 - swinging)
                posture.plant(
                    side, x: 0.45 * body.hipWidth, z: 1.2 * reach * z, lift: lift * (heel + arch(swinging) * 0.6))
                guard carriage == nil else { continue }
                let arm = swing * -cos(2 * .pi * own)
                posture.reach(side, abduction: 0.14, flexion: 0.08 + arm, bend: elbow * (1 + 0.3 * arm))
            }
            return posture
        }
    }
}
