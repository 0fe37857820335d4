extension RepetitionCounter {
    /// The ridge of the regression, in units of the mean variance of a channel.
    ///
    /// It is strong, because clips of strangers hold wrong cycles, too: of 18 recordings of three exercises 12 are counted
    /// to within one, with 0.1 and two rounds 8.
    private static let ridge = 1.0

    /// Learns the direction for counting a movement from clips of it, whose repetitions nobody has marked.
    ///
    /// The first direction is the first principal component of all clips' changes, each clip with the same weight. Its
    /// sign leads away from the pose in which most clips begin. Then the cycles along it are found, and a ridge
    /// regression over all clips predicts the progress through them.
    ///
    /// - Returns: `nil` without motion, and where the clips show no common cycle: the exercise is held.
    package static func basis(fitting clips: [CountingFeatures]) -> CountingBasis? {
        guard let direction = CountingFeatures.commonDirection(of: clips) else { return nil }
        var equations = NormalEquations()
        for features in clips {
            let cycles = Signal(features.along(direction), rate: features.rate, RecognitionRules.Counting()).cycles
            guard cycles.count > 1 else { continue }
            equations.add(features, cycles: cycles)
        }
        // A signal between 0 and 1 that follows half a cosine each way has a variance of 1/8.
        let fitted = equations.solve(ridge: ridge, towards: direction, variance: 1.0 / 8)
        let basis = CountingBasis(weights: fitted ?? direction)
        let counter = RepetitionCounter(basis: basis)
        return RepetitionLikeness.haveCommonCycle(clips.map { ($0, counter.cycles(in: $0)) }) ? basis : nil
    }
}
