import Actions
import Dispatch
import NeuralNet
import Poses

/// Windows with known labels, for validation and evaluation.
///
/// What the network reads of a window is computed when it is asked: of all windows of a training it takes over half a gigabyte.
struct ScoredWindows: Sendable {
    private struct Place {
        let clip: LabelledClip
        let start: Int
    }

    /// The index of each window's label.
    let labels: [Int]
    private let places: [Place]
    private let sampler: WindowSampler

    /// Takes a window every half window. Windows with too few poses are left out, as in recognition.
    init(clips: [LabelledClip], labels names: [String], parameters: TrainingParameters) {
        let sampler = WindowSampler(parameters, augmentations: [])
        let indices = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        var places: [Place] = []
        var labels: [Int] = []
        for clip in clips {
            guard let label = indices[clip.label] else { continue }
            let lastStart = max(clip.frames - sampler.frames, 0)
            for start in stride(from: 0, through: lastStart, by: max(sampler.frames / 2, 1))
            where sampler.hasEnoughPoses(sampler.plainWindow(of: clip, start: start)) {
                places.append(Place(clip: clip, start: start))
                labels.append(label)
            }
        }
        (self.places, self.labels, self.sampler) = (places, labels, sampler)
    }

    /// The network's outputs for every window, before the softmax. Runs on all cores.
    func outputs(of network: ClassifierNetwork) -> [[Float]] {
        embeddings(of: network).map { network.outputs(of: $0) }
    }

    /// The network's embedding of every window. Runs on all cores.
    func embeddings(of network: ClassifierNetwork) -> [[Float]] {
        var outputs = [[Float]](repeating: [], count: places.count)
        let strips = 16
        outputs.withUnsafeMutableBufferPointer { buffer in
            // Safe: every strip writes its own elements, and all strips finish before the buffer goes out of scope.
            nonisolated(unsafe) let buffer = buffer
            DispatchQueue.concurrentPerform(iterations: strips) { strip in
                for index in places.count * strip / strips..<places.count * (strip + 1) / strips {
                    buffer[index] = network.embedding(of: features(of: places[index]))
                }
            }
        }
        return outputs
    }

    /// `[inputFrames, channels]`
    private func features(of place: Place) -> Tensor<Float> {
        let window = sampler.plainWindow(of: place.clip, start: place.start)
        return Tensor(shape: [sampler.inputFrames, PoseFeatures.channels]) {
            sampler.computeFeatures(of: window, into: $0)
        }
    }
}
