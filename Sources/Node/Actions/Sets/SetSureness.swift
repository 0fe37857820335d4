import Foundation

/// The probability that a set took place as it was recognised: the person did at least one repetition of this exercise.
///
/// It is a logistic regression on what was measured in 628 supposed sets: in 1,258 recordings of Penn Action, 594
/// synthetic clips of all motions, and 130 videos. Near misses are less sure, less alike and faster than the exercise.
/// Fitted on two of the three collections it says of the third, from the least sure sets to the surest, .20 .39 .59 .79
/// .90 .98; of these .23 .57 .69 .71 .93 .98 are right.
struct SetSureness {
    /// A set that is less sure is not reported.
    private static let least: Float = 0.8
    /// A repetition that takes longer says no more, and one that takes less time no less, seconds.
    private static let lengths: ClosedRange<Double> = 0.5...4

    /// The probability, 0…1.
    let value: Float

    /// Judges a set.
    ///
    /// - Parameters:
    ///   - meanProbability: see ``SetEvidence``.
    ///   - repetitions: those whose poses are known.
    ///   - stretch: the poses in which they were counted.
    ///   - features: those of the same poses.
    init(
        _ meanProbability: Float, _ repetitions: [Repetition], in stretch: PoseStretch, _ features: CountingFeatures
    ) {
        guard !repetitions.isEmpty else {
            value = 0
            return
        }
        let mean = min(max(meanProbability, 0.001), 0.999)
        let usual = repetitions.map(\.seconds).sorted()[repetitions.count / 2]
        let length = Float(min(max(usual, Self.lengths.lowerBound), Self.lengths.upperBound))
        let likeness = RepetitionLikeness.likenessOfNeighbours(repetitions, in: stretch, features)
        let score = -2.74 + 1.17 * log(mean / (1 - mean)) + 1.61 * log(length) + (likeness.map { 1.69 * $0 } ?? 0.3)
        value = 1 / (1 + exp(-score))
    }

    /// Whether the set may be reported.
    var isEnough: Bool { value >= Self.least }
}
