import Foundation

/// Jumps with both feet, and movements that resemble them.
enum Jumps {
    static let kinds: [MotionKind] = [
        MotionKind("box_jump", "box_jump") { boxJump(&$0) },
        MotionKind("jump", "other") { jump(&$0) },
        MotionKind("star_jump", "other", weight: 3) { starJump(&$0) },
        MotionKind("ball_slam", "other") { ballSlam(&$0) },
    ]

    /// Straight up from a dip. Some people bring the knees to the chest.
    static func jump(_ performer: inout Performer) -> PerformedMotion {
        let stance = Stance(&performer, width: 0.04...0.1)
        let tempo = performer.tempo(0.7...2.4, jitter: 0.1, resting: 0.3)
        let height = performer.uniform(0.04...0.35), give = performer.uniform(0.03...0.16)
        let tuck = performer.chance(0.35) ? performer.uniform(0.3...0.9) : 0
        let lift = performer.angle(10...175), back = performer.angle(0...50), bend = performer.angle(5...60)
        return PerformedMotion(tempo) { moment in
            let progress = moment.progress, flight = arch((progress - 0.4) / 0.38)
            let dip = arch(progress / 0.4) + 0.5 * arch((progress - 0.76) / 0.24)
            var posture = stance.posture(at: moment.time)
            posture.pelvis += Point(0, -give * dip, -0.5 * give * dip)
            posture.trunk.x += 1.8 * give * dip
            for side in Side.both {
                posture.reach(side, abduction: 0.2, flexion: lift * flight - back * dip, bend: bend)
                posture[foot: side].end += Point(0, tuck * 0.8, tuck * 0.25) * (posture.physique.thigh * flight)
            }
            posture.rise(height * flight)
            return posture
        }
    }

    /// With both feet onto a box, upright there, and down again by a step or a jump.
    static func boxJump(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(1.8...4.5, jitter: 0.1, resting: 0.3)
        let box = Point(0, performer.uniform(0.25...0.75), body.height * performer.uniform(0.22...0.4))
        let taking = Squats.Depth(&performer, thigh: 35...85), landing = Squats.Depth(&performer, thigh: 40...105)
        let back = performer.angle(10...60), lift = performer.angle(30...120), bend = performer.angle(5...60)
        let width = body.height * performer.uniform(0.04...0.09), isStepping = performer.chance(0.5)
        func stand(_ depth: Squats.Depth? = nil, _ effort: Float = 0, arms: Float, at place: Point = Point()) -> Posture
        {
            var posture = Posture(standing: body)
            depth?.apply(effort, to: &posture)
            for side in Side.both {
                posture.plant(side, x: width, z: 0)
                posture.reach(side, abduction: 0.18, flexion: arms, bend: bend)
            }
            posture.shift(place)
            return posture
        }
        var stretched = stand(arms: 0.8 * lift, at: box * 0.15)
        stretched.rise(0.05)
        let flight = box * 0.75 + Point(0, 0.3 * box.y + 0.08, 0)
        let tucked = stand(landing, 0.8, arms: lift, at: flight)
        var stepping = stand(taking, 0.3, arms: 0.1, at: box)
        stepping.plant(.left, x: width, z: 0.1 * body.height)
        stepping.pelvis.y -= 0.25 * box.y
        let down = isStepping ? stepping : stand(taking, 0.4, arms: 0.4 * lift, at: box * 0.5 + Point(0, 0.1, 0))
        let way = Keyframes([
            (0, stand(arms: 0.1)), (0.14, stand(taking, 1, arms: -back)), (0.22, stretched), (0.3, tucked),
            (0.37, stand(landing, 1, arms: 0.6 * lift, at: box)), (0.5, stand(arms: 0.1, at: box)),
            (0.62, stand(arms: 0.1, at: box)), (0.76, down), (0.86, stand(taking, isStepping ? 0.2 : 0.7, arms: 0.1)),
            (1, stand(arms: 0.1)),
        ])
        return PerformedMotion(tempo, from: performer.side(), alternating: isStepping && performer.chance(0.5)) {
            way.posture(at: $0.progress)
        }
    }

    /// From a crouch into an X in the air.
    static func starJump(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(1...3.2, jitter: 0.08)
        let depth = Squats.Depth(&performer, thigh: performer.chance(0.4) ? 100...135 : 50...110)
        let height = performer.uniform(0.08...0.35), wide = performer.uniform(0.1...0.22) * body.height
        let arms = performer.angle(90...150), narrow = performer.uniform(0.04...0.1) * body.height
        return PerformedMotion(tempo) { moment in
            let progress = moment.progress, open = arch((progress - 0.42) / 0.36)
            let down =
                ease(progress, from: 0, to: 0.3) - ease(progress, from: 0.32, to: 0.46)
                + ease(progress, from: 0.8, to: 0.9) * 0.3 * (1 - ease(progress, from: 0.9, to: 1))
            var posture = Posture(standing: body)
            depth.apply(down, to: &posture)
            posture.head.x = -0.4 * (posture.trunk.x + posture.spine.x)
            for side in Side.both {
                posture.plant(side, x: narrow + (wide - narrow) * open, z: 0, knee: 0.3)
                posture.reach(side, abduction: 0.15 + arms * open, flexion: 0.8 * down + 0.1, bend: 0.3 + 0.5 * down)
            }
            posture.rise(height * open)
            return posture
        }
    }

    /// A ball from overhead down to the floor.
    static func ballSlam(_ performer: inout Performer) -> PerformedMotion {
        let stance = Stance(&performer, width: 0.07...0.15)
        let tempo = performer.tempo(1.5...3.2, jitter: 0.08, resting: 0.3)
        let depth = Squats.Depth(&performer, thigh: 25...85), bow = performer.angle(10...45)
        let rise = performer.uniform(0...0.06), side = performer.chance(0.2) ? performer.uniform(-0.5...0.5) : 0
        let up = Carriage(.overhead, &performer)
        return PerformedMotion(tempo) { moment in
            let progress = moment.progress
            let high = ease(progress, from: 0.1, to: 0.4) - ease(progress, from: 0.45, to: 0.68)
            let low = ease(progress, from: 0.44, to: 0.7) + 1 - ease(progress, from: 0, to: 0.3)
            var posture = stance.posture(at: moment.time)
            var bottom = posture
            depth.apply(1, to: &bottom)
            bottom.trunk.x += bow
            bottom.spine.y = side
            for hand in Side.both { bottom.reach(hand, abduction: 0.05, flexion: 0.5, bend: 0.2) }
            var top = posture
            up.apply(to: &top)
            for hand in Side.both { posture.hold(hand, at: Point(0.08, -0.1, 0.4), elbow: Point(0.6, -1, 0)) }
            posture = posture.mixed(with: bottom, min(low, 1)).mixed(with: top, high)
            posture.rise(rise * high)
            return posture
        }
    }
}
