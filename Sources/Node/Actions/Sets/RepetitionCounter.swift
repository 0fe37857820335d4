/// Counts repetitions in a stretch of one person's poses.
///
/// The motion is projected on one direction in the space of ``CountingFeatures``. A repetition is a swing out and back
/// that is large compared with the swings around it. The initial direction belongs to the label and was learned on many
/// bodies and views. It is then adapted to this person and view: the cycles found so far give the progress of each
/// frame, and a ridge regression finds the direction that predicts the progress best.
///
/// The counter has no memory. For a growing set the caller passes the poses again, so repetitions before its recognition
/// are included, and later poses correct earlier counts. ``SetTracker`` settles what is older than its buffer.
public struct RepetitionCounter: Sendable {
    /// The seconds over which the local swing is measured.
    private static let swingSeconds = 6.0
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
        repetitions(in: stretch, features(of: stretch))
    }

    /// The features by which the repetitions of a stretch are counted.
    package func features(of stretch: PoseStretch) -> CountingFeatures {
        CountingFeatures(stretch, comparesSides: basis?.comparesSides == true)
    }

    /// The same, with ``features(of:)`` the stretch.
    package func repetitions(in stretch: PoseStretch, _ features: CountingFeatures) -> [Repetition] {
        cycles(in: features).map { Repetition($0, in: stretch) }
    }

    /// The repetitions, and those that stricter and looser limits find in the same motion.
    func counts(in stretch: PoseStretch, _ features: CountingFeatures) -> RepetitionCounts {
        let signal = signal(of: features)
        func found(shiftedBy share: Float) -> [Repetition] {
            Cycle.find(in: signal.line, swings: signal.swings, rules.shifted(by: share))
                .map { Repetition($0, in: stretch) }
        }
        return RepetitionCounts(
            usual: signal.cycles.map { Repetition($0, in: stretch) }, fewer: found(shiftedBy: rules.doubtShare),
            more: found(shiftedBy: -rules.doubtShare))
    }

    /// The cycles of the movement, in order of time.
    func cycles(in features: CountingFeatures) -> [Cycle] { signal(of: features).cycles }

    /// The motion along a direction.
    struct Signal {
        /// The progress at each frame: 0 at rest, 1 at the extreme of a usual repetition.
        let line: [Float]
        /// The local swing at each frame.
        let swings: [Float]
        let cycles: [Cycle]

        init(_ line: [Float], rate: Double, _ rules: RecognitionRules.Counting) {
            self.line = line
            swings = Smoothing.swing(line, width: max(3, Int(swingSeconds * rate)))
            cycles = Cycle.find(in: line, swings: swings, rules)
        }
    }

    /// The motion along the direction that fits this person best.
    private func signal(of features: CountingFeatures) -> Signal {
        guard features.frames > 2 else { return Signal([], rate: features.rate, rules) }
        precondition(basis.map { $0.weights.count == features.channels } ?? true, "features(of:) are of other channels")
        let prior = basis?.weights ?? features.principalDirection()
        var signal = Signal(features.along(prior), rate: features.rate, rules)
        for _ in 0..<Self.passes where signal.cycles.count > 2 {
            let line = features.along(features.direction(fitting: signal.cycles, from: prior))
            // The features are already smoothed, so only the rest is added.
            let deviation = Self.smoothShare * Double(Cycle.medianPeriod(signal.cycles) ?? 0)
            let before = CountingFeatures.smoothSeconds * features.rate
            let rest = max(0, deviation * deviation - before * before).squareRoot()
            signal = Signal(Smoothing.bell(line, deviation: rest), rate: features.rate, rules)
        }
        return signal
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
