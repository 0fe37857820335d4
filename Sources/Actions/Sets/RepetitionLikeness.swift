/// Tells repetitions of one movement from motions that only share their extremes, such as jumps of several kinds.
package enum RepetitionLikeness {
    /// Body shapes on the way out, and as many on the way back.
    private static let points = 12
    /// Repetitions are alike when their paths correlate this much. Two burpees that begin in different phases do not, so
    /// two repetitions are not judged.
    private static let least: Float = 0

    /// Whether most repetitions go through the same body shapes as the ones before them. Fewer than three count as alike.
    ///
    /// - Parameters:
    ///   - stretch: the poses in which they were counted.
    ///   - features: those of the same poses.
    package static func areAlike(
        _ repetitions: [Repetition], in stretch: PoseStretch, _ features: CountingFeatures
    ) -> Bool {
        guard repetitions.count > 2 else { return true }
        let paths = repetitions.map { path(of: RepetitionSpan($0, stretch), in: features) }
        let correlations = zip(paths, paths.dropFirst()).map { $0.cosine(to: $1) }.sorted()
        return correlations[correlations.count / 2] >= least
    }

    /// The changes of body shape through one repetition: each channel without its mean.
    private static func path(of span: RepetitionSpan, in features: CountingFeatures) -> [Float] {
        var path =
            features.path(span.frames.lowerBound...span.extreme, points: points)
            + features.path(span.extreme...span.frames.upperBound, points: points)
        let channels = CountingFeatures.channels
        for channel in 0..<channels {
            let places = stride(from: channel, to: path.count, by: channels)
            let mean = places.reduce(0) { $0 + path[$1] } / Float(2 * points)
            for place in places { path[place] -= mean }
        }
        return path
    }
}
