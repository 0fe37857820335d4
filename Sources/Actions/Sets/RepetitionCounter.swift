/// Counts repetitions in a stretch of one person's poses.
///
/// The motion is seen along one direction in the space of ``CountingFeatures``; a repetition is a swing out and back
/// that is large beside the swings around it. The direction is the label's own, learned on many bodies and views, and
/// is then turned towards what this person does in this view: the cycles found so far say where in a repetition each
/// frame is, and a ridge regression finds the direction that tells it best.
///
/// It has no memory: a set that goes on is counted again from its begin, so nothing is lost before its onset was known,
/// and what is seen later corrects what was counted before.
public struct RepetitionCounter: Sendable {
    /// A turn is believed when the line has come back by this share of the local swing…
    private static let turnShare: Float = 0.4
    /// …and by this much at least, where 1 is a usual repetition.
    private static let leastTurn: Float = 0.1
    /// The local swing is that of this many seconds.
    private static let swingSeconds = 6.0
    /// The line is smoothed by a bell of this share of a period.
    private static let smoothShare = 1.0 / 12
    /// How often the direction is turned towards the person's own.
    private static let passes = 2

    private let basis: CountingBasis?

    /// - Parameter basis: the label's; without one, or with one of another version, the direction in which the person
    ///   moves most is taken.
    public init(basis: CountingBasis?) { self.basis = basis.flatMap { $0.isUsable ? $0 : nil } }

    /// The repetitions in order of time; the last one once it has come back by ``turnShare``.
    public func repetitions(in stretch: PoseStretch) -> [Repetition] {
        let features = CountingFeatures(stretch)
        guard features.frames > 2 else { return [] }
        let prior = basis?.weights ?? features.principalDirection()
        let width = max(3, Int(Self.swingSeconds * stretch.rate))
        var cycles = cycles(in: features.along(prior), width: width)
        for _ in 0..<Self.passes where cycles.count > 2 {
            let line = features.along(features.direction(telling: cycles, from: prior))
            // What is smooth already is not smoothed twice.
            let deviation = Self.smoothShare * Double(Cycle.medianPeriod(cycles) ?? 0)
            let before = CountingFeatures.smoothSeconds * stretch.rate
            let rest = max(0, deviation * deviation - before * before).squareRoot()
            cycles = self.cycles(in: Smoothing.bell(line, deviation: rest), width: width)
        }
        return cycles.map {
            Repetition(
                start: stretch.time(of: $0.start), extreme: stretch.time(of: $0.extreme), end: stretch.time(of: $0.end))
        }
    }

    private func cycles(in line: [Float], width: Int) -> [Cycle] {
        let swings = Smoothing.swing(line, width: width)
        let turns = Turn.find(in: line) { max(Self.turnShare * swings[$0], Self.leastTurn) }
        return Cycle.find(in: line, turns)
    }

    /// The repetitions whose extremes lie in a segment.
    ///
    /// - Parameter stretch: the poses around it, see ``PoseBuffer/stretch(around:)``.
    public func repetitions(of segment: ActionSegment, in stretch: PoseStretch) -> [Repetition] {
        repetitions(in: stretch).filter { (segment.start...segment.end).contains($0.extreme) }
    }
}
