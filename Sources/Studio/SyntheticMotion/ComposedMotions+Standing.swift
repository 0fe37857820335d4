import Foundation

extension ComposedMotions {
    enum StandingPart: CaseIterable {
        case legAside, legBack, legForward, kneeUp, stepAside, stepForward, stepBack, dip, hop, hips, turn
        case sideBend, twist, bow, arch, arms, arm
    }

    static func standing(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let isSplit = performer.chance(0.2), isBent = !isSplit && performer.chance(0.2)
        let isLow = !isSplit && !isBent && performer.chance(0.15)
        let stance = Stance(
            &performer, width: 0.03...(performer.chance(0.3) ? 0.28 : 0.12), lean: isBent ? 25...75 : -4...10,
            give: isLow ? 0.15...0.45 : 0...0.05)
        let stride = body.height * performer.uniform(0.12...0.3), sink = body.leg * performer.uniform(0.02...0.3)
        let carriage = Carriage(&performer, among: Carriage.Style.allCases.filter { !isBent || $0 != .dumbbells })
        var parts: [Part] = []
        for choice in some(StandingPart.allCases, upTo: 3, &performer) {
            // On bent legs a hop or a dip would be the half of a squat.
            if (isLow || isSplit) && [.hop, .dip, .kneeUp].contains(choice) { continue }
            parts.append(part(choice, &performer))
        }
        if parts.isEmpty { parts = [part(.twist, &performer)] }
        return Composition(&performer, parts).performed { time in
            var posture = stance.posture(at: time)
            if isSplit {
                posture.plant(.left, x: 0.07, z: stride)
                posture.plant(.right, x: 0.07, z: -stride, lift: 0.06)
                posture.rightFoot.bend = Point(0, -0.2, 1)
                posture.pelvis.y -= sink * stride / (0.3 * body.height)
            }
            if isBent || isLow { posture.pelvis.z -= 0.1 * body.height }
            posture.head.x -= 0.4 * posture.trunk.x
            carriage.apply(to: &posture)
            return posture
        }
    }

    static func part(_ choice: StandingPart, _ performer: inout Performer) -> Part {
        let body = performer.physique
        let size = performer.uniform(0.35...1)
        switch choice {
        case .legAside:
            let (way, rise) = (body.leg * 0.6 * size, body.leg * 0.3 * size)
            return { $0.leftFoot.end += Point(way, rise, 0) * $1 }
        case .legBack:
            let (way, rise) = (body.leg * 0.65 * size, body.leg * performer.uniform(0.1...0.4) * size)
            let bow = performer.angle(0...25)
            return { posture, effort in
                posture.leftFoot.end += Point(0, rise, -way) * effort
                posture.bow(bow * effort)
            }
        case .legForward:
            let (way, rise) = (body.leg * 0.7 * size, body.leg * 0.35 * size)
            return { $0.leftFoot.end += Point(0, rise, way) * $1 }
        case .kneeUp:
            // Below what high knees reach, or the same knee again and again.
            let rise = body.thigh * 0.6 * size, out = performer.uniform(-0.1...0.2)
            return { $0.leftFoot.end += Point(out, rise, 0.25 * rise) * $1 }
        case .stepAside, .stepForward, .stepBack:
            let way = body.height * 0.2 * size, lift = 0.05 * size
            let direction =
                choice == .stepAside ? Point(1, 0, 0) : Point(0, 0, choice == .stepForward ? 1 : -1)
            return { posture, effort in
                posture.leftFoot.end += direction * (way * effort) + Point(0, lift * arch(effort), 0)
                posture.moveHips(direction * (0.45 * way * effort))
            }
        case .dip:
            let give = body.leg * performer.uniform(0.03...0.11)
            return { $0.moveHips(Point(0, -give * $1, 0)) }
        case .hop:
            // With both feet together and low hands it would be a skipped rope.
            let height = performer.uniform(0.03...0.12), way = body.height * performer.uniform(0.08...0.2)
            return { posture, effort in
                posture.shift(Point(way * effort, height * arch(effort), 0))
                posture.leftFoot.end += Point(0.06 * effort, 0, 0)
            }
        case .hips:
            let (aside, forward) = (performer.uniform(0.04...0.14), performer.uniform(-0.1...0.1))
            return { $0.moveHips(Point(aside * $1, 0, forward * arch($1))) }
        case .turn:
            let angle = performer.angle(15...90)
            return { $0.heading.y += angle * $1 }
        case .sideBend:
            let bend = performer.angle(15...45)
            return { $0.bend(aside: bend * $1) }
        case .twist:
            let angle = performer.angle(20...70)
            return { $0.turnChest(angle * $1) }
        case .bow:
            // With hanging arms it would be a deadlift, so the hands move along with the chest.
            let bow = performer.angle(15...60)
            return { posture, effort in
                posture.bow(bow * effort)
                posture.moveHips(Point(0, 0, -0.1 * body.height * bow * effort))
            }
        case .arch:
            let back = performer.angle(10...30)
            return { $0.bow(-back * $1) }
        case .arms, .arm:
            return arms(both: choice == .arms, &performer)
        }
    }

    /// Hands that go from a place before the chest to another. Neither is the arm stretched by it nor raised: presses,
    /// pulls, curls and raises are exercises.
    private static func arms(both: Bool, _ performer: inout Performer) -> Part {
        let body = performer.physique
        let half = 0.5 * body.shoulderWidth / body.trunk, arm = body.arm / body.trunk
        let isMirrored = performer.chance(0.6)
        func direction(_ elevation: Float, _ azimuth: Float) -> Point {
            Point(cos(elevation) * sin(azimuth), sin(elevation), cos(elevation) * cos(azimuth))
        }
        // Elevation of the hand seen from the shoulder, and its way around the body: −45° is across the chest.
        let elevation = performer.angle(-70...55), azimuth = performer.angle(-45...40)
        let reach = performer.uniform(0.35...0.95), out = performer.uniform(0...1)
        // Around the body a hand goes far, up and down only with bent elbows.
        let isAround = performer.chance(0.7)
        let far = isAround ? azimuth + performer.angle(40...100) : azimuth + performer.angle(-15...15)
        let high = elevation + (isAround ? performer.angle(-15...15) : performer.angle(25...70))
        let length = isAround ? reach : min(reach, performer.uniform(0.35...0.6))
        let extent = length * arm
        let start: Point = direction(elevation, azimuth) * extent
        let end: Point = direction(high, far) * extent
        return { posture, effort in
            for side in Side.both where both || side == .left {
                let share = isMirrored || side == .left ? effort : 1 - effort
                let spot = start.mixed(with: end, share) + Point(half, 0, 0)
                posture.hold(side, at: spot, elbow: Point(0.4 + out, -1, -0.3))
            }
        }
    }
}
