/// Measures and judges repetitions: range of motion, symmetry, tempo, the typical faults of the exercise, and the
/// likeness to the coach and to one's own first repetitions. The scores are for coaching, no assessment of safety.
public struct FormScorer: Sendable {
    private let rules: [FormRule]
    private let reference: FormReference?
    /// One's own first repetitions; `nil` before there are enough.
    private let own: FormReference?
    /// The limb of which one side may work alone; `nil` for none.
    private let limb: WorkingLimb?
    /// What is measured, and from which views.
    private let wanted: [(FormMeasurement, views: Set<CameraView>)]

    /// Measured in every exercise, whether rules ask for it or not.
    private static let usual: [FormMeasurement] = [
        .seconds, .loweringSeconds, .holdSeconds, .raisingSeconds, .raisingSpeed,
    ]

    /// Creates a scorer for one exercise.
    ///
    /// - Parameters:
    ///   - label: the exercise.
    ///   - rules: what good form is.
    ///   - reference: the coach's way of doing it; `nil` without one.
    ///   - own: one's own first repetitions; `nil` without them.
    public init(label: String, rules: FormRules, reference: FormReference? = nil, own: FormReference? = nil) {
        var found = rules.rules(for: label)
        if let tempo = reference?.tempo {
            // The coach's pace takes the place of the usual one.
            found.removeAll { $0.measure == .seconds }
            var rule = FormRule()
            (rule.least, rule.most, rule.tolerance) = (
                tempo.lowerBound, tempo.upperBound, (tempo.upperBound - tempo.lowerBound) / 2
            )
            found.append(rule)
        }
        self.rules = found
        limb = Exercise.named(label)?.limb
        self.reference = reference
        self.own = own
        // Rules that are off are measured as well: a plan may switch them on.
        let asked = rules.rules.filter { $0.action == label || $0.action == FormRule.everyAction }
        wanted =
            Self.usual.map { ($0, $0.views) }
            + asked.filter { !Self.usual.contains($0.measure) }.map { ($0.measure, $0.views) }
    }

    /// The repetitions of a set with their measures and scores.
    ///
    /// - Parameters:
    ///   - stretch: the poses in which they were counted.
    ///   - features: the features of the stretch.
    public func judged(
        _ repetitions: [Repetition], in stretch: PoseStretch, _ features: CountingFeatures
    ) -> [Repetition] {
        guard stretch.frames > 0, !repetitions.isEmpty else { return repetitions }
        let body = BodyMeasures(stretch)
        let usual = repetitions.map(\.seconds).sorted()[repetitions.count / 2]
        return repetitions.enumerated().map { index, repetition in
            let span = RepetitionSpan(
                repetition, stretch, before: index > 0 ? repetitions[index - 1] : nil,
                after: index + 1 < repetitions.count ? repetitions[index + 1] : nil)
            var measures = span.measures(wanted, body)
            if repetitions.count > 2, usual > 0 {
                measures.readings[.rhythm] = .init(abs(repetition.seconds - usual) / usual, uncertainty: 0.05)
            }
            for (measurement, model) in [(FormMeasurement.coachDistance, reference), (.ownDistance, own)] {
                measures.readings[measurement] = model.map {
                    .init($0.deviation(of: features, span.frames), uncertainty: 0.2)
                }
            }
            var judged = repetition
            judged.measures = measures
            judged.sideEvidence = limb.flatMap { SideEvidence($0, span, body) }
            judged.form = measures.isPoorView ? nil : FormScore(measures, by: rules)
            return judged
        }
    }
}
