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
    /// The seconds over which the local swing is measured.
    static let swingSeconds = 6.0
    /// The standard deviation of the Gaussian smoothing, as a share of a period.
    private static let smoothShare = 1.0 / 12
    /// The number of times the direction is adapted to the person.
    private static let passes = 2

    private let basis: CountingBasis?
    private let rules: RecognitionRules.Counting

    /// Creates a counter for one label.
    ///
    /// - Parameters:
    ///   - basis: the label's direction. Without a usable one, the direction in which the person moves most is used.
    ///   - rules: what counts as a repetition.
    public init(basis: CountingBasis?, rules: RecognitionRules.Counting = RecognitionRules.Counting()) {
        self.basis = basis.flatMap { $0.isUsable ? $0 : nil }
        self.rules = rules
    }

    /// The repetitions in order of time. The last one counts as soon as it has returned by 40 % of the local swing.
    public func repetitions(in stretch: PoseStretch) -> [Repetition] {
        repetitions(in: stretch, CountingFeatures(stretch))
    }

    /// The same, with the features of the stretch.
    package func repetitions(in stretch: PoseStretch, _ features: CountingFeatures) -> [Repetition] {
        cycles(in: features).map { Repetition($0, in: stretch) }
    }

    /// The repetitions, and those that stricter and looser limits find in the same motion.
    func counts(in stretch: PoseStretch, _ features: CountingFeatures) -> RepetitionCounts {
        let (line, cycles) = signal(of: features)
        let width = width(of: features)
        func found(_ cycles: [Cycle]) -> [Repetition] { cycles.map { Repetition($0, in: stretch) } }
        return RepetitionCounts(
            usual: found(cycles),
            fewer: found(Cycle.find(in: line, width: width, rules.shifted(by: rules.doubtShare))),
            more: found(Cycle.find(in: line, width: width, rules.shifted(by: -rules.doubtShare))))
    }

    /// The cycles of the movement, in order of time.
    func cycles(in features: CountingFeatures) -> [Cycle] { signal(of: features).cycles }

    private func width(of features: CountingFeatures) -> Int { max(3, Int(Self.swingSeconds * features.rate)) }

    /// The motion along the direction that fits this person best, and its cycles.
    private func signal(of features: CountingFeatures) -> (line: [Float], cycles: [Cycle]) {
        guard features.frames > 2 else { return ([], []) }
        let prior = basis?.weights ?? features.principalDirection()
        let width = width(of: features)
        var line = features.along(prior)
        var cycles = Cycle.find(in: line, width: width, rules)
        for _ in 0..<Self.passes where cycles.count > 2 {
            line = features.along(features.direction(fitting: cycles, from: prior))
            // The features are already smoothed, so only the rest is added.
            let deviation = Self.smoothShare * Double(Cycle.medianPeriod(cycles) ?? 0)
            let before = CountingFeatures.smoothSeconds * features.rate
            let rest = max(0, deviation * deviation - before * before).squareRoot()
            line = Smoothing.bell(line, deviation: rest)
            cycles = Cycle.find(in: line, width: width, rules)
        }
        return (line, cycles)
    }
}

/// The repetitions of a motion as stricter and looser limits see it.
struct RepetitionCounts {
    /// Those that are counted, in order of time.
    var usual: [Repetition]
    /// Those that stricter limits leave.
    var fewer: [Repetition]
    /// Those that looser limits find.
    var more: [Repetition]

    /// The same among the repetitions of which this is true.
    func filter(_ isWanted: (Repetition) -> Bool) -> RepetitionCounts {
        RepetitionCounts(
            usual: usual.filter(isWanted), fewer: fewer.filter(isWanted), more: more.filter(isWanted))
    }

    /// By how many repetitions the limits disagree at most.
    var doubt: Int { max(usual.count - fewer.count, more.count - usual.count, 0) }
}

extension Repetition {
    fileprivate init(_ cycle: Cycle, in stretch: PoseStretch) {
        self.init(
            start: stretch.time(of: cycle.start), extreme: stretch.time(of: cycle.extreme),
            end: stretch.time(of: cycle.end))
    }
}
