import Actions
import NeuralNet
import Poses

/// Cuts one window out of a clip, with the time before it, and augments it.
///
/// Both axes of the window's key points are in picture heights (x is multiplied by the aspect ratio). ``PoseFeatures``
/// must therefore be computed with an aspect of 1.
package struct WindowSampler: Sendable {
    /// Frames of the window, in which the movement must be.
    let frames: Int
    /// The time before the window; `nil` for a network that does not see it.
    let context: ModelDescription.Context?
    let augmentations: Set<Augmentation>
    /// Frame rate of the clips, per second.
    let framesPerSecond: Float

    /// - Parameter frames: frames per window.
    package init(
        frames: Int, context: ModelDescription.Context? = nil, augmentations: Set<Augmentation>, framesPerSecond: Float
    ) {
        self.frames = frames
        self.context = context
        self.augmentations = augmentations
        self.framesPerSecond = framesPerSecond
    }

    /// A sampler for a training.
    init(_ parameters: TrainingParameters, augmentations: Set<Augmentation>) {
        self.init(
            frames: parameters.windowFrames, context: parameters.context, augmentations: augmentations,
            framesPerSecond: Float(parameters.framesPerSecond))
    }

    /// Frames before the window.
    var contextFrames: Int { context?.frames ?? 0 }

    /// Frames that the network gets: the window's, then those of the slow branch.
    var inputFrames: Int { frames + (context?.slowFrames(window: frames) ?? 0) }

    /// Computes the features of a window into memory that holds ``inputFrames`` · ``PoseFeatures/channels`` values.
    ///
    /// - Parameter window: `[contextFrames + frames, 18, 3]`
    func computeFeatures(of window: [Float], into features: UnsafeMutablePointer<Float>) {
        let before = contextFrames * KeypointFrame.count
        PoseFeatures.compute(
            window: Array(window[before...]), after: Array(window[..<before]), context, aspect: 1, into: features)
    }

    /// A window with enough poses to be classified. If four positions in the clip have too few, the fourth unaugmented.
    ///
    /// - Parameters:
    ///   - before: what the person may have done before; see ``Augmentation/splice``.
    ///   - seed: equal seeds give equal windows.
    /// - Returns: `[contextFrames + frames, 18, 3]`
    package func window(of clip: LabelledClip, after before: LabelledClip? = nil, seed: UInt64) -> [Float] {
        var seeds = RandomSource(seed: seed)
        var window: [Float] = []
        for _ in 0..<4 {
            let seed = seeds.next()
            window = read(clip, TimeMap(sampler: self, clipFrames: clip.frames, seed: seed), seed: seed)
            guard hasEnoughPoses(window) else { continue }
            if context != nil {
                ContextVariation(sampler: self, seed: seed).apply(to: &window, before: before)
            }
            PoseVariation(augmentations: augmentations, seed: seed).apply(to: &window)
            break
        }
        return window
    }

    /// Whether 60 % of the window's frames show a person, which recognition also requires.
    ///
    /// - Parameter window: `[contextFrames + frames, 18, 3]`
    func hasEnoughPoses(_ window: [Float]) -> Bool {
        let posed = (contextFrames..<contextFrames + frames).count { KeypointFrame.hasPose(window, frame: $0) }
        return Float(posed) >= 0.6 * Float(frames)
    }

    /// The unaugmented window that starts at a frame. Frames outside of the clip are missing.
    ///
    /// - Returns: `[contextFrames + frames, 18, 3]`
    package func plainWindow(of clip: LabelledClip, start: Int) -> [Float] {
        let from = start - contextFrames
        let (first, end) = (max(from, 0), min(start + frames, clip.frames))
        var window = [Float](repeating: 0, count: (first - from) * KeypointFrame.count)
        window += clip.keypoints[first * KeypointFrame.count..<end * KeypointFrame.count]
        window += [Float](repeating: 0, count: (contextFrames + frames) * KeypointFrame.count - window.count)
        Self.multiplyX(&window, by: clip.aspect)
        return window
    }

    private func read(_ clip: LabelledClip, _ time: TimeMap, seed: UInt64) -> [Float] {
        var window = [Float](repeating: 0, count: (contextFrames + frames) * KeypointFrame.count)
        var random = RandomSource(seed: seed, path: Augmentation.rate.stream)
        if augmentations.contains(.rate), random.chance(0.5) {
            let rate = random.uniform(in: min(8, framesPerSecond)...framesPerSecond)
            readSlowly(clip, time, step: framesPerSecond / rate, phase: random.uniform(), into: &window)
        } else {
            for frame in 0..<contextFrames + frames {
                read(clip, time, at: Float(frame - contextFrames), into: &window, frame: frame)
            }
        }
        Self.multiplyX(&window, by: clip.aspect)
        return window
    }

    /// Reads only every `step`-th frame and resamples, with the same rule as recognition.
    private func readSlowly(
        _ clip: LabelledClip, _ time: TimeMap, step: Float, phase: Float, into window: inout [Float]
    ) {
        let sightings = Int(Float(contextFrames + frames) / step) + 3
        var seen = [Float](repeating: 0, count: sightings * KeypointFrame.count)
        for sighting in 0..<sightings {
            read(clip, time, at: (Float(sighting) - phase) * step - Float(contextFrames), into: &seen, frame: sighting)
        }
        for frame in 0..<contextFrames + frames {
            let position = Float(frame) / step + phase
            KeypointFrame.read(seen, at: position, into: &window, frame: frame)
        }
    }

    private func read(
        _ clip: LabelledClip, _ time: TimeMap, at frame: Float, into window: inout [Float], frame target: Int
    ) {
        let position = time.position(at: frame)
        // A clip shorter than the window leaves it partly empty, like a person who comes or goes.
        guard position > -0.5, position < Float(clip.frames) - 0.5 else { return }
        KeypointFrame.read(clip.keypoints, at: position, into: &window, frame: target)
    }

    static func multiplyX(_ keypoints: inout [Float], by aspect: Float) {
        for index in stride(from: 0, to: keypoints.count, by: 3) { keypoints[index] *= aspect }
    }
}
