import Foundation
import NeuralNet
import Poses

/// Generates clips of people who do not exist. Body, motion, camera and detector are each drawn from a seed.
///
/// Equal seeds give equal clips on the same machine type.
public enum SyntheticMotion {
    /// Frames per second of every clip.
    public static let rate = 30.0

    /// A clip of a person who performs `kind` for `seconds`.
    public static func clip(
        _ kind: MotionKind, seed: UInt64, seconds: Double = 6, options: SyntheticOptions = SyntheticOptions()
    ) -> SyntheticClip {
        var random = RandomSource(seed: seed, path: 1)
        let frames = Int((seconds * rate).rounded())
        let active = active(kind, seconds: Float(seconds), options, &random)
        let scene = Scene(kind, seconds: Float(seconds), active: active, random: &random)
        let film = scene.film(frames: frames)
        if let seed = options.cameraSeed { random = RandomSource(seed: seed ^ random.next(), path: 2) }
        let framing = framing(kind, options, &random)
        let camera = SyntheticCamera(
            watching: film, framing, isOnFloor: kind.stage == .prone || kind.stage == .supine,
            yaw: options.yawDegrees?.degrees, distance: options.distanceMetres, random: &random)
        var keypoints = SyntheticDetector.detect(film, camera, noise: options.noise, random: &random)
        if random.chance(options.slowShare) {
            keypoints = SyntheticDetector.slowed(keypoints, random: &random)
        }
        let name = "synthetic/\(kind.name)/\(seed)"
        let clip = LabelledClip(
            name: name, label: kind.label, group: name, rate: rate, aspect: camera.aspect, keypoints: keypoints)
        let begin = Int((max(0, active.lowerBound) * Float(rate)).rounded())
        let end = Int((min(Float(seconds), scene.end) * Float(rate)).rounded())
        let whole = scene.repetitions.indices.filter { 0..<seconds ~= scene.repetitions[$0] }
        return SyntheticClip(
            clip: clip, repetitions: whole.map { scene.repetitions[$0] }, sides: whole.map(scene.side),
            exerciseFrames: begin..<max(begin, min(end, frames)), film: film)
    }

    /// The joints in space behind a clip, without camera and detector, for tests of the motions.
    package static func film(_ kind: MotionKind, seed: UInt64, seconds: Double = 6) -> [Skeleton] {
        var random = RandomSource(seed: seed, path: 1)
        let scene = Scene(kind, seconds: Float(seconds), active: -1...Float(seconds + 1), random: &random)
        return scene.film(frames: Int((seconds * rate).rounded()))
    }

    /// The time of the motion: at least seven tenths of the clip.
    private static func active(
        _ kind: MotionKind, seconds: Float, _ options: SyntheticOptions, _ random: inout RandomSource
    ) -> ClosedRange<Float> {
        guard kind.stage != .anywhere, random.chance(options.transitionShare) else { return -1...(seconds + 1) }
        let idle = random.uniform(in: 0.1...0.28) * seconds
        // The last repetition is completed after the end, so the end is earlier.
        return random.chance(0.5) ? idle...(seconds + 1) : -1...(seconds - max(idle, 0.25 * seconds))
    }

    private static func framing(
        _ kind: MotionKind, _ options: SyntheticOptions, _ random: inout RandomSource
    ) -> SyntheticCamera.Framing {
        if kind.isCut { return .cut(share: random.uniform(in: 0.3...0.6)) }
        if random.chance(options.cutShare) { return .cut(share: random.uniform(in: 0.05...0.3)) }
        return kind.isTravelling ? .travelling : .whole
    }
}
