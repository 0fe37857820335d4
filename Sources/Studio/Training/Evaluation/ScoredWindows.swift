import Actions
import Dispatch
import NeuralNet
import Poses

/// Windows with known labels as network inputs, for validation and evaluation.
struct ScoredWindows: Sendable {
    /// One tensor per window, `[windowFrames, channels]`.
    let features: [Tensor<Float>]
    let labels: [Int]

    /// Takes a window every half window. Windows with too few poses are left out, as in recognition.
    init(clips: [LabelledClip], labels names: [String], parameters: TrainingParameters) {
        let sampler = WindowSampler(parameters, augmentations: [])
        let indices = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        var features: [Tensor<Float>] = []
        var labels: [Int] = []
        for clip in clips {
            guard let label = indices[clip.label] else { continue }
            let lastStart = max(clip.frames - sampler.frames, 0)
            for start in stride(from: 0, through: lastStart, by: max(sampler.frames / 2, 1)) {
                guard let window = sampler.plainWindow(of: clip, start: start) else { continue }
                features.append(
                    Tensor(shape: [sampler.inputFrames, PoseFeatures.channels]) {
                        sampler.computeFeatures(of: window, into: $0)
                    })
                labels.append(label)
            }
        }
        (self.features, self.labels) = (features, labels)
    }

    /// The network's outputs for every window, before the softmax. Runs on all cores.
    func outputs(of network: ClassifierNetwork) -> [[Float]] {
        embeddings(of: network).map { network.outputs(of: $0) }
    }

    /// The network's embedding of every window. Runs on all cores.
    func embeddings(of network: ClassifierNetwork) -> [[Float]] {
        var outputs = [[Float]](repeating: [], count: features.count)
        let strips = 16
        outputs.withUnsafeMutableBufferPointer { buffer in
            // Safe: every strip writes its own elements, and all strips finish before the buffer goes out of scope.
            nonisolated(unsafe) let buffer = buffer
            DispatchQueue.concurrentPerform(iterations: strips) { strip in
                for index in features.count * strip / strips..<features.count * (strip + 1) / strips {
                    buffer[index] = network.embedding(of: features[index])
                }
            }
        }
        return outputs
    }
}
