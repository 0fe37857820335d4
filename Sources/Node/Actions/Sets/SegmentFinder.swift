/// A span of time in which one person did one exercise.
public struct ActionSegment: Sendable, Equatable {
    /// The person.
    public let track: Int
    /// The exercise.
    public let label: String
    /// The start in seconds on the source's clock.
    public let start: Double
    /// The end in seconds on the source's clock.
    public let end: Double

    /// Creates a segment from its parts.
    public init(track: Int, label: String, start: Double, end: Double) {
        self.track = track
        self.label = label
        self.start = start
        self.end = end
    }
}

/// Joins the predictions of consecutive windows into segments, for analysing a whole recording.
///
/// A prediction applies to the middle of its window, `stride` frames long. A person's first and last predictions also
/// apply to the outer half of their windows. A single different window between two of the same label is treated as
/// an error. Stretches of one exercise with no more than a breather between them, and no other exercise, are one segment.
/// If the motion is known, each end moves to where the person starts or stops moving, at most 0.8 s away.
public struct SegmentFinder {
    /// The most seconds by which an end moves: a little less than half a window.
    private static let reachSeconds = 0.8
    /// Below this share of the segment's median speed a person stands still.
    private static let stillShare: Float = 0.35
    /// Below this speed, in trunk lengths per second, a person always stands still. It is the jitter of the detector.
    private static let stillSpeed: Float = 0.15

    private let exercises: Set<String>
    private let stepSeconds: Double

    /// Creates a finder for one model.
    ///
    /// - Parameters:
    ///   - exercises: the labels that form segments.
    ///   - stepSeconds: the time between two windows.
    public init(exercises: Set<String>, stepSeconds: Double) {
        self.exercises = exercises
        self.stepSeconds = stepSeconds
    }

    /// The segments of at least two windows, in order of track, then time.
    public func segments(in predictions: [Prediction], motion: MotionTrace? = nil) -> [ActionSegment] {
        Dictionary(grouping: predictions.filter { $0.track != nil }) { $0.track ?? 0 }
            .sorted { $0.key < $1.key }
            .flatMap { track, own in
                let found = segments(of: track, own.sorted { $0.end < $1.end })
                return motion.map { Self.fit(found, to: $0.speeds(of: track)) } ?? found
            }
    }

    private func segments(of track: Int, _ predictions: [Prediction]) -> [ActionSegment] {
        var labels = predictions.map(\.label)
        for i in labels.indices.dropFirst().dropLast() where labels[i - 1] == predictions[i + 1].label {
            labels[i] = labels[i - 1]
        }
        var segments: [ActionSegment] = []
        var first = 0
        for i in labels.indices where i + 1 == labels.count || labels[i + 1] != labels[i] {
            // What is shown lags behind, so a segment reaches from the first window of the label to the last one.
            let own = (first...i).filter { predictions[$0].windowLabel == labels[i] }
            if exercises.contains(labels[i]), let start = own.first, let end = own.last, end > start {
                segments.append(segment(track, labels[i], predictions, start...end))
            }
            first = i + 1
        }
        return Self.joined(segments)
    }

    /// Joins segments of one exercise that only a breather divides.
    private static func joined(_ segments: [ActionSegment]) -> [ActionSegment] {
        segments.reduce(into: []) { joined, segment in
            if let last = joined.last, last.label == segment.label,
                segment.start - last.end <= RecognitionRules.Sets().breatherSeconds
            {
                joined[joined.count - 1] = ActionSegment(
                    track: last.track, label: last.label, start: last.start, end: segment.end)
            } else {
                joined.append(segment)
            }
        }
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

    /// Moves each end to the nearest start or stop of motion, but never into a neighbouring segment.
    private static func fit(
        _ segments: [ActionSegment], to speeds: [(time: Double, speed: Float)]
    ) -> [ActionSegment] {
        var fitted: [ActionSegment] = []
        for (index, segment) in segments.enumerated() {
            let inside = speeds.filter { (segment.start...segment.end).contains($0.time) }.map(\.speed).sorted()
            guard inside.count > 4 else {
                fitted.append(segment)
                continue
            }
            let still = max(stillShare * inside[inside.count / 2], stillSpeed)
            let earliest = max(segment.start - reachSeconds, fitted.last?.end ?? 0)
            let latest = min(
                segment.end + reachSeconds,
                index + 1 < segments.count ? segments[index + 1].start : .infinity)
            let start = edge(near: segment.start, outwards: -1, until: earliest, speeds, still)
            let end = edge(near: segment.end, outwards: 1, until: latest, speeds, still)
            fitted.append(
                start < end
                    ? ActionSegment(track: segment.track, label: segment.label, start: start, end: end) : segment)
        }
        return fitted
    }

    /// The edge of the motion near `time`. The search goes outwards while the person moves at `time`, otherwise inwards until
    /// they move.
    private static func edge(
        near time: Double, outwards: Double, until limit: Double, _ speeds: [(time: Double, speed: Float)],
        _ still: Float
    ) -> Double {
        let outer = speeds.filter { ($0.time - time) * outwards >= 0 && ($0.time - limit) * outwards <= 0 }
            .sorted { ($0.time - $1.time) * outwards < 0 }
        let inner = speeds.filter { ($0.time - time) * outwards < 0 && abs($0.time - time) <= 1.5 * reachSeconds }
            .sorted { ($0.time - $1.time) * outwards > 0 }
        if let first = outer.first, first.speed >= still {
            return outer.prefix { $0.speed >= still }.last?.time ?? time
        }
        return inner.first { $0.speed >= still }?.time ?? time
    }
}
