/// What is usual for an exercise: the bands that a coaching hint is measured against where no coach has shown it.
struct FormRules: Sendable {
    /// How far the body must go, measured as ``range`` says, and by how much less is all too little.
    let leastRange: Double
    let rangeTolerance: Double
    let range: Range
    /// Seconds of a repetition.
    let tempo: ClosedRange<Double>
    /// Whether the way out is the lowering one; `nil` where neither way is.
    let lowersOutwards: Bool?
    /// Whether left and right do the same at the same time.
    let isTwoSided: Bool
    /// What else is looked at in this exercise.
    let faults: [FormScore.Part]

    /// What the range of motion is measured by; all are heights, which hardly depend on the view.
    enum Range: Sendable {
        /// By how much of its resting height above the ankles the hip comes down.
        case hip
        /// The same of the shoulders above the wrists.
        case shoulder
        /// By how many body sizes the neck comes up over the hips.
        case neck
        /// By how many arm lengths the wrists come up.
        case wrist
        /// By how many body sizes the hip comes down.
        case root
    }

    /// `nil` for actions that nothing special is known of.
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
