import Foundation

/// Motions that nobody wrote down: a start posture, and one to three parts of the body that move in it.
///
/// Every clip draws its own, so that the classifier meets thousands of kinds of *other*. Each part keeps out of the bounds
/// of the exercises: no dip is as deep as a squat, no arm presses, pulls, curls or is raised, no trunk sits up.
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
    typealias Part = (inout Posture, _ effort: Float) -> Void

    /// A repetition of some parts, with a delay between them.
    struct Composition {
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
            let posture = { (moment: Moment) in
                var posture = base(moment.time)
                for part in parts {
                    // At its borders a repetition is where it began.
                    let window = 1 - part.delay
                    let progress = min(max((moment.progress - part.delay) / window, 0), 1)
                    part.move(
                        &posture, stroke(part.isDouble ? (2 * progress).truncatingRemainder(dividingBy: 1) : progress))
                }
                return posture
            }
            // Another side can follow only where both begin alike.
            let start = posture(Moment(time: 0, repetition: 0, progress: 0))
            let isAlternating = isAlternating && start.isSymmetric
            return PerformedMotion(tempo, from: first, alternating: isAlternating, posture: posture)
        }
    }

    /// Both legs go apart, to the sides.
    static func legsApart(_ way: Float) -> Part {
        { posture, effort in
            posture.leftFoot.end.x += way * effort
            posture.rightFoot.end.x -= way * effort
        }
    }

    /// Draws up to `count` of the choices, at least one.
    static func some<Choice>(_ choices: [Choice], upTo count: Int, _ performer: inout Performer) -> [Choice] {
        var (left, chosen) = (choices, [Choice]())
        for _ in 0..<(1 + performer.random.index(below: count)) where !left.isEmpty {
            chosen.append(left.remove(at: performer.random.index(below: left.count)))
        }
        return chosen
    }
}
