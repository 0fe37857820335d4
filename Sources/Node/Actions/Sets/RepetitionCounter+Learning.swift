extension RepetitionCounter {
    /// The ridge of the regression, in units of the mean variance of a channel.
    ///
    /// It is strong, because clips of strangers hold wrong cycles, too: of 18 recordings of three exercises 12 are counted
    /// to within one, with 0.1 and two rounds 8.
    private static let ridge = 1.0
    /// The ridge where a repetition has two swings. The direction of most motion is no prior there.
    private static let ridgeOfTwoSwings = 0.1
    /// Limbs work in turn where the differences of the sides change this much, in relation to the shape.
    private static let leastDifferences: Float = 0.65
    /// Two kinds of cycles are the two swings of one repetition where the sides move alike. Otherwise each is another
    /// side's. Burpees, box jumps and walk-outs of the motion generator have 0.03 to 0.1; lunges, kicks and step touches 0.28
    /// and more.
    private static let mostDifferencesOfTwoSwings: Float = 0.2
    /// How well a direction must follow repetitions of two swings. It follows burpees, box jumps and walk-outs by 0.73 to
    /// 0.98.
    private static let leastCorrelationOfTwoSwings = 0.7
    /// Rounds in which the clips must agree which swing is the first.
    private static let roundsOfTwoSwings = 8
    /// A direction for repetitions of two swings must find at most this share of the swings.
    private static let mostOfSwings = 0.7

    /// Learns the direction for counting a movement from clips of it, whose repetitions nobody has marked.
    ///
    /// The first direction is the first principal component of all clips' changes, each clip with the same weight. Its
    /// sign leads away from the pose in which most clips begin. Then the cycles along it are found, and a ridge
    /// regression over all clips predicts the progress through them. Where the cycles are of two kinds by turns, both
    /// together are one repetition: a burpee crouches on its way to the floor, and again on its way up.
    ///
    /// - Parameter clips: their features with the differences of the sides.
    /// - Returns: `nil` without motion, and where the clips show no common cycle: the exercise is held.
    package static func basis(fitting clips: [CountingFeatures]) -> CountingBasis? {
        let differences = clips.map(\.differencesOfSides).median ?? 0
        if differences >= leastDifferences, let direction = CountingFeatures.commonDirection(of: clips),
            let basis = basis(fitting: clips, cycles(of: clips, along: direction), from: direction)
        {
            return basis
        }
        let shapes = clips.map(\.shape)
        guard let direction = CountingFeatures.commonDirection(of: shapes) else { return nil }
        let found = cycles(of: shapes, along: direction)
        if differences < mostDifferencesOfTwoSwings, let swings = TwoSwings(shapes, found),
            let basis = basis(fitting: shapes, swings)
        {
            return basis
        }
        return basis(fitting: shapes, found, from: direction)
    }

    private static func cycles(of clips: [CountingFeatures], along direction: [Float]) -> [[Cycle]] {
        clips.map { Signal($0.along(direction), rate: $0.rate, RecognitionRules.Counting()).cycles }
    }

    /// The direction along which the cycles that were found show best; `nil` where they have nothing in common.
    private static func basis(
        fitting clips: [CountingFeatures], _ found: [[Cycle]], from direction: [Float]
    ) -> CountingBasis? {
        var equations = NormalEquations(channels: direction.count)
        for (features, cycles) in zip(clips, found) where cycles.count > 1 {
            equations.add(features, cycles: cycles)
        }
        let fitted = equations.solve(ridge: ridge, towards: direction, variance: NormalEquations.progressVariance)
        let basis = CountingBasis(weights: fitted ?? direction)
        let counter = RepetitionCounter(basis: basis)
        return RepetitionLikeness.haveCommonCycle(clips.map { ($0, counter.cycles(in: $0)) }) ? basis : nil
    }

    /// The direction along which each repetition of two swings is one cycle.
    private static func basis(fitting clips: [CountingFeatures], _ swings: TwoSwings) -> CountingBasis? {
        let fits = TwoSwings.Extreme.allCases.compactMap { fit(clips, swings, $0) }
        guard let best = fits.max(by: { $0.correlation < $1.correlation }),
            best.correlation >= leastCorrelationOfTwoSwings
        else { return nil }
        let basis = CountingBasis(weights: best.direction)
        let counter = RepetitionCounter(basis: basis)
        let repetitions = clips.reduce(0) { $0 + counter.cycles(in: $1).count }
        let all = swings.cycles.reduce(0) { $0 + $1.count }
        return Double(repetitions) <= mostOfSwings * Double(all) ? basis : nil
    }

    /// The direction that follows repetitions with this extreme best, and how well it does. A clip whose swings are dealt
    /// the wrong way round is turned over.
    private static func fit(
        _ clips: [CountingFeatures], _ swings: TwoSwings, _ extreme: TwoSwings.Extreme
    ) -> (direction: [Float], correlation: Double)? {
        var swings = swings
        for _ in 0..<roundsOfTwoSwings {
            var equations = NormalEquations(channels: clips.first?.channels ?? 0)
            for (clip, features) in clips.enumerated() {
                equations.add(features, frames: swings.progress(clip, extreme))
            }
            guard let direction = equations.solve(ridge: ridgeOfTwoSwings, variance: NormalEquations.progressVariance)
            else { return nil }
            let turned = clips.indices.filter { clip in
                let line = clips[clip].along(direction)
                return swings.turned(clip).agreement(of: line, clip, extreme)
                    > swings.agreement(of: line, clip, extreme)
            }
            if turned.isEmpty { return (direction, equations.correlation(along: direction)) }
            for clip in turned { swings = swings.turned(clip) }
        }
        return nil
    }
}
