import NeuralNet
import Poses

/// Cuts one window out of a clip and augments it.
///
/// Both axes of the window's key points are in picture heights (x is multiplied by the aspect ratio). ``PoseFeatures``
/// must therefore be computed with an aspect of 1.
package struct WindowSampler: Sendable {
    let frames: Int
    let augmentations: Set<Augmentation>
    /// Frame rate of the clips, per second.
    let framesPerSecond: Float

    /// - Parameter frames: frames per window.
    package init(frames: Int, augmentations: Set<Augmentation>, framesPerSecond: Float) {
        self.frames = frames
        self.augmentations = augmentations
        self.framesPerSecond = framesPerSecond
    }

    /// A window with enough poses to be classified. If four positions in the clip have too few, the fourth unaugmented.
    ///
    /// - Parameter seed: equal seeds give equal windows.
    /// - Returns: `[frames, 18, 3]`
    package func window(of clip: LabelledClip, seed: UInt64) -> [Float] {
        var seeds = RandomSource(seed: seed)
        var window: [Float] = []
        for _ in 0..<4 {
            let seed = seeds.next()
            window = read(clip, TimeMap(sampler: self, clipFrames: clip.frames, seed: seed), seed: seed)
            guard hasEnoughPoses(window) else { continue }
            PoseVariation(augmentations: augmentations, seed: seed).apply(to: &window)
            break
        }
        return window
    }

    /// Whether 60 % of the frames show a person, which recognition also requires.
    func hasEnoughPoses(_ window: [Float]) -> Bool {
        let posed = (0..<frames).count { KeypointFrame.hasPose(window, frame: $0) }
        return Float(posed) >= 0.6 * Float(frames)
    }

    /// The unaugmented window that starts at a frame. Frames after the clip's end are missing.
    package func plainWindow(of clip: LabelledClip, start: Int) -> [Float] {
        let end = min(start + frames, clip.frames)
        var window = Array(clip.keypoints[start * KeypointFrame.count..<end * KeypointFrame.count])
        window += [Float](repeating: 0, count: frames * KeypointFrame.count - window.count)
        Self.multiplyX(&window, by: clip.aspect)
        return window
    }

    private func read(_ clip: LabelledClip, _ time: TimeMap, seed: UInt64) -> [Float] {
        var window = [Float](repeating: 0, count: frames * KeypointFrame.count)
        var random = RandomSource(seed: seed, path: Augmentation.rate.stream)
        if augmentations.contains(.rate), random.chance(0.5) {
            let rate = random.uniform(in: min(8, framesPerSecond)...framesPerSecond)
            readSlowly(clip, time, step: framesPerSecond / rate, phase: random.uniform(), into: &window)
        } else {
            for frame in 0..<frames { read(clip, time, at: Float(frame), into: &window, frame: frame) }
        }
        Self.multiplyX(&window, by: clip.aspect)
        return window
    }

    /// Reads only every `step`-th frame and resamples, with the same rule as recognition.
    private func readSlowly(
        _ clip: LabelledClip, _ time: TimeMap, step: Float, phase: Float, into window: inout [Float]
    ) {
        let sightings = Int(Float(frames) / step) + 3
        var seen = [Float](repeating: 0, count: sightings * KeypointFrame.count)
        for sighting in 0..<sightings {
            read(clip, time, at: (Float(sighting) - phase) * step, into: &seen, frame: sighting)
        }
        for frame in 0..<frames {
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

    private static func multiplyX(_ keypoints: inout [Float], by aspect: Float) {
        for index in stride(from: 0, to: keypoints.count, by: 3) { keypoints[index] *= aspect }
    }
}
