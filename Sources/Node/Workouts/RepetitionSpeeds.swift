import Actions

/// How fast the repetitions of a step went up, compared with the fastest of its first three.
///
/// One camera knows no metres. But what it sees of one person from one place keeps its size, so speeds can be compared.
public struct RepetitionSpeeds: Sendable, Equatable {
    /// A share with its standard error.
    public struct Share: Sendable, Equatable {
        /// 1 is as fast as the fastest of the first repetitions.
        public var value: Double
        /// The standard error of ``value``.
        public var uncertainty: Double
    }

    /// The fastest of so many first repetitions is what others are compared with.
    static let firstRepetitions = 3
    /// The mean of so many last repetitions is compared.
    static let lastRepetitions = 2

    /// The speed of each repetition that has one, in order.
    public let shares: [Share]
    /// By which share the last two repetitions are slower than the fastest of the first three; `nil` before the fourth.
    public let loss: Share?

    /// Compares the repetitions of a step; `nil` where no speed is known.
    public init?(_ measured: [MeasuredRepetition]) {
        let readings = measured.compactMap { $0[.raisingSpeed] }.filter { $0.value > 0 }
        guard let best = readings.prefix(Self.firstRepetitions).max(by: { $0.value < $1.value }) else { return nil }
        shares = readings.map { Share(value: $0.value / best.value, uncertainty: $0.uncertainty / best.value) }
        guard readings.count > Self.firstRepetitions else {
            loss = nil
            return
        }
        let last = readings.suffix(Self.lastRepetitions)
        let count = Double(last.count)
        let mean = last.reduce(0) { $0 + $1.value } / count
        let error = last.reduce(0) { $0 + $1.uncertainty * $1.uncertainty }.squareRoot() / count
        let ratio = mean / best.value
        let (own, first) = (error / mean, best.uncertainty / best.value)
        loss = Share(value: 1 - ratio, uncertainty: ratio * (own * own + first * first).squareRoot())
    }

    /// Whether the last repetitions are slower by so many percent, beyond what the measurement may err.
    func isSlower(byPercent percent: Double) -> Bool {
        loss.map { $0.value - percent / 100 > CueCoach.certainty * $0.uncertainty } ?? false
    }
}
