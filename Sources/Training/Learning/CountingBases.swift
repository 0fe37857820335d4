import Actions
import Foundation
import NeuralNet

/// Learns on synthetic motion along which direction the repetitions of each label are seen best.
public enum CountingBases {
    /// Clips of each label, and how long they are.
    private static let clips = 120
    private static let seconds = 12.0
    /// Keeps channels from being played off against each other, in mean variances of a channel.
    private static let ridge = 0.1

    /// - Returns: a basis for each of `labels` that is an exercise of the generator's; the others have none.
    public static func learn(labels: [String], seed: UInt64 = 1) -> [String: CountingBasis] {
        let known = Set(SyntheticMotion.catalogue.map(\.label)).subtracting(["other", "none"])
        let wanted = labels.filter(known.contains)
        let motions = SyntheticDataset.clips(
            perLabel: Dictionary(uniqueKeysWithValues: wanted.map { ($0, clips) }), seed: seed, seconds: seconds)
        return Dictionary(grouping: motions) { $0.clip.label }.compactMapValues(basis)
    }

    private static func basis(for motions: [SyntheticClip]) -> CountingBasis? {
        var equations = NormalEquations()
        for motion in motions {
            let clip = motion.clip
            let stretch = PoseStretch(start: 0, rate: clip.rate, aspect: clip.aspect, keypoints: clip.keypoints)
            equations.add(CountingFeatures(stretch), frames: progress(of: motion))
        }
        // A line that is half a cosine each way between 0 and 1 has a variance of 1/8.
        return equations.solve(ridge: ridge, variance: 1.0 / 8).map { CountingBasis(weights: $0) }
    }

    /// Through each repetition that is seen from begin to end: out and back along half a cosine each.
    private static func progress(of motion: SyntheticClip) -> [(frame: Int, progress: Float)] {
        zip(motion.repetitions, motion.repetitions.dropFirst()).flatMap { start, end in
            let rate = motion.clip.rate
            let first = Int((start * rate).rounded(.up)), last = Int((end * rate).rounded(.down))
            return (first..<max(first, min(last, motion.clip.frames))).map { frame in
                let share = (Double(frame) / rate - start) / (end - start)
                return (frame, Float((1 - cos(2 * .pi * share)) / 2))
            }
        }
    }
}
