import Foundation

/// The probability that a set took place as it was recognised: the person did at least one repetition of this exercise.
///
/// It is a logistic regression on what was measured in 628 supposed sets: in 1,258 recordings of Penn Action, 594
/// synthetic clips of all motions, and 130 videos. Near misses are less sure, less alike and faster than the exercise.
/// Fitted on two of the three collections it says of the third, from the least sure sets to the surest, .20 .39 .59 .79
/// .90 .98; of these .23 .57 .69 .71 .93 .98 are right.
struct SetSureness {
    /// A repetition that takes longer says no more, and one that takes less time no less, seconds.
    private static let lengths: ClosedRange<Double> = 0.5...4

    /// The probability, 0…1.
    let value: Float
    /// Whether the set may be reported: it is sure, and three or more repetitions are alike.
    let isEnough: Bool

    /// Judges a set.
    ///
    /// - Parameters:
    ///   - meanProbability: see ``SetEvidence``.
    ///   - repetitions: those whose poses are known.
    ///   - likeness: theirs.
    ///   - isQuick: see ``Exercise/isQuick``.
    ///   - isExpected: whether a workout expects the exercise.
    ///   - rules: when a set is sure enough.
    init(
        _ meanProbability: Float, _ repetitions: [Repetition], _ likeness: RepetitionLikeness, isQuick: Bool = false,
        isExpected: Bool = false, rules: RecognitionRules.Sets = RecognitionRules.Sets()
    ) {
        guard let usual = repetitions.map(\.seconds).median else {
            (value, isEnough) = (0, false)
            return
        }
        let mean = min(max(meanProbability, 0.001), 0.999)
        let length =
            isQuick
            ? Float(rules.lengthOfQuick) : Float(min(max(usual, Self.lengths.lowerBound), Self.lengths.upperBound))
        let score =
            -2.74 + 1.17 * log(mean / (1 - mean)) + 1.61 * log(length)
            + (likeness.ofNeighbours.map { 1.69 * $0 } ?? 0.3)
        value = 1 / (1 + exp(-score))
        let least =
            isExpected
            ? rules.minimumConfidenceOfExpected
            : repetitions.count == 1 ? rules.minimumConfidenceOfSingle : rules.minimumConfidence
        isEnough = value >= least && likeness.areAlike
    }
}
