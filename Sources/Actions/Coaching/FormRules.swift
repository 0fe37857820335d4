/// The usual values of an exercise, which the form score is based on without a coach's reference.
struct FormRules: Sendable {
    /// The smallest range of motion that is right, in the unit of ``range``.
    let leastRange: Double
    /// The shortfall that counts as one more unit of deviation.
    let rangeTolerance: Double
    /// How the range of motion is measured.
    let range: Range
    /// The usual duration of a repetition in seconds.
    let tempo: ClosedRange<Double>
    /// Whether the body is lowered on the way out, not on the way back; `nil` if neither lowers it.
    let lowersOutwards: Bool?
    /// Whether both sides of the body do the same at the same time.
    let isTwoSided: Bool
    /// The other parts that are judged in this exercise.
    let faults: [FormScore.Part]

    /// How the range of motion is measured. All are heights, since they hardly depend on the view.
    enum Range: Sendable {
        /// The share of its height above the ankle by which the hip comes down.
        case hip
        /// The share of its height above the wrist by which the shoulder comes down.
        case shoulder
        /// The rise of the shoulders above the hips, in body sizes.
        case neck
        /// The rise of the wrists relative to the shoulders, in arm lengths.
        case wrist
        /// The vertical travel of the hip, in body sizes.
        case root
    }

    /// The rules for a label; `nil` for labels without rules.
    static func rules(for label: String) -> FormRules? { all[label] }

    private static let all: [String: FormRules] = [
        "squat": FormRules(
            leastRange: 0.35, rangeTolerance: 0.1, range: .hip, tempo: 1.5...5, lowersOutwards: true, isTwoSided: true,
            faults: [.upright]),
        "lunge": FormRules(
            leastRange: 0.22, rangeTolerance: 0.07, range: .hip, tempo: 1.3...5, lowersOutwards: true,
            isTwoSided: false, faults: [.kneeOverToes, .upright]),
        "push_up": FormRules(
            leastRange: 0.45, rangeTolerance: 0.12, range: .shoulder, tempo: 0.9...4, lowersOutwards: true,
            isTwoSided: true, faults: [.bodyLine]),
        "sit_up": FormRules(
            leastRange: 0.6, rangeTolerance: 0.15, range: .neck, tempo: 1.2...5, lowersOutwards: false,
            isTwoSided: true, faults: [.feetDown]),
        "jumping_jack": FormRules(
            leastRange: 1.3, rangeTolerance: 0.25, range: .wrist, tempo: 0.6...1.8, lowersOutwards: nil,
            isTwoSided: true, faults: [.handsAboveHead]),
        "burpee": FormRules(
            leastRange: 0.9, rangeTolerance: 0.2, range: .root, tempo: 2...7, lowersOutwards: nil, isTwoSided: false,
            faults: [.standingTall]),
    ]
}
