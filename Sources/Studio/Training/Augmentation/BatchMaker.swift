import Actions
import Foundation
import NeuralNet
import Poses

/// Draws the windows of each training step: selects clips, augments them and computes their features.
///
/// A batch depends only on the seed and its position in the training, so another thread may make it in advance.
package struct BatchMaker: Sendable {
    /// The input of one training step.
    package struct Batch: Sendable {
        /// `[batchSize, windowFrames, channels]`
        package let features: Tensor<Float>
        /// Index of each sample's label.
        package let labels: [Int]
        /// The teachers' mean probabilities, `[batchSize, labels]`; `nil` without teachers.
        let opinions: Tensor<Float>?
    }

    /// Windows per batch.
    package let batchSize: Int
    /// Batches per pass over the clips.
    package let batchesPerEpoch: Int
    private let clips: [LabelledClip]
    private let labels: [Int]
    private let sampler: WindowSampler
    private let teachers: Teachers
    private let seed: UInt64
    /// The clips of each label, and how many of the windows of an epoch it gets.
    private let shares: [(clips: [Int], windows: Int)]

    /// Shares the windows of an epoch out among the labels.
    ///
    /// - Parameters:
    ///   - clips: at the model's rate, each long enough for a window with the required share of poses.
    ///   - labels: the model's labels.
    package init(clips: [LabelledClip], labels: [String], parameters: TrainingParameters) {
        self.init(clips: clips, labels: labels, parameters: parameters, teachers: .none)
    }

    /// The same, where `teachers` judge every window.
    init(clips: [LabelledClip], labels: [String], parameters: TrainingParameters, teachers: Teachers) {
        self.clips = clips
        self.teachers = teachers
        let indices = Dictionary(uniqueKeysWithValues: labels.enumerated().map { ($1, $0) })
        self.labels = clips.map { indices[$0.label] ?? 0 }
        seed = parameters.seed
        batchSize = parameters.batchSize
        batchesPerEpoch = max(clips.count * parameters.windowsPerClip / parameters.batchSize, 1)
        sampler = WindowSampler(parameters, augmentations: parameters.augmentations)
        shares = Self.shares(
            of: self.labels, count: labels.count, windows: batchSize * batchesPerEpoch,
            balance: parameters.classBalance)
    }

    /// The shuffled windows of one epoch, each as the index of its clip.
    package func plan(epoch: Int) -> [Int] {
        var plan: [Int] = []
        for (label, share) in shares.enumerated() {
            for window in epoch * share.windows..<(epoch + 1) * share.windows {
                plan.append(share.clips[place(of: window, label: label, count: share.clips.count)])
            }
        }
        var random = RandomSource(seed: seed, path: 4, UInt64(epoch))
        random.shuffle(&plan)
        return plan
    }

    /// Computes one batch.
    ///
    /// - Parameters:
    ///   - plan: the result of ``plan(epoch:)``.
    ///   - index: number of the batch within the epoch.
    package func batch(_ index: Int, of plan: [Int], epoch: Int) -> Batch {
        let chosen = plan[index * batchSize..<(index + 1) * batchSize]
        let stride = sampler.inputFrames * PoseFeatures.channels
        let features = Tensor<Float>(shape: [batchSize, sampler.inputFrames, PoseFeatures.channels]) { target in
            for (row, clip) in chosen.enumerated() {
                var random = RandomSource(seed: seed, path: 5, UInt64(epoch), UInt64(index * batchSize + row))
                let seed = random.next()
                let before = clips[random.index(below: clips.count)]
                let window = sampler.window(of: clips[clip], after: before, seed: seed)
                sampler.computeFeatures(of: window, into: target + row * stride)
            }
        }
        return Batch(
            features: features, labels: chosen.map { labels[$0] }, opinions: teachers.probabilities(of: features))
    }

    /// Visits a label's clips in an order that is shuffled anew for each round, so that all are used equally.
    private func place(of window: Int, label: Int, count: Int) -> Int {
        // A permutation that needs no memory: a step coprime to the count, from a random start.
        var random = RandomSource(seed: seed, path: 6, UInt64(label), UInt64(window / count))
        let start = random.index(below: count)
        var step = 1 + random.index(below: count)
        while Self.greatestCommonDivisor(step, count) != 1 { step += 1 }
        return (start + window % count * step) % count
    }

    private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
        b == 0 ? a : greatestCommonDivisor(b, a % b)
    }

    /// A label with fewer clips gets the windows of so many.
    private static let minimumClips = 30

    private static func shares(
        of labels: [Int], count: Int, windows: Int, balance: Float
    ) -> [(clips: [Int], windows: Int)] {
        let clips = (0..<count).map { label in labels.indices.filter { labels[$0] == label } }
        let weights = clips.map {
            $0.isEmpty ? 0 : pow(Double(balance > 0 ? max($0.count, minimumClips) : $0.count), 1 - Double(balance))
        }
        let total = weights.reduce(0, +)
        var quotas = weights.map { Int(Double(windows) * $0 / total) }
        // Rounding leaves a few windows over. They go to the first labels that have clips.
        var next = 0
        while quotas.reduce(0, +) < windows {
            if !clips[next % count].isEmpty { quotas[next % count] += 1 }
            next += 1
        }
        return zip(clips, quotas).map { ($0, $1) }
    }
}
