import Foundation

/// Decides which side works in each repetition of a set.
///
/// A single repetition may be seen wrong. People keep to a side or change it with each repetition, so the repetitions before
/// and after say something as well: the probabilities are those of a hidden Markov model, averaged over both habits.
package enum SideSequence {
    /// The probability of going on as usual: with the same side, or with the other one.
    private static let usual = 0.94
    /// The states: left, right, both.
    private static let states = 3
    /// The probability of each next state after each state, of people who keep to a side.
    private static let keeping = [
        [usual, 0.04, 0.02], [0.04, usual, 0.02], [0.03, 0.03, usual],
    ]
    /// The same of people who change sides. Where both sides work, there is nothing to change.
    private static let changing = [
        [0.04, usual, 0.02], [usual, 0.04, 0.02], [0.03, 0.03, usual],
    ]
    /// The standard error of a side that is quite sure.
    private static let minimumUncertainty = 0.1

    /// The repetitions with the reading of ``FormMeasurement/workingSide``, where it can be told.
    package static func decided(_ repetitions: [Repetition]) -> [Repetition] {
        let evidence = repetitions.map(\.sideEvidence)
        let seen = evidence.compactMap(\.self).count
        guard seen > 0, 2 * seen >= evidence.count else { return repetitions }
        return zip(repetitions, probabilities(evidence)).map { repetition, share in
            var repetition = repetition
            let value = share.right - share.left
            // Rounding may take a variance of 0 below it.
            let variance = max(share.right + share.left - value * value, minimumUncertainty * minimumUncertainty)
            repetition.measures?.readings[.workingSide] = .init(value, uncertainty: variance.squareRoot())
            return repetition
        }
    }

    /// The probabilities of the sides in each repetition.
    static func probabilities(_ evidence: [SideEvidence?]) -> [(left: Double, right: Double)] {
        let mayBeBoth = evidence.contains { $0.map { $0.both > SideEvidence.never } ?? false }
        let unseen: [Double] = [1, 1, mayBeBoth ? 1 : SideEvidence.never]
        let likelihoods: [[Double]] = evidence.map { one in one.map { [$0.left, $0.right, $0.both] } ?? unseen }
        let habits = [keeping, changing].map { posterior(likelihoods, $0) }
        let best = habits.map(\.logLikelihood).max() ?? 0
        let weights = habits.map { exp($0.logLikelihood - best) }
        let sum = weights.reduce(0, +)
        return likelihoods.indices.map { place in
            func mean(_ state: Int) -> Double {
                zip(habits, weights).reduce(0) { $0 + $1.1 * $1.0.shares[place][state] } / sum
            }
            return (mean(0), mean(1))
        }
    }

    /// The forward-backward algorithm: the probability of each state at each place, and that of all observations.
    private static func posterior(
        _ likelihoods: [[Double]], _ transitions: [[Double]]
    ) -> (shares: [[Double]], logLikelihood: Double) {
        var forward: [[Double]] = [], logLikelihood = 0.0
        for one in likelihoods {
            let prior = (0..<states).map { state in
                forward.last.map { last in (0..<states).reduce(0) { $0 + last[$1] * transitions[$1][state] } }
                    ?? 1 / Double(states)
            }
            let joint = zip(prior, one).map { $0 * $1 }
            let sum = joint.reduce(0, +)
            logLikelihood += log(sum)
            forward.append(joint.map { $0 / sum })
        }
        var backward = [Double](repeating: 1, count: states)
        var shares = forward
        for place in likelihoods.indices.reversed() {
            let joint = zip(forward[place], backward).map { $0 * $1 }
            let sum = joint.reduce(0, +)
            shares[place] = joint.map { $0 / sum }
            let next = zip(likelihoods[place], backward).map { $0 * $1 }
            backward = (0..<states).map { state in zip(transitions[state], next).reduce(0) { $0 + $1.0 * $1.1 } }
            let scale = backward.reduce(0, +)
            backward = backward.map { $0 / scale }
        }
        return (shares, logLikelihood)
    }
}
