import Foundation

extension ComposedMotions {
    private enum PlankPart: CaseIterable { case pike, drop, turn, foot, leg, tap, kneeAside }

    /// On hands or forearms and toes, with a motion that is neither a push-up nor a run. A small one would be a plank.
    static func plank(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        var support = Posture.Plank()
        support.handWidth = performer.uniform(0.5...0.9)
        support.footWidth = performer.uniform(0.4...1.6)
        let isLow = performer.chance(0.3)
        let shoulder = body.arm * (isLow ? 0.55 : 0.96)
        let look = performer.angle(-40...10)
        let parts: [Part] = some(PlankPart.allCases, upTo: 2, &performer).map { choice in
            switch choice {
            case .pike:
                let way = body.leg * performer.uniform(0.25...0.6)
                return { posture, effort in
                    posture.pelvis.y += way * effort
                    posture.trunk.x += 0.9 * way / body.trunk * effort
                }
            case .drop:
                let roll = performer.angle(20...50)
                return { posture, effort in
                    posture.trunk.y += roll * (2 * effort - 1)
                    posture.pelvis.y -= 0.06 * arch(effort)
                }
            case .turn:
                let roll = performer.angle(50...85), up = body.arm * performer.uniform(0.9...1.9)
                return { posture, effort in
                    posture.spine.y += roll * effort
                    posture.leftHand.end += Point(0.2, up, -0.05) * effort
                }
            case .foot:
                let way = body.leg * performer.uniform(0.2...0.5)
                return { $0.leftFoot.end += Point(way, 0.04 * arch($1), 0) * $1 }
            case .leg:
                let rise = body.leg * performer.uniform(0.25...0.6)
                return { $0.leftFoot.end.y += rise * $1 }
            case .tap:
                let spot = performer.pick([Point(-0.3, 0.3, -0.1), Point(0.1, 0.02, 0.5), Point(0.1, 0.3, -0.7)])
                return { $0.leftHand.end += spot * (body.arm * $1) }
            case .kneeAside:
                let way = Point(0.3, 0.16, 0.85) * (body.leg * performer.uniform(0.4...0.6))
                return { posture, effort in
                    posture.leftFoot.end += way * effort
                    posture.leftFoot.bend = Point(1, 0.1, 0.6)
                }
            }
        }
        return Composition(&performer, parts, period: 1...4).performed { _ in
            var posture = Posture(support, body, shoulder: shoulder)
            posture.head.x = look
            return posture
        }
    }

    private enum SupinePart: CaseIterable { case sway, slide, kneeIn, openLegs, overhead, armAside, deadBug }

    /// On the back, with the trunk on the floor.
    static func supine(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let isTable = performer.chance(0.4)
        let feet = performer.uniform(0.45...0.97), width = performer.uniform(0.05...0.2)
        let lift = isTable ? body.thigh * performer.uniform(0.7...1) : 0
        let arms = performer.uniform(0.1...2.6), bend = performer.angle(5...80)
        let areHandsUp = performer.chance(0.3)
        let parts: [Part] = some(SupinePart.allCases, upTo: 2, &performer).map { choice in
            let size = performer.uniform(0.4...1)
            switch choice {
            case .sway:
                let way = body.leg * 0.5 * size
                return { posture, effort in
                    for side in Side.both {
                        posture[foot: side].end.x += way * (2 * effort - 1)
                        posture[foot: side].bend = Point(1.2 * (2 * effort - 1), 1, 0.3)
                    }
                }
            case .slide:
                let way = body.leg * 0.4 * size
                return { $0.leftFoot.end.z += (feet > 0.7 ? -way : way * (0.97 - feet)) * $1 }
            case .kneeIn:
                let way = Point(0, 0.35, -0.35) * (body.leg * size)
                return { $0.leftFoot.end += way * $1 }
            case .openLegs:
                return legsApart(body.leg * 0.35 * size)
            case .overhead, .deadBug:
                let isOne = choice == .deadBug, out = performer.uniform(0.05...0.3)
                return { posture, effort in
                    for side in Side.both where !isOne || side == .left {
                        posture.reach(side, abduction: out, flexion: 1.5 + 1.4 * effort, bend: 0.15, .chest)
                    }
                    guard isOne else { return }
                    posture.rightFoot.end = posture.rightFoot.end.mixed(
                        with: posture.pelvis + Point(-0.08, 0.12, 0.93 * body.leg), effort)
                }
            case .armAside:
                let turn = performer.uniform(0.5...1.3)
                return { posture, effort in
                    for side in Side.both {
                        posture.reach(side, abduction: 0.3 + turn * effort, flexion: 0.05, bend: 0.2, .chest)
                    }
                }
            }
        }
        return Composition(&performer, parts, period: 0.9...4.5).performed { _ in
            var posture = Posture(supine: body, pitch: -.pi / 2, feet: isTable ? 0.75 : feet, width: width)
            for side in Side.both {
                posture[foot: side].end.y += lift
                if areHandsUp {
                    posture.reach(side, abduction: 0.1, flexion: 1.5, bend: 0.15, .chest)
                } else {
                    posture.reach(side, abduction: arms, flexion: 0.1, bend: bend, twist: -1.2, .chest)
                }
            }
            return posture
        }
    }

