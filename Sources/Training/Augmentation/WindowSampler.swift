import NeuralNet

/// Cuts one window out of a clip, varied as the augmentations say.
///
/// The window's key points are in picture heights on both axes (x is multiplied by the aspect), so they go into
/// ``PoseFeatures`` with an aspect of 1.
package struct WindowSampler: Sendable {
    let frames: Int
    let augmentations: Set<Augmentation>
    /// The rate of the clips, frames per second.
    let framesPerSecond: Float

    package init(frames: Int, augmentations: Set<Augmentation>, framesPerSecond: Float) {
        self.frames = frames
        self.augmentations = augmentations
        self.framesPerSecond = framesPerSecond
    }

    /// A window with enough poses to be classified; if four places in the clip have none, the fourth as it is.
    ///
    /// - Parameter seed: the same seed gives the same window.
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

    /// As recognition asks: 60 % of the frames show a person.
    func hasEnoughPoses(_ window: [Float]) -> Bool {
        let posed = (0..<frames).count { KeypointFrame.hasPose(window, frame: $0) }
        return Float(posed) >= 0.6 * Float(frames)
    }

    /// The window that starts at a frame, as it is; frames behind the clip's end are missing.
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

    /// Sees only every `step`-th frame and joins them by the rule of the resampler, as recognition does.
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
        // Clips shorter than the window leave it partly empty, as a person does who comes or goes.
        guard position > -0.5, position < Float(clip.frames) - 0.5 else { return }
        KeypointFrame.read(clip.keypoints, at: position, into: &window, frame: target)
    }

    private static func multiplyX(_ keypoints: inout [Float], by aspect: Float) {
        for index in stride(from: 0, to: keypoints.count, by: 3) { keypoints[index] *= aspect }
    }
}
