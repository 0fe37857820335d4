import Foundation

/// Motions that nobody wrote down: a start posture, and one to three parts of the body that move in it.
///
/// Every clip draws its own, so that the classifier meets thousands of kinds of *other*. Each part keeps out of what
/// ``Exercise`` defines: no dip is as deep as a squat, no arm presses, pulls, curls or is raised, no trunk sits up.
enum ComposedMotions {
    static let kinds: [MotionKind] = [
        MotionKind("composed_standing", "other", weight: 14) { standing(&$0) },
        MotionKind("composed_kneeling", "other", .anywhere, weight: 3) { kneeling(&$0) },
        MotionKind("composed_all_fours", "other", .prone, weight: 3) { allFours(&$0) },
        MotionKind("composed_plank", "other", .prone, weight: 3) { plank(&$0) },
        MotionKind("composed_supine", "other", .supine, weight: 3) { supine(&$0) },
        MotionKind("composed_side_lying", "other", .anywhere, weight: 2) { sideLying(&$0) },
        MotionKind("composed_seated", "other", .anywhere, weight: 4) { seated(&$0) },
    ]

    /// Moves a part of the body; the effort is 0 at the start of a repetition and 1 at its far end.
    private typealias Part = (inout Posture, _ effort: Float) -> Void

    /// A repetition of some parts, with a delay between them.
    private struct Composition {
        private let tempo: Tempo
        private let stroke: Stroke
        private let parts: [(move: Part, delay: Float, isDouble: Bool)]
        private let first: Side
        private let isAlternating: Bool

        init(_ performer: inout Performer, _ parts: [Part], period: ClosedRange<Float> = 0.7...4) {
            // Short repetitions are as frequent as long ones.
            let longest = exp(performer.uniform(log(period.lowerBound)...log(period.upperBound)))
            tempo = performer.tempo(
                0.85 * longest...longest, jitter: performer.uniform(0.04...0.2), resting: performer.uniform(0...0.5))
            stroke = performer.stroke()
            self.parts = parts.map { part in
                (part, performer.chance(0.35) ? performer.uniform(0.05...0.45) : 0, performer.chance(0.1))
            }
            first = performer.side()
            isAlternating = performer.chance(0.5)
        }

        func performed(from base: @escaping (Float) -> Posture) -> PerformedMotion {
            PerformedMotion(tempo, from: first, alternating: isAlternating) { moment in
                var posture = base(moment.time)
                for part in parts {
                    // At its borders a repetition is where it began, so that a side may follow the other.
                    let window = 1 - part.delay
                    let progress = min(max((moment.progress - part.delay) / window, 0), 1)
                    part.move(
                        &posture, stroke(part.isDouble ? (2 * progress).truncatingRemainder(dividingBy: 1) : progress))
                }
                return posture
            }
        }
    }

    /// Draws up to `count` of the choices, at least one.
    private static func some<Choice>(_ choices: [Choice], upTo count: Int, _ performer: inout Performer) -> [Choice] {
        var (left, chosen) = (choices, [Choice]())
        for _ in 0..<(1 + performer.random.index(below: count)) where !left.isEmpty {
            chosen.append(left.remove(at: performer.random.index(below: left.count)))
        }
        return chosen
    }
}

// MARK: - On the feet

extension ComposedMotions {
    private enum StandingPart: CaseIterable {
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
        var hasArms = false
        for choice in some(StandingPart.allCases, upTo: 3, &performer) {
            // On bent legs a hop or a dip would be the half of a squat.
            if (isLow || isSplit) && [.hop, .dip, .kneeUp].contains(choice) { continue }
            hasArms = hasArms || choice == .arms || choice == .arm
            parts.append(part(choice, &performer))
        }
        if parts.isEmpty { parts = [part(.twist, &performer)] }
        let composition = Composition(&performer, parts)
        return composition.performed { time in
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

    private static func part(_ choice: StandingPart, _ performer: inout Performer) -> Part {
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
        let start = direction(elevation, azimuth) * (length * arm), end = direction(high, far) * (length * arm)
        return { posture, effort in
            for side in Side.both where both || side == .left {
                let share = isMirrored || side == .left ? effort : 1 - effort
                let spot = start.mixed(with: end, share) + Point(half, 0, 0)
                posture.hold(side, at: spot, elbow: Point(0.4 + out, -1, -0.3))
            }
        }
    }
}

// MARK: - On the knees and hands

extension ComposedMotions {
    private enum KneelingPart: CaseIterable { case back, sideBend, twist, bow, arms, arm, hips, turn }