    /// On the side: the upper leg, both knees or the upper arm move. The hips stay on the floor, unlike in a side plank.
    static func sideLying(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let fold = performer.uniform(0...0.9), isPropped = performer.chance(0.5)
        let rise = body.leg * performer.uniform(0.2...0.6), sweep = performer.angle(-30...60)
        let isClam = performer.chance(0.35), hasArm = performer.chance(0.3)
        let tempo = performer.tempo(0.9...3), stroke = performer.stroke()
        return PerformedMotion(tempo, from: performer.side(), alternating: false) { moment in
            let effort = stroke(moment.progress)
            var posture = Posture(standing: body)
            // The left side is up; the feet point along x.
            posture.pelvis = Point(0, 0.11 * body.height, 0)
            posture.trunk.z = .pi / 2
            posture.spine.z = isPropped ? -0.5 : -0.1
            for side in Side.both {
                let high = side == .left ? 0.09 * body.height : -0.05 * body.height
                let flat = Point(0.97 * body.leg * (1 - 0.3 * fold), high, 0.3 * fold * body.leg)
                posture[foot: side] = Posture.Limb(end: posture.pelvis + flat, bend: Point(0, 0.2, 1))
                let reach = posture.shoulder(side) + Point(0.3, side == .left ? -0.1 : -0.12, 0.4) * body.arm
                posture.touch(side, reach, elbow: Point(0.2, 0, 1))
            }
            if isClam {
                posture.leftFoot.bend = Point(0, 0.2 + 1.6 * effort, 1)
            } else {
                posture.leftFoot.end += Point(-0.2 * rise, rise, rise * sin(sweep)) * effort
            }
            if hasArm { posture.leftHand.end += Point(0, 1.1 * body.arm, -0.5 * body.arm) * effort }
            return posture
        }
    }

    private enum SeatedPart {
        case leg, knee, feet, trunk(StandingPart)

        static let all: [SeatedPart] =
            [.leg, .knee, .feet] + [StandingPart.sideBend, .twist, .bow, .arms, .arm].map { .trunk($0) }
    }

    /// On a chair, a bench or the floor. A trunk that comes up from lying would be a sit-up.
    static func seated(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let isOnFloor = performer.chance(0.4)
        let height = isOnFloor ? 0.055 * body.height : body.height * performer.uniform(0.22...0.31)
        let lean = performer.angle(-12...15), width = body.height * performer.uniform(0.04...0.14)
        let feet = isOnFloor ? performer.uniform(0.6...0.97) * body.leg : performer.uniform(0.7...1.1) * body.thigh
        let carriage = Carriage(&performer, among: Carriage.Style.allCases)
        let parts: [Part] = some(SeatedPart.all, upTo: 2, &performer).map { choice in
            let size = performer.uniform(0.4...1)
            switch choice {
            case .leg:
                let isBoth = performer.chance(0.5)
                let way = (isOnFloor ? Point(0, 0.4, 0) : Point(0, 0.7, 0.8)) * (body.shin * size)
                return { posture, effort in
                    posture.leftFoot.end += way * effort
                    if isBoth { posture.rightFoot.end += way * effort }
                }
            case .knee:
                let way = (isOnFloor ? Point(0, 0.1, -0.5) : Point(0, 0.5, 0)) * (body.thigh * size)
                return { $0.leftFoot.end += way * $1 }
            case .feet:
                return legsApart(body.leg * 0.25 * size)
            case .trunk(let choice):
                return part(choice, &performer)
            }
        }
        return Composition(&performer, parts).performed { _ in
            var posture = Posture(standing: body)
            posture.pelvis = Point(0, height, 0)
            posture.lean(lean, rounding: 0.2)
            for side in Side.both {
                posture.plant(side, x: width, z: feet, knee: 0.2)
                if isOnFloor { posture[foot: side].bend = Point(side.sign * 0.1, 1, 0.3) }
            }
            carriage.apply(to: &posture)
            return posture
        }
    }
}
