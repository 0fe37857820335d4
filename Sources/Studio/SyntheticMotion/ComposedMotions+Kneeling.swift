import Foundation

extension ComposedMotions {
    /// On one knee or both. The first choice goes back to the heels.
    static func kneeling(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let isHalf = performer.chance(0.5), width = performer.uniform(0.05...0.14), lean = performer.angle(-3...20)
        let carriage = Carriage(&performer, among: Carriage.Style.allCases)
        let sway = performer.wander(0.01)
        let choices: [StandingPart?] = [nil, .sideBend, .twist, .bow, .arms, .arm, .hips, .twist]
        let parts: [Part] = some(choices, upTo: 2, &performer).map { choice in
            if let choice { return part(choice, &performer) }
            let way = body.thigh * performer.uniform(0.15...(isHalf ? 0.25 : 0.6))
            return { $0.moveHips(Point(0, -0.6 * way, -0.8 * way) * $1) }
        }
        return Composition(&performer, parts).performed { time in
            var posture = Posture(standing: body)
            posture.pelvis = Point(sway(time), body.thigh + 0.05, 0)
            for side in Side.both {
                posture[foot: side] = Posture.Limb(
                    end: Point(side.sign * width, 0.06, -0.95 * body.shin), bend: Point(0, -0.6, 1))
            }
            if isHalf { posture.plant(.left, x: width, z: 0.85 * body.thigh, knee: 0.2) }
            posture.lean(lean, rounding: 0.1)
            carriage.apply(to: &posture)
            return posture
        }
    }

    private enum FoursPart: CaseIterable { case rock, legAside, round, armAside, hips, sway }

    /// On hands and knees. A leg that is stretched back, or an arm forward, would be a bird dog.
    static func allFours(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let look = performer.angle(-40...25)
        let parts: [Part] = some(FoursPart.allCases, upTo: 2, &performer).map { choice in
            let size = performer.uniform(0.4...1)
            switch choice {
            case .rock:
                let way = Point(0, -0.25, -0.6) * (body.thigh * size)
                return { $0.pelvis += way * $1 }
            case .sway:
                let way = Point(0, 0, 0.2) * (body.thigh * size)
                return { $0.pelvis += way * $1 }
            case .legAside:
                let way = Point(0.75, 0.55, 0.15) * (body.thigh * size)
                return { $0.leftFoot.end += way * $1 }
            case .round:
                let bend = performer.angle(15...50)
                return { posture, effort in
                    posture.lean(posture.trunk.x + posture.spine.x, rounding: bend * (2 * effort - 1))
                    posture.head.x -= 0.5 * bend * (2 * effort - 1)
                }
            case .armAside:
                let (out, up) = (body.arm * performer.uniform(0.4...0.9), body.arm * performer.uniform(0.2...1.4))
                return { posture, effort in
                    posture.leftHand.end += Point(out, up, -0.1) * effort
                    posture.spine.y += 0.5 * effort
                }
            case .hips:
                let way = Point(body.hipWidth * size, 0, 0)
                return { $0.pelvis += way * (2 * $1 - 1) }
            }
        }
        return Composition(&performer, parts).performed { _ in
            var posture = FloorExercises.allFours(body)
            posture.head.x = look
            return posture
        }
    }
}
