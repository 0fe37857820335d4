import Foundation

/// One stretch, slowly entered and held.
enum Stretching {
    static let kinds: [MotionKind] = [
        MotionKind("stretch", "none", .anywhere, weight: 2) { stretch(&$0) }
    ]

    private enum Kind: CaseIterable {
        case up, fold, quad, acrossChest, calf, hip, sideways, seatedFold
    }

    static func stretch(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let kind = performer.pick(Kind.allCases)
        let start = performer.uniform(-4...2.5), hold = performer.uniform(3...8), pace = performer.uniform(0.7...1.8)
        let sway = performer.wander(0.015), strength = performer.uniform(0.7...1)
        let breath = performer.wander(0.04, every: 3)
        let mirror = performer.side(), stance = performer.uniform(0.04...0.12)
        return PerformedMotion { moment in
            let time = moment.time
            let amount =
                ease(time, from: start, to: start + pace)
                - ease(time, from: start + pace + hold, to: start + 2 * pace + hold)
            var posture = Posture(standing: body, stance: stance)
            posture.pelvis.x = sway(time)
            let easy = posture
            take(kind, &posture, strength + breath(time))
            let mixed = kind == .seatedFold ? posture : easy.mixed(with: posture, amount)
            return mirror == .left ? mixed : mixed.mirrored
        }
    }

    private static func take(_ kind: Kind, _ posture: inout Posture, _ strength: Float) {
        let body = posture.physique
        switch kind {
        case .up, .sideways:
            posture.spine.z = kind == .up ? 0 : 0.5 * strength
            posture.trunk.z = kind == .up ? 0 : 0.15
            for side in Side.both {
                posture.reach(side, abduction: 2.9, flexion: 0.1, bend: 0.2, twist: -1.2, .chest)
            }
        case .fold:
            posture.lean(1.7 * strength, rounding: 0.6)
            posture.pelvis.z -= 0.12 * body.height
            for side in Side.both { posture.reach(side, abduction: 0.08, flexion: 0.05, bend: 0.1) }
        case .quad:
            posture.leftFoot.end = Point(0.08, 0.75 * body.shin + 0.25, -0.75 * body.shin)
            posture.leftFoot.bend = Point(0, -0.8, 0.6)
            posture.touch(.left, posture.leftFoot.end, elbow: Point(0.5, 0, -1))
            posture.reach(.right, abduction: 0.5, flexion: 0.6 * strength, bend: 0.5)
        case .acrossChest:
            posture.hold(.left, at: Point(-0.75, -0.05, 0.3), elbow: Point(0, -0.5, 1))
            posture.hold(.right, at: Point(-0.05, -0.08, 0.4), elbow: Point(0.6, -1, 0.2))
        case .calf, .hip:
            let step = (kind == .calf ? 0.4 : 0.55) * body.height
            posture.pelvis += Point(0, kind == .calf ? -0.1 : -0.26 * body.height * strength, 0.55 * step)
            posture.plant(.left, x: 0.07, z: step)
            posture.plant(.right, x: 0.07, z: -0.15, lift: 0.06, knee: 0)
            posture.rightFoot.bend = Point(0, -0.6, 1)
            posture.lean(kind == .calf ? 0.4 : 0.1)
            let style = Float(kind == .calf ? 1.4 : 0.5)
            for side in Side.both { posture.reach(side, abduction: 0.1, flexion: style, bend: kind == .calf ? 0.3 : 1) }
        case .seatedFold:
            posture = Posture(supine: body, pitch: 0.5 * strength, rounding: 0.6, feet: 0.97, width: 0.1)
            for side in Side.both { posture.reach(side, abduction: 0.1, flexion: 1.3, bend: 0.1) }
        }
    }
}