    /// On one knee or both.
    static func kneeling(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let isHalf = performer.chance(0.5), width = performer.uniform(0.05...0.14), lean = performer.angle(-3...20)
        let carriage = Carriage(&performer, among: Carriage.Style.allCases)
        let sway = performer.wander(0.01)
        let parts: [Part] = some(KneelingPart.allCases, upTo: 2, &performer).map { choice in
            switch choice {
            case .back:
                // From upright to the heels, both knees on the floor.
                let way = body.thigh * performer.uniform(0.15...(isHalf ? 0.25 : 0.6))
                return { $0.moveHips(Point(0, -0.6 * way, -0.8 * way) * $1) }
            case .sideBend: return part(.sideBend, &performer)
            case .twist: return part(.twist, &performer)
            case .bow: return part(.bow, &performer)
            case .arms: return part(.arms, &performer)
            case .arm: return part(.arm, &performer)
            case .hips: return part(.hips, &performer)
            case .turn: return part(.twist, &performer)
            }
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
}

// MARK: - Lying and sitting

extension ComposedMotions {
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
                let way = body.leg * 0.35 * size
                return { posture, effort in
                    posture.leftFoot.end.x += way * effort
                    posture.rightFoot.end.x -= way * effort
                }
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

    private enum SeatedPart: CaseIterable { case leg, knee, feet, sideBend, twist, bow, arms, arm }

    /// On a chair, a bench or the floor. A trunk that comes up from lying would be a sit-up.
    static func seated(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let isOnFloor = performer.chance(0.4)
        let height = isOnFloor ? 0.055 * body.height : body.height * performer.uniform(0.22...0.31)
        let lean = performer.angle(-12...15), width = body.height * performer.uniform(0.04...0.14)
        let feet = isOnFloor ? performer.uniform(0.6...0.97) * body.leg : performer.uniform(0.7...1.1) * body.thigh
        let carriage = Carriage(&performer, among: Carriage.Style.allCases)
        let parts: [Part] = some(SeatedPart.allCases, upTo: 2, &performer).map { choice in
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
                let way = body.leg * 0.25 * size
                return { posture, effort in
                    posture.leftFoot.end.x += way * effort
                    posture.rightFoot.end.x -= way * effort
                }
            case .sideBend: return part(.sideBend, &performer)
            case .twist:
                // Leaning back with hands before the belly it would be a Russian twist.
                return part(.twist, &performer)
            case .bow: return part(.bow, &performer)
            case .arms: return part(.arms, &performer)
            case .arm: return part(.arm, &performer)
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

extension Posture {
    /// Changes the chest, and takes the hands along.
    private mutating func moveChest(_ change: (inout Posture) -> Void) {
        let (before, middle) = (chest, shoulders)
        change(&self)
        for side in Side.both {
            let away = before.inverse * (self[hand: side].end - middle)
            self[hand: side].end = shoulders + chest * away
            self[hand: side].bend = chest * (before.inverse * self[hand: side].bend)
        }
    }

    /// Moves the hips with the trunk and the hands; the feet stay.
    fileprivate mutating func moveHips(_ way: Point) {
        pelvis += way
        for side in Side.both { self[hand: side].end += way }
    }

    /// Bends the trunk to the left with the hands.
    fileprivate mutating func bend(aside angle: Float) {
        moveChest { posture in
            posture.trunk.z -= 0.25 * angle
            posture.spine.z -= 0.75 * angle
        }
    }

    /// Turns the chest to the left with the hands.
    fileprivate mutating func turnChest(_ angle: Float) {
        moveChest { posture in
            posture.spine.y += angle
            posture.trunk.y += 0.2 * angle
        }
    }

    /// Bends the trunk forward with the hands.
    fileprivate mutating func bow(_ angle: Float) {
        moveChest { posture in
            posture.trunk.x += 0.7 * angle
            posture.spine.x += 0.3 * angle
        }
    }
}
