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
/// for their outer half. One differing window between two of the same label is taken for a slip. Where the motion is
/// known, each end is moved to where the person begins or ceases to move, at most ``reachSeconds`` away.
public struct SegmentFinder {
    /// How far an end may be moved: half a window, less a little.
    private static let reachSeconds = 0.8
    /// Slower than this share of the segment's own median speed is standing still.
    private static let stillShare: Float = 0.35
    /// And so is this, in trunk lengths per second: what detectors make of a still body.
    private static let stillSpeed: Float = 0.15

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

    /// Moves each end to the nearest edge of motion, never into a neighbour.
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

    /// From `time`, walks outwards while there is motion; where there is none, inwards until there is.
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
