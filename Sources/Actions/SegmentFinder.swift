/// A stretch of time in which one person did one exercise.
public struct ActionSegment: Sendable, Equatable {
    public let track: Int
    public let label: String
    /// Seconds on the source's clock.
    public let start: Double
    public let end: Double

    public init(track: Int, label: String, start: Double, end: Double) {
        self.track = track
        self.label = label
        self.start = start
        self.end = end
    }
}

/// Joins window after window into segments, for whoever looks at a whole recording.
///
/// A prediction speaks for the middle of its window, `stride` frames long; the first and last window of a person also
/// for their outer half. One differing window between two of the same label is taken for a slip.
public struct SegmentFinder {
    private let exercises: Set<String>
    private let stepSeconds: Double

    /// - Parameters:
    ///   - exercises: labels that make segments.
    ///   - stepSeconds: the time between two windows.
    public init(exercises: Set<String>, stepSeconds: Double) {
        self.exercises = exercises
        self.stepSeconds = stepSeconds
    }

    /// Segments of at least two windows, in order of track, then time.
    public func segments(in predictions: [Prediction]) -> [ActionSegment] {
        Dictionary(grouping: predictions.filter { $0.track != nil }) { $0.track ?? 0 }
            .sorted { $0.key < $1.key }
            .flatMap { track, own in segments(of: track, own.sorted { $0.end < $1.end }) }
    }

    private func segments(of track: Int, _ predictions: [Prediction]) -> [ActionSegment] {
        var labels = predictions.map(\.label)
        for i in labels.indices.dropFirst().dropLast() where labels[i - 1] == predictions[i + 1].label {
            labels[i] = labels[i - 1]
        }
        var segments: [ActionSegment] = []
        var first = 0
        for i in labels.indices where i + 1 == labels.count || labels[i + 1] != labels[i] {
            if exercises.contains(labels[i]) && i > first {
                segments.append(segment(track, labels[i], predictions, first...i))
            }
            first = i + 1
        }
        return segments
    }

    private func segment(
        _ track: Int, _ label: String, _ predictions: [Prediction], _ run: ClosedRange<Int>
    ) -> ActionSegment {
        let (a, b) = (predictions[run.lowerBound], predictions[run.upperBound])
        let isFirst = run.lowerBound == 0
        let isLast = run.upperBound == predictions.count - 1
        return ActionSegment(
            track: track, label: label,
            start: isFirst ? a.start : (a.start + a.end - stepSeconds) / 2,
            end: isLast ? b.end : (b.start + b.end + stepSeconds) / 2)
    }
}
