import Actions
import Dispatch
import NeuralNet
import Synchronization

/// Windows whose labels are known, ready for a network: what validation and evaluation are measured on.
struct ScoredWindows: Sendable {
    /// `[windowFrames, channels]` each.
    let features: [Tensor<Float>]
    let labels: [Int]

    /// Windows every half window, whole clips through; those with too few poses are left out, as in recognition.
    init(clips: [LabelledClip], labels names: [String], parameters: TrainingParameters) {
        let sampler = WindowSampler(
            frames: parameters.windowFrames, augmentations: [], framesPerSecond: Float(parameters.framesPerSecond))
        let indices = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        var features: [Tensor<Float>] = []
        var labels: [Int] = []
        for clip in clips {
            guard let label = indices[clip.label] else { continue }
            let lastStart = max(clip.frames - sampler.frames, 0)
            for start in stride(from: 0, through: lastStart, by: max(sampler.frames / 2, 1)) {
                let window = sampler.plainWindow(of: clip, start: start)
                let posed = (0..<sampler.frames).count { KeypointFrame.hasPose(window, frame: $0) }
                guard Float(posed) >= 0.6 * Float(sampler.frames) else { continue }
                features.append(PoseFeatures.compute(keypoints: window, aspect: 1))
                labels.append(label)
            }
        }
        (self.features, self.labels) = (features, labels)
    }

    /// The network's outputs for every window, before the softmax; computed on all cores.
    func outputs(of network: ClassifierNetwork) -> [[Float]] {
        let results = Mutex([[Float]](repeating: [], count: features.count))
        let strips = 16
        DispatchQueue.concurrentPerform(iterations: strips) { strip in
            let range = features.count * strip / strips..<features.count * (strip + 1) / strips
            let outputs = range.map { network.outputs(of: network.embedding(of: features[$0])) }
            results.withLock { $0.replaceSubrange(range, with: outputs) }
        }
        return results.withLock { $0 }
    }
}

/// The temperature that makes confidences honest: the one with the least log loss on held-out windows.
package enum TemperatureFit {
    /// Golden-section search over the logarithm, within 0.5…2: further away the data would be too few to trust.
    package static func temperature(outputs: [[Float]], labels: [Int]) -> Float {
        guard !outputs.isEmpty else { return 1 }
        let ratio: Float = 0.618_034
        var low: Float = -0.693_147, high: Float = 0.693_147
        func loss(_ logarithm: Float) -> Double {
            Evaluation.logLoss(outputs: outputs, labels: labels, temperature: Float.exponential(logarithm))
        }
        var a = high - ratio * (high - low), b = low + ratio * (high - low)
        var lossA = loss(a), lossB = loss(b)
        for _ in 0..<30 {
            if lossA < lossB {
                (high, b, lossB) = (b, a, lossA)
                a = high - ratio * (high - low)
                lossA = loss(a)
            } else {
                (low, a, lossA) = (a, b, lossB)
                b = low + ratio * (high - low)
                lossB = loss(b)
            }
        }
        return min(max(Float.exponential((low + high) / 2), 0.5), 2)
    }
}
