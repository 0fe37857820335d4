/// The interval in which a share lies that was estimated from answers, by Wilson's score method.
///
/// Source: E. B. Wilson, *Probable inference, the law of succession, and statistical inference*, 1927. It holds for few answers
/// and for shares near 0 and 1.
public struct WilsonInterval: Sendable, Equatable {
    /// The estimated share, 0…1.
    public let share: Double
    /// The interval's ends, 0…1. Without answers it is all of 0…1.
    public let low, high: Double

    /// The standard normal distribution lies within ± this with a probability of 90 %.
    private static let z = 1.6448536269514722

    /// The interval at 90 %.
    ///
    /// - Parameters:
    ///   - share: the share of the answers, 0…1.
    ///   - answers: how many there are. Answers of unequal weight count for fewer; see ``effective(_:)``.
    public init(share: Double, of answers: Double) {
        self.share = share
        guard answers > 0 else {
            (low, high) = (0, 1)
            return
        }
        let z2 = Self.z * Self.z / answers
        let middle = (share + z2 / 2) / (1 + z2)
        let half = Self.z / (1 + z2) * (share * (1 - share) / answers + z2 / (4 * answers)).squareRoot()
        (low, high) = (max(0, middle - half), min(1, middle + half))
    }

    /// How many answers of equal weight tell as much as these, by Kish's formula.
    public static func effective(_ weights: [Double]) -> Double {
        let (sum, squares) = (weights.reduce(0, +), weights.reduce(0) { $0 + $1 * $1 })
        return squares > 0 ? sum * sum / squares : 0
    }
}
