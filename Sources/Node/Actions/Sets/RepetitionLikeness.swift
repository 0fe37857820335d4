/// Tells repetitions of one movement from motions that only share their extremes, such as jumps of several kinds.
package struct RepetitionLikeness {
    /// Body shapes on the way out, and as many on the way back.
    private static let points = 12
    /// So many small repetitions are hardly alike by chance.
    private static let few = 4

    private let rules: RecognitionRules.Counting
    /// The changes of body shape through each repetition.
    private let paths: [[Float]]

    /// Compares repetitions.
    ///
    /// - Parameters:
    ///   - repetitions: in order of time.
    ///   - stretch: the poses in which they were counted.
    ///   - features: those of the same poses.
    ///   - rules: what is small, and what is alike.
    package init(
        _ repetitions: [Repetition], in stretch: PoseStretch, _ features: CountingFeatures,
        rules: RecognitionRules.Counting = RecognitionRules.Counting()
    ) {
        self.rules = rules
        paths = repetitions.map { Self.path(of: RepetitionSpan($0, stretch), in: features) }
    }

    /// Whether the repetitions are the sway of a person who holds still and the jitter of the detector: small, and none like
    /// the others.
    package var areSway: Bool {
        guard let change = paths.map(Self.change).median, change < rules.smallChange else { return false }
        return Self.likeness(of: paths)
            < (paths.count < Self.few ? rules.leastLikenessOfFewSmall : rules.leastLikenessOfSmall)
    }

    /// Whether most repetitions go through the same body shapes as the ones before them. Fewer than three count as alike.
    package var areAlike: Bool { paths.count < 3 || (ofNeighbours ?? 0) >= rules.leastLikeness }

    /// The median correlation of each repetition's path with that of the one before, -1…1; `nil` for fewer than two.
    var ofNeighbours: Float? { zip(paths, paths.dropFirst()).map { $0.cosine(to: $1) }.median }

    /// The correlation of another one's only repetition with the mean path of these, -1…1.
    func likeness(of other: RepetitionLikeness) -> Float {
        other.paths.first.map { $0.cosine(to: Self.mean(of: paths)) } ?? 0
    }

    /// The mean cosine of all pairs; 0 for fewer than two.
    private static func likeness(of paths: [[Float]]) -> Float {
        guard paths.count > 1 else { return 0 }
        let count = Float(paths.count)
        let sum = mean(of: paths).map { $0 * count }
        return (sum.reduce(0) { $0 + $1 * $1 } - count) / (count * (count - 1))
    }

    /// The mean of the paths, each with length 1.
    static func mean(of paths: [[Float]]) -> [Float] {
        var sum = [Float](repeating: 0, count: paths.first?.count ?? 0)
        for path in paths {
            let length = (path.reduce(0) { $0 + $1 * $1 } + 1e-12).squareRoot()
            for place in sum.indices { sum[place] += path[place] / length / Float(paths.count) }
        }
        return sum
    }

    /// How much a path changes the body's shape: the ranges of its channels as the length of a vector.
    private static func change(_ path: [Float]) -> Float {
        let channels = path.count / (2 * points)
        return (0..<CountingFeatures.shapeChannels).reduce(Float(0)) { sum, channel in
            let values = stride(from: channel, to: path.count, by: channels).map { path[$0] }
            let range = (values.max() ?? 0) - (values.min() ?? 0)
            return sum + range * range
        }.squareRoot()
    }

    /// Small cycles of a label's clips must be alike this much: the mean of two medians, of the cosines between a cycle and
    /// the mean of the other clips, and of those between a cycle and the next one. Small exercises of the motion generator
    /// reach 0.34 to 0.9; people who hold a plank 0.25, and still ones with jitter 0.2 to 0.3.
    private static let minimumOfClips: Float = 0.35

    /// Whether clips of one label repeat a movement: their cycles are large, or alike. Otherwise it is held. Cycles along the
    /// differences of the sides must be alike: those of four clips of a plank were large.
    static func haveCommonCycle(
        _ clips: [(features: CountingFeatures, cycles: [Cycle])],
        rules: RecognitionRules.Counting = RecognitionRules.Counting()
    ) -> Bool {
        let paths = clips.map { clip in clip.cycles.map { path(of: $0, in: clip.features) } }.filter { !$0.isEmpty }
        guard let change = paths.joined().map(change).median else { return false }
        let comparesSides = clips.contains { $0.features.channels > CountingFeatures.shapeChannels }
        if change >= rules.smallChange && !comparesSides { return true }
        let means = paths.map { mean(of: $0) }
        let across = paths.indices.flatMap { own in
            let others = means.indices.filter { $0 != own }.map { means[$0] }
            return others.isEmpty ? [] : paths[own].map { $0.cosine(to: mean(of: others)) }
        }
        let within = paths.flatMap { zip($0, $0.dropFirst()).map { $0.cosine(to: $1) } }
        let medians = [across, within].compactMap(\.median)
        return !medians.isEmpty && medians.reduce(0, +) / Float(medians.count) >= minimumOfClips
    }

    private static func path(of span: RepetitionSpan, in features: CountingFeatures) -> [Float] {
        path(span.frames, span.extreme, in: features)
    }

    static func path(of cycle: Cycle, in features: CountingFeatures) -> [Float] {
        path(cycle.start...cycle.end, cycle.extreme, in: features)
    }

    /// The changes of the body through one repetition: each channel without its mean.
    private static func path(_ frames: ClosedRange<Int>, _ extreme: Int, in features: CountingFeatures) -> [Float] {
        let channels = features.channels
        var path =
            features.path(frames.lowerBound...extreme, points: points, channels: channels)
            + features.path(extreme...frames.upperBound, points: points, channels: channels)
        for channel in 0..<channels {
            let places = stride(from: channel, to: path.count, by: channels)
            let mean = places.reduce(0) { $0 + path[$1] } / Float(2 * points)
            for place in places { path[place] -= mean }
        }
        return path
    }
}
