import Foundation

/// Finds the parts of a recording in which one person repeats a movement, whatever it is.
///
/// Windows of several lengths slide over the recording. A movement repeats where the velocities in a window resemble
/// themselves some time later. Neighbouring windows in which the person moves along similar directions make one part. It
/// begins and ends with its repetitions.
public enum RepeatFinder {
    /// A part of a recording with repetitions.
    public struct Part: Sendable, Equatable {
        /// Where its first repetition begins, in seconds on the source's clock.
        public let start: Double
        /// Where its last repetition ends.
        public let end: Double
        /// The number of repetitions.
        public let repetitions: Int
    }

    /// The lengths of the windows: the short one finds quick movements, the long one slow ones.
    private static let windowSeconds = [4.0, 10.0]
    /// Time from one window to the next.
    private static let stepSeconds = 0.5
    /// The shortest repetition.
    private static let minimumPeriodSeconds = 0.5
    /// How much the velocities must resemble themselves a period later, as a correlation.
    private static let minimumCorrelation: Float = 0.4
    /// The time over which velocities are measured.
    private static let velocitySeconds = 0.2
    /// The least swing along the direction of most motion, where about 0.5 is a usual repetition.
    private static let minimumSwing: Float = 0.08
    /// A line that moves by less than this share of its swing is still.
    private static let stillShare: Float = 0.25
    /// Two windows show the same movement when the cosine of their directions is at least this.
    private static let minimumCosine: Float = 0.5
    /// A pause that is longer than this, and than the repetitions before and after it, ends a part.
    private static let longestPauseSeconds = 2.5
    /// Fewer repetitions are no exercise.
    private static let minimumRepetitions = 3

    /// The parts in order of time; they do not overlap.
    public static func parts(of stretch: PoseStretch) -> [Part] {
        guard minimumPeriodSeconds * stretch.rate >= 2 else { return [] }
        let features = CountingFeatures(stretch)
        return runs(in: features).flatMap { run in
            let values = run.lowerBound * PoseHistory.width..<run.upperBound * PoseHistory.width
            let poses = PoseStretch(
                start: stretch.time(of: run.lowerBound), rate: stretch.rate, aspect: stretch.aspect,
                keypoints: Array(stretch.keypoints[values]))
            return parts(with: RepetitionCounter(basis: nil).repetitions(in: poses))
        }
    }

    /// Divides repetitions at long pauses.
    private static func parts(with repetitions: [Repetition]) -> [Part] {
        var groups: [[Repetition]] = []
        for repetition in repetitions {
            let longest = max(
                longestPauseSeconds, repetition.end - repetition.start, groups.last?.last.map { $0.end - $0.start } ?? 0
            )
            if let last = groups.last?.last, repetition.start - last.end <= longest {
                groups[groups.count - 1].append(repetition)
            } else {
                groups.append([repetition])
            }
        }
        return groups.filter { $0.count >= minimumRepetitions }.map {
            Part(start: $0[0].start, end: $0[$0.count - 1].end, repetitions: $0.count)
        }
    }

    /// The frames in which one movement repeats.
    private static func runs(in features: CountingFeatures) -> [Range<Int>] {
        let step = max(1, Int(stepSeconds * features.rate))
        // For each step of time the direction of a window around it that repeats.
        var directions = [[Float]?](repeating: nil, count: features.frames / step)
        for seconds in windowSeconds {
            let length = min(Int(seconds * features.rate), features.frames)
            guard length >= Int(4 * minimumPeriodSeconds * features.rate) else { continue }
            for first in stride(from: 0, through: features.frames - length, by: step) {
                let window = features.part(first..<first + length)
                let direction = window.principalDirection()
                let line = window.along(direction)
                guard repeats(window, line) else { continue }
                let isStill = stillness(of: line, reach: Int(longestPauseSeconds * features.rate / 2))
                for place in first / step..<(first + length) / step
                where directions[place] == nil && !isStill[place * step - first / step * step] {
                    directions[place] = direction
                }
            }
        }
        var runs: [Range<Int>] = []
        var reference: [Float]?
        for (place, direction) in directions.enumerated() {
            guard let direction else {
                reference = nil
                continue
            }
            let frames = place * step..<(place + 1) * step
            if let same = reference, abs(same.cosine(to: direction)) >= minimumCosine, let last = runs.last {
                runs[runs.count - 1] = last.lowerBound..<frames.upperBound
            } else {
                reference = direction
                runs.append(frames)
            }
        }
        return runs
    }

    /// Whether the velocities resemble themselves a period later, all channels together.
    private static func repeats(_ window: CountingFeatures, _ line: [Float]) -> Bool {
        guard Smoothing.swing(line) >= minimumSwing else { return false }
        let channels = window.channels
        // Velocities: a drift, such as a person turning, would resemble itself all the time.
        let step = max(1, Int(velocitySeconds * window.rate)) * channels
        let moves = (0..<max(0, window.values.count - step)).map { window.values[$0 + step] - window.values[$0] }
        var hasTurned = false
        for lag in stride(from: Int(minimumPeriodSeconds * window.rate / 2), through: window.frames * 6 / 10, by: 2) {
            var (product, before, after): (Float, Float, Float) = (0, 1e-9, 1e-9)
            for index in 0..<max(0, moves.count - lag * channels) {
                let (a, b) = (moves[index], moves[index + lag * channels])
                product += a * b
                before += a * a
                after += b * b
            }
            let correlation = product / (before * after).squareRoot()
            // Any slow movement resembles itself a moment later; first it must have become unlike itself.
            if correlation < 0.1 { hasTurned = true }
            if hasTurned, correlation >= minimumCorrelation { return true }
        }
        return false
    }

    /// For each frame whether the line hardly moves around it.
    private static func stillness(of line: [Float], reach: Int) -> [Bool] {
        let least = stillShare * Smoothing.swing(line)
        return line.indices.map { frame in
            let around = line[max(0, frame - reach)...min(line.count - 1, frame + reach)]
            return (around.max() ?? 0) - (around.min() ?? 0) < least
        }
    }
}
