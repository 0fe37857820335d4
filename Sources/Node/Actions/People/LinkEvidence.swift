import Foundation

/// How alike two people are of whom one was lost before the other appeared, and how likely they are one.
package struct LinkEvidence: Sendable, Equatable {
    /// Farther away says no more, in body sizes.
    private static let farthest: Float = 6
    /// A difference of statures above this is an error of measurement.
    private static let largestStature: Float = 0.3
    /// The difference of statures of which one is not known: that of two readings of one person.
    private static let unknownStature: Float = 0.05
    /// A logistic regression, fitted to the rendered crowds 207, 216 and 401…407 by `Tests/Fixtures/render/crowd/fit_links.py`:
    /// the weights of the three differences, and what is added.
    private static let weights: (clothes: Float, distance: Float, stature: Float, bias: Float) =
        (-6.2, -0.35, -14, 3.2)

    /// The difference of the clothes, 0…1.
    let clothes: Float
    /// From where the one was seen last to where the other was seen first, in body sizes.
    let distance: Float
    /// The difference of the statures, without sign; see ``PersonTraits/stature``.
    let stature: Float

    /// - Parameters:
    ///   - earlier: the person who was lost.
    ///   - later: the one who appeared then.
    /// - Returns: `nil` where the clothes of one are not known: place and stature alone tell too little.
    init?(_ earlier: PersonTraits, _ later: PersonTraits) {
        guard let mine = earlier.clothes, let theirs = later.clothes, let difference = mine.distance(to: theirs) else {
            return nil
        }
        clothes = difference
        let step = earlier.lastPlace - later.firstPlace
        distance = min(Self.farthest, (step * step).sum().squareRoot() / max(earlier.size, later.size, 1e-3))
        stature =
            earlier.stature.flatMap { mine in later.stature.map { min(Self.largestStature, abs($0 - mine)) } }
            ?? Self.unknownStature
    }

    /// The probability that they are one person, 0…1.
    package var probability: Float {
        let weights = Self.weights
        let sum = weights.clothes * clothes + weights.distance * distance + weights.stature * stature + weights.bias
        return 1 / (1 + exp(-sum))
    }

    /// What each of ``features`` is.
    package static let featureNames = ["clothes", "distance", "stature"]

    /// The three differences.
    package var features: [Float] { [clothes, distance, stature] }
}
