import Foundation

extension Lunges {
    /// A wide step to one side. That knee bends; the other leg stays straight.
    static func side(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(1.4...3.8), stroke = performer.stroke()
        let isStepping = performer.chance(0.6)
        let step = body.height * performer.uniform(0.34...0.52), depth = body.leg * performer.uniform(0.12...0.4)
        let lean = performer.angle(12...48), back = performer.uniform(0.04...0.12) * body.height
        let carriage = Carriage(&performer, among: [.clasped, .clasped, .hips, .goblet, .hanging, .raised])
        return PerformedMotion(tempo, from: performer.side(), alternating: performer.chance(0.6)) { moment in
            let effort = stroke(moment.progress)
            let out = isStepping ? min(1, 1.6 * effort) : 1
            let right = isStepping ? 0.06 * body.height : 0.5 * step
            let left = isStepping ? 0.06 * body.height + step * out : 0.5 * step
            var posture = Posture(standing: body)
            posture.plant(.left, x: left, z: 0, lift: isStepping ? 0.05 * arch(1.6 * effort) : 0, knee: 0.5)
            posture.plant(.right, x: right, z: 0)
            let middle = (left - right) / 2
            let x = middle + (left - middle - 0.25 * body.hipWidth) * 0.75 * effort
            let spread = abs(x + right) - body.hipWidth / 2
            let straight = (body.leg * body.leg - min(spread * spread, 0.6 * body.leg * body.leg)).squareRoot()
            posture.pelvis = Point(
                x, min(body.ankle + straight, body.standingHip) - depth * effort * 0.8, -back * effort)
            posture.lean(lean * effort, rounding: 0.2 * effort)
            posture.head.x = -0.5 * lean * effort
            carriage.apply(to: &posture, effort: effort)
            return posture
        }
    }
}
