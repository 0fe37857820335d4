/// Scores the form of repetitions: range of motion, symmetry, tempo and its regularity, the typical faults of the
/// exercise, and the similarity to the coach. The scores are coaching hints.
public struct FormScorer: Sendable {
    /// The allowed mean difference in height of left and right, in body sizes.
    private static let asymmetry = 0.15
    /// The allowed deviation of a repetition's duration from the set's median, as a share of it.
    private static let unevenness = 0.25
    /// The allowed ratio of the times for the two directions.
    private static let imbalance = 2.5

    private let rules: FormRules?
    private let reference: FormReference?

    /// Creates a scorer for one exercise.
    ///
    /// - Parameters:
    ///   - label: the exercise. Fewer parts are judged for labels without ``FormRules``.
    ///   - reference: the coach's way of doing it; `nil` without one.
    public init(label: String, reference: FormReference? = nil) {
        rules = FormRules.rules(for: label)
        self.reference = reference
    }

    /// The repetitions of a set with their scores.
    ///
    /// - Parameter stretch: the poses in which they were counted.
    public func judged(_ repetitions: [Repetition], in stretch: PoseStretch) -> [Repetition] {
        guard stretch.frames > 0, !repetitions.isEmpty else { return repetitions }
        let body = BodyMeasures(stretch)
        let paths = reference.map { _ in CountingFeatures(stretch) }
        let usual = repetitions.map(\.seconds).sorted()[repetitions.count / 2]
        return repetitions.map { repetition in
            let span = RepetitionSpan(repetition, stretch)
            var deviations = span.faults(rules, body)
            deviations[.range] = span.range(rules, body)
            deviations[.symmetry] = rules?.isTwoSided == true ? span.asymmetry(body).map { $0 / Self.asymmetry } : nil
            deviations[.tempo] = tempo(repetition)
            deviations[.balance] = balance(repetition)
            if repetitions.count > 2, usual > 0 {
                deviations[.rhythm] = abs(repetition.seconds - usual) / usual / Self.unevenness
            }
            if let paths { deviations[.likeCoach] = reference?.deviation(of: paths, span.frames) }
            var judged = repetition
            judged.form = FormScore(deviations: deviations)
            return judged
        }
    }

    private func tempo(_ repetition: Repetition) -> Double? {
        guard let band = reference?.tempo ?? rules?.tempo else { return nil }
        let half = (band.upperBound - band.lowerBound) / 2
        return abs(repetition.seconds - band.lowerBound - half) / max(half, 0.05)
    }

    /// The imbalance of the two directions. Lowering may take longer than rising; the opposite is judged more strictly.
    private func balance(_ repetition: Repetition) -> Double? {
        guard let lowersOutwards = rules?.lowersOutwards else { return nil }
        let out = max(repetition.extreme - repetition.start, 0.05),
            back = max(repetition.end - repetition.extreme, 0.05)
        let (down, up) = lowersOutwards ? (out, back) : (back, out)
        return max(up / down / Self.imbalance * 1.5, down / up / Self.imbalance / 1.5)
    }
}
