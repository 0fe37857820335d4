import Foundation

extension Sports {
    /// A few quick steps to the ball, a wide low stance with one foot forward, and a stroke across the body: tennis,
    /// hockey, a boxer's hook. For a moment the legs do the same as in a lunge.
    static func forehand(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(1.5...3.6, jitter: 0.15, resting: 0.4)
        let step = body.height * performer.uniform(0.15...0.5), depth = body.leg * performer.uniform(0.03...0.22)
        let across = body.height * performer.uniform(0...0.3), turn = performer.angle(40...100)
        let run = body.height * performer.uniform(0...0.5), wide = body.height * performer.uniform(0.06...0.16)
        let low = performer.uniform(-0.7 ... -0.1), high = performer.uniform(-0.1...0.5), lean = performer.angle(5...35)
        let hop = performer.uniform(0...0.05), isTwoHanded = performer.chance(0.4)
        return PerformedMotion(tempo, from: performer.side(), alternating: performer.chance(0.3)) { moment in
            let progress = moment.progress
            let out = ease(progress, from: 0.15, to: 0.4) - ease(progress, from: 0.7, to: 1)
            let back = ease(progress, from: 0.1, to: 0.38) - ease(progress, from: 0.42, to: 0.58)
            let through = ease(progress, from: 0.44, to: 0.6) - ease(progress, from: 0.75, to: 1)
            var posture = Posture(standing: body)
            posture.pelvis += Point(0.5 * across * out, -depth * (0.3 + 0.7 * out), 0.5 * step * out)
            posture.plant(.left, x: wide + across * out, z: step * out, lift: 0.08 * arch(progress / 0.4), knee: 0.4)
            posture.plant(.right, x: wide, z: -0.2 * step * out, lift: 0.05 * out, knee: 0.3)
            posture.lean(lean * (0.4 + 0.6 * out), rounding: 0.2)
            posture.spine.y = turn * (through - back)
            posture.trunk.y = 0.4 * turn * (through - back)
            for side in Side.both {
                if side == .left && !isTwoHanded {
                    posture.reach(side, abduction: 0.5 + 0.4 * back, flexion: 0.5 + 0.4 * back, bend: 0.7)
                } else {
                    let height = low + (high - low) * through
                    posture.hold(
                        side, at: Point(0.3 - 0.5 * through + 0.2 * back, height, 0.45), elbow: Point(0.7, -0.9, -0.3))
                }
            }
            posture.place.x = run * sin(2 * .pi * progress) * 0.5
            posture.rise(hop * arch(progress / 0.25))
            return posture
        }
    }
}
