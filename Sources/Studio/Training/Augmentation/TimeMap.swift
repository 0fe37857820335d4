import Foundation
import NeuralNet

/// Maps each frame of the window to a position in the clip.
struct TimeMap {
    private let start: Float
    /// Clip frames per window frame.
    private let speed: Float
    private let warp: Float
    private let warpPhase: Float
    private let window: Float
    private let limits: ClosedRange<Float>

    init(sampler: WindowSampler, clipFrames: Int, seed: UInt64) {
        func random(_ kind: Augmentation) -> RandomSource? {
            sampler.augmentations.contains(kind) ? RandomSource(seed: seed, path: kind.stream) : nil
        }
        window = Float(sampler.frames - 1)
        let clip = Float(clipFrames - 1)
        var stretch: Float = 1
        if var random = random(.timeStretch) { stretch = exp(random.uniform(in: log(0.75)...log(1.35))) }
        let length = min(window * stretch, max(clip, window))
        speed = length / window
        let slack = clip - length
        var place: Float = 0.5
        if var random = random(.crop) { place = random.uniform() }
        start = place * slack
        limits = min(start, 0)...max(start + length, clip)
        if var random = random(.timeWarp) {
            warp = random.uniform(in: 0...2)
            warpPhase = random.uniform(in: 0...2 * .pi)
        } else {
            (warp, warpPhase) = (0, 0)
        }
    }

    func position(at frame: Float) -> Float {
        let straight = start + frame * speed
        let warped = warp == 0 ? straight : straight + warp * sin(2 * .pi * frame / window + warpPhase)
        // Before the window the clip goes on backwards, to its beginning and beyond, where nobody is.
        return min(frame < 0 ? warped : max(warped, limits.lowerBound), limits.upperBound)
    }
}
