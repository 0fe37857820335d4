/// The cycles of clips whose repetitions have two swings: a burpee crouches on its way to the floor, and again on its way up.
struct TwoSwings {
    /// So many pairs of a cycle and the one after the next are needed.
    private static let fewest = 5
    /// How much more a cycle resembles the one after the next than the next one, as a mean correlation. Eight clips of
    /// burpees, box jumps and walk-outs of the motion generator reach 0.1 to 0.71; those of 23 motions with one swing 0.13 at
    /// most, but for 0.2 in eight clips of star jumps.
    private static let leastContrast: Float = 0.22

    /// The cycles of each clip, in order of time, and whether they are the second swing. Which one is the second differs from
    /// clip to clip until some are turned.
    private(set) var cycles: [[(cycle: Cycle, isSecond: Bool)]]

    /// - Returns: `nil` where a cycle is as like the next one as the one after it.
    init?(_ clips: [CountingFeatures], _ found: [[Cycle]]) {
        let paths = zip(clips, found).map { features, cycles in
            // Each with length 1.
            cycles.map { RepetitionLikeness.mean(of: [RepetitionLikeness.path(of: $0, in: features)]) }
        }
        func pairs(_ later: Int) -> [Float] {
            paths.flatMap { zip($0, $0.dropFirst(later)).map { $0.cosine(to: $1) } }
        }
        let (next, second) = (pairs(1), pairs(2))
        guard second.count >= Self.fewest, Self.mean(second) - Self.mean(next) >= Self.leastContrast else { return nil }
        // How a cycle differs from the next one, where it differs most.
        let axis = paths.map(Self.difference).max { Self.length($0) < Self.length($1) } ?? []
        cycles = zip(found, paths).map { cycles, paths in
            guard paths.count > 1 else { return cycles.map { ($0, false) } }
            let middle = RepetitionLikeness.mean(of: paths)
            return zip(cycles, paths).map { cycle, path in
                (cycle, zip(path, middle).map { $0 - $1 }.cosine(to: axis) > 0)
            }
        }
    }

    /// With the two swings of one clip the other way round.
    func turned(_ clip: Int) -> TwoSwings {
        var turned = self
        turned.cycles[clip] = cycles[clip].map { ($0.cycle, !$0.isSecond) }
        return turned
    }

    /// How well a clip's line follows its progress: the covariance.
    func agreement(of line: [Float], _ clip: Int, _ extreme: Extreme) -> Float {
        let progress = progress(clip, extreme)
        guard !progress.isEmpty else { return 0 }
        let count = Float(progress.count)
        let middle = progress.reduce(0) { $0 + $1.progress } / count
        return progress.reduce(0) { $0 + line[$1.frame] * ($1.progress - middle) } / count
    }

    private static func mean(_ values: [Float]) -> Float { values.reduce(0, +) / Float(max(values.count, 1)) }

    private static func length(_ path: [Float]) -> Float { path.reduce(0) { $0 + $1 * $1 } }

    /// The mean of every other cycle, less the mean of the others; empty for fewer than two.
    private static func difference(of paths: [[Float]]) -> [Float] {
        guard paths.count > 1 else { return [] }
        let halves = [0, 1].map { first in
            RepetitionLikeness.mean(of: stride(from: first, to: paths.count, by: 2).map { paths[$0] })
        }
        return zip(halves[1], halves[0]).map { $0 - $1 }
    }

    /// What is the turning point of a repetition.
    enum Extreme: CaseIterable {
        case firstSwing, secondSwing
        /// The pose between them, such as a burpee's on the floor.
        case between
    }

    /// The progress through the repetitions of a clip, by frames: 0 at rest, 1 at the extreme.
    func progress(_ clip: Int, _ extreme: Extreme) -> [(frame: Int, progress: Float)] {
        let cycles = cycles[clip]
        if extreme == .between {
            return zip(cycles, cycles.dropFirst()).filter { !$0.isSecond && $1.isSecond }.flatMap { first, second in
                Cycle(
                    lowBefore: first.cycle.lowBefore, start: first.cycle.start, extreme: first.cycle.lowAfter,
                    end: second.cycle.end, lowAfter: second.cycle.lowAfter, swing: first.cycle.swing
                ).progress
            }
        }
        return cycles.flatMap { cycle, isSecond in
            isSecond == (extreme == .secondSwing) ? cycle.progress : cycle.progress.map { ($0.frame, 0) }
        }
    }
}
