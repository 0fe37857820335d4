import Actions
import Foundation
import NeuralNet
import Poses
import SyntheticMotion

/// Learns from synthetic motion which direction shows the repetitions of each label best.
public enum CountingBases {
    /// Clips per label, and their length.
    private static let clips = 120
    private static let seconds = 12.0
    /// Regularisation against combinations of nearly equal channels, as a share of a channel's mean variance.
    private static let ridge = 0.1
    /// The differences of the sides are used where they raise the correlation with the progress by this much: in exercises
    /// in turn they raise it by 0.045 to 0.24, in others by less than 0.02. There they bring the noise of strangers' poses.
    private static let minimumGain = 0.035

    /// Learns one basis per label.
    ///
    /// - Returns: a basis for each of `labels` that is an exercise of the motion generator with repetitions. Other labels
    ///   have none.
    public static func learn(labels: [String], seed: UInt64 = 1) -> [String: CountingBasis] {
        let known = Set(Exercise.all.filter { $0.unit == .repetitions }.map(\.label))
        let wanted = labels.filter(known.contains)
        let motions = SyntheticDataset.clips(
            perLabel: Dictionary(uniqueKeysWithValues: wanted.map { ($0, clips) }), seed: seed, seconds: seconds)
        return Dictionary(grouping: motions) { $0.clip.label }.compactMapValues(basis)
    }

    /// Learns one basis per label from clips of it: the direction in which the person moves most, in all clips together,
    /// and then the one that fits the cycles along it best.
    ///
    /// - Returns: a basis for each label whose clips repeat a movement. The others are held.
    package static func learn(from clips: [LabelledClip], labels: [String]) -> [String: CountingBasis] {
        let own = Dictionary(grouping: clips.filter { labels.contains($0.label) }, by: \.label)
        return own.compactMapValues { clips in
            let features = clips.sorted { $0.name < $1.name }.map(features)
            return RepetitionCounter.basis(fitting: features.filter { $0.frames > 2 })
        }
    }

    private static func features(of clip: LabelledClip) -> CountingFeatures {
        CountingFeatures(
            PoseStretch(start: 0, rate: clip.rate, aspect: clip.aspect, keypoints: clip.keypoints), comparesSides: true)
    }

    /// The direction in the shape, or in all features where these follow the repetitions much better.
    private static func basis(for motions: [SyntheticClip]) -> CountingBasis? {
        var shape = NormalEquations(), all = NormalEquations(channels: CountingFeatures.allChannels)
        for motion in motions {
            // The shape is the first channels of all.
            let features = features(of: motion.clip)
            let frames = progress(of: motion)
            shape.add(features, frames: frames)
            all.add(features, frames: frames)
        }
        let found = [shape, all].compactMap { equations in
            equations.solve(ridge: ridge, variance: NormalEquations.progressVariance).map {
                (weights: $0, correlation: equations.correlation(along: $0))
            }
        }
        guard let first = found.first, let last = found.last else { return nil }
        return CountingBasis(
            weights: last.correlation > first.correlation + minimumGain ? last.weights : first.weights)
    }

    /// The target signal of each complete repetition: from 0 to 1 and back, each along half a cosine.
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
