import Foundation
import NeuralNet
import Poses

/// Varies what comes before a window: another movement, or nobody.
struct ContextVariation {
    let sampler: WindowSampler
    let seed: UInt64

    /// - Parameters:
    ///   - window: `[context + frames, 18, 3]`, both axes in picture heights.
    ///   - before: the clip that may come first.
    func apply(to window: inout [Float], before: LabelledClip?) {
        if var random = random(.splice), let before, random.chance(0.4) {
            let cut = random.index(below: sampler.contextFrames + 1)
            splice(before, into: &window, cut: cut, place: random.uniform())
        }
        if var random = random(.arrival), random.chance(0.5) {
            // The first answer has no context at all, so this is common.
            let end = random.chance(0.6) ? sampler.contextFrames : random.index(below: sampler.contextFrames + 1)
            clear(0..<end, &window)
        }
    }

    private func random(_ kind: Augmentation) -> RandomSource? {
        sampler.augmentations.contains(kind) ? RandomSource(seed: seed, path: kind.stream) : nil
    }

    private func clear(_ frames: Range<Int>, _ window: inout [Float]) {
        for frame in frames {
            let first = frame * KeypointFrame.count
            window.replaceSubrange(
                first..<first + KeypointFrame.count, with: repeatElement(0, count: KeypointFrame.count))
        }
    }

    /// Replaces the first `cut` frames by another clip's, as if the same person had done that before: moved and scaled so
    /// that both bodies meet.
    private func splice(_ clip: LabelledClip, into window: inout [Float], cut: Int, place: Float) {
        let frames = window.count / KeypointFrame.count
        clear(0..<cut, &window)
        let taken = min(cut, clip.frames)
        let first = Int(place * Float(clip.frames - taken))
        var other = Array(clip.keypoints[first * KeypointFrame.count..<(first + taken) * KeypointFrame.count])
        WindowSampler.multiplyX(&other, by: clip.aspect)
        guard let target = Body(first: cut..<frames, of: window), let source = Body(last: 0..<taken, of: other) else {
            return
        }
        let scale = min(max(target.size / source.size, 0.2), 5)
        for index in stride(from: 0, to: other.count, by: 3) where other[index + 2] > 0 {
            other[index] = target.x + scale * (other[index] - source.x)
            other[index + 1] = target.y + scale * (other[index + 1] - source.y)
        }
        window.replaceSubrange((cut - taken) * KeypointFrame.count..<cut * KeypointFrame.count, with: other)
    }

    /// Where a body is, and how large.
    private struct Body {
        /// The middle of the hips; without them the mean of the joints.
        let x: Float, y: Float
        /// The length of the trunk; without it a third of the body's extent.
        let size: Float

        init?(first frames: Range<Int>, of keypoints: [Float]) {
            guard let frame = frames.first(where: { KeypointFrame.hasPose(keypoints, frame: $0) }) else { return nil }
            self.init(keypoints, frame: frame)
        }

        init?(last frames: Range<Int>, of keypoints: [Float]) {
            guard let frame = frames.last(where: { KeypointFrame.hasPose(keypoints, frame: $0) }) else { return nil }
            self.init(keypoints, frame: frame)
        }

        /// `nil` without a pose.
        private init?(_ keypoints: [Float], frame: Int) {
            let first = frame * KeypointFrame.count
            func point(_ joint: Joint) -> SIMD2<Float>? {
                let index = first + 3 * joint.rawValue
                return keypoints[index + 2] > 0 ? SIMD2(keypoints[index], keypoints[index + 1]) : nil
            }
            let seen = Joint.allCases.compactMap(point)
            guard let any = seen.first else { return nil }
            let hips = [Joint.rightHip, .leftHip].compactMap(point)
            let centers = hips.isEmpty ? seen : hips
            let center = centers.reduce(SIMD2<Float>(), +) / Float(centers.count)
            let (low, high) = seen.reduce((any, any)) { (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1)) }
            let trunk = point(.neck).map { Self.length($0 - center) } ?? 0
            size = max(trunk, 0.3 * (high - low).max(), 1e-3)
            (x, y) = (center.x, center.y)
        }

        private static func length(_ vector: SIMD2<Float>) -> Float { (vector * vector).sum().squareRoot() }
    }
}
