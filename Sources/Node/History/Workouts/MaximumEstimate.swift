/// The weight that a person could lift once, estimated from a set of several repetitions.
///
/// The formula is Epley's: load × (1 + n / 30) (Boyd Epley, Poundage Chart, Boyd Epley Workout, 1985), where n is the
/// repetitions until nothing more would go. Those that were left are 10 less the perceived exertion (Zourdos and others,
/// J Strength Cond Res 30(1), 2016). Without an exertion none counts as left, so the estimate is rather too low. A set of
/// one repetition with nothing left is the weight itself, which the formula does not say.
public struct MaximumEstimate: Sendable, Equatable, Encodable {
    /// The estimate, kilograms.
    public let kilograms: Double
    /// How far it may be off, kilograms: what one repetition more or less makes, or by how much the formula of Brzycki
    /// (JOPERD 64(1), 1993) differs, whichever is more.
    public let uncertainty: Double

    enum CodingKeys: String, CodingKey {
        case kilograms = "kg"
        case uncertainty = "uncertainty_kg"
    }

    /// The numbers of repetitions for which formulas of this kind were made.
    package static let repetitions = 1...12

    /// Estimates from a set.
    ///
    /// - Parameters:
    ///   - loadKg: the weight, more than 0 kilograms.
    ///   - rpe: the perceived exertion, 1…10; `nil` for none.
    /// - Returns: `nil` for a number of repetitions outside of ``repetitions``.
    package init?(loadKg: Double, reps: Int, rpe: Double?) {
        guard Self.repetitions.contains(reps), loadKg > 0 else { return nil }
        let possible = Double(reps) + (10 - (rpe ?? 10))
        let estimate = possible == 1 ? loadKg : loadKg * (1 + possible / 30)
        let brzycki = loadKg * 36 / (37 - possible)
        kilograms = estimate.rounded(decimals: 1)
        uncertainty = max(loadKg / 30, abs(estimate - brzycki)).rounded(decimals: 1)
    }
}
