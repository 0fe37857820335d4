/// Counts repetitions in a stretch of one person's poses.
///
/// The motion is projected on one direction in the space of ``CountingFeatures``. A repetition is a swing out and back
/// that is large compared with the swings around it. The initial direction belongs to the label and was learned on many
/// bodies and views. It is then adapted to this person and view: the cycles found so far give the progress of each
/// frame, and a ridge regression finds the direction that predicts the progress best.
///
/// The counter has no memory. For a growing set the caller passes the poses again, so repetitions before its recognition
/// are included, and later poses correct earlier counts. ``PersonSetTracker`` settles what is older than its buffer.
public struct RepetitionCounter: Sendable {
    /// A turning point counts when the signal has returned by this share of the local swing …
    private static let turnShare: Float = 0.4
    /// … and by at least this much, where 1 is a usual repetition.
    private static let minimumTurn: Float = 0.1
    /// The seconds over which the local swing is measured.
    static let swingSeconds = 6.0
    /// The standard deviation of the Gaussian smoothing, as a share of a period.
    private static let smoothShare = 1.0 / 12
    /// The number of times the direction is adapted to the person.
    private static let passes = 2

    private let basis: CountingBasis?

    /// Creates a counter for one label.
    ///
    /// - Parameter basis: the label's direction. Without a usable one, the direction in which the person moves most is
    ///   used.
    public init(basis: CountingBasis?) { self.basis = basis.flatMap { $0.isUsable ? $0 : nil } }

    /// The repetitions in order of time. The last one counts as soon as it has returned by 40 % of the local swing.
    public func repetitions(in stretch: PoseStretch) -> [Repetition] {
        repetitions(in: stretch, CountingFeatures(stretch))
    }

    /// The same, with the features of the stretch.
    package func repetitions(in stretch: PoseStretch, _ features: CountingFeatures) -> [Repetition] {
        cycles(in: features).map {
            Repetition(
                start: stretch.time(of: $0.start), extreme: stretch.time(of: $0.extreme), end: stretch.time(of: $0.end))
        }
    }

    /// The cycles of the movement, in order of time.
    func cycles(in features: CountingFeatures) -> [Cycle] {
        guard features.frames > 2 else { return [] }
        let prior = basis?.weights ?? features.principalDirection()
        let width = max(3, Int(Self.swingSeconds * features.rate))
        var cycles = Self.cycles(in: features.along(prior), width: width)
        for _ in 0..<Self.passes where cycles.count > 2 {
            let line = features.along(features.direction(fitting: cycles, from: prior))
            // The features are already smoothed, so only the rest is added.
            let deviation = Self.smoothShare * Double(Cycle.medianPeriod(cycles) ?? 0)
            let before = CountingFeatures.smoothSeconds * features.rate
            let rest = max(0, deviation * deviation - before * before).squareRoot()
            cycles = Self.cycles(in: Smoothing.bell(line, deviation: rest), width: width)
        }
        return cycles
    }

    static func cycles(in line: [Float], width: Int) -> [Cycle] {
        let swings = Smoothing.swing(line, width: width)
        let turns = Turn.find(in: line) { max(turnShare * swings[$0], minimumTurn) }
        return Cycle.find(in: line, turns)
    }
}
