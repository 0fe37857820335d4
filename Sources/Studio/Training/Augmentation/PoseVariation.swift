import Foundation
import NeuralNet
import Poses

/// Augmentation of one window's poses, except in time: varies the person's appearance before the camera and adds
/// detector errors.
struct PoseVariation {
    let augmentations: Set<Augmentation>
    let seed: UInt64

    private static let joints = KeypointFrame.joints
    private static let mirror = Joint.allCases.map(\.mirrored.rawValue)
    private static let face = [Joint.rightEye, .leftEye, .rightEar, .leftEar].map(\.rawValue)

    private static let parts: [[Int]] = [
        [Joint.neck, .leftShoulder, .rightShoulder], [.leftAnkle, .rightAnkle], [.leftHip, .rightHip],
        [.leftElbow, .leftWrist], [.rightElbow, .rightWrist], [.leftWrist, .rightWrist],
        [.leftElbow, .rightElbow, .leftWrist, .rightWrist],
        // The far leg of a person seen from the side is often hidden.
        [.leftKnee, .leftAnkle], [.rightKnee, .rightAnkle],
    ].map { $0.map(\.rawValue) }

    /// - Parameter window: `[frames, 18, 3]`, both axes in the same unit.
    func apply(to window: inout [Float]) {
        if var random = random(.flip), random.chance(0.5) { flip(&window) }
        transform(&window)
        dropJoints(&window)
        if var random = random(.confidenceScale) {
            let factor = random.uniform(in: 0.7...1.05)
            for index in stride(from: 2, to: window.count, by: 3) { window[index] = min(window[index] * factor, 1) }
        }
    }

    private func random(_ kind: Augmentation) -> RandomSource? {
        augmentations.contains(kind) ? RandomSource(seed: seed, path: kind.stream) : nil
    }

    private func flip(_ window: inout [Float]) {
        let original = window
        for index in 0..<window.count / 3 {
            let frame = index / Self.joints
            let source = frame * Self.joints + Self.mirror[index % Self.joints]
            window[3 * index] = -original[3 * source]
            window[3 * index + 1] = original[3 * source + 1]
            window[3 * index + 2] = original[3 * source + 2]
        }
    }

    /// Rotates, stretches and shears around the mean of all detected joints, then adds detector errors.
    private func transform(_ window: inout [Float]) {
        guard !augmentations.isDisjoint(with: [.rotation, .xScale, .shear, .jitter, .jointBias]) else { return }
        let seen = (0..<window.count / 3).filter { window[3 * $0 + 2] > 0 }
        guard !seen.isEmpty else { return }
        let center = seen.reduce(SIMD2<Float>()) { $0 + SIMD2(window[3 * $1], window[3 * $1 + 1]) } / Float(seen.count)
        let (a, b) = transformation()
        var extent: Float = 0
        for index in seen {
            let point = SIMD2(window[3 * index], window[3 * index + 1]) - center
            let moved = a * point.x + b * point.y
            extent = max(extent, abs(moved.x), abs(moved.y))
            (window[3 * index], window[3 * index + 1]) = (moved.x + center.x, moved.y + center.y)
        }
        addErrors(&window, seen, size: extent / 2)
    }

    /// The columns of the matrix rotation · x-scale + shear.
    private func transformation() -> (SIMD2<Float>, SIMD2<Float>) {
        var angle: Float = 0, scale: Float = 1, shear: Float = 0
        if var random = random(.rotation) { angle = 0.08 * random.normal() }
        if var random = random(.xScale) { scale = exp(0.1 * random.normal()) }
        if var random = random(.shear) { shear = 0.05 * random.normal() }
        return (SIMD2(cos(angle), sin(angle)) * scale, SIMD2(shear - sin(angle), cos(angle)))
    }

    private func addErrors(_ window: inout [Float], _ seen: [Int], size: Float) {
        var bias = [SIMD2<Float>](repeating: .zero, count: Self.joints)
        if var random = random(.jointBias) {
            for joint in 0..<Self.joints { bias[joint] = SIMD2(random.normal(), random.normal()) * (0.02 * size) }
        }
        var tremor = random(.jitter)
        let strength = (tremor?.uniform(in: 0...0.03) ?? 0) * size
        for index in seen {
            var error = bias[index % Self.joints]
            if strength > 0 { error += SIMD2(tremor?.normal() ?? 0, tremor?.normal() ?? 0) * strength }
            window[3 * index] += error.x
            window[3 * index + 1] += error.y
        }
    }

    private func dropJoints(_ window: inout [Float]) {
        let frames = window.count / KeypointFrame.count
        if var random = random(.jointDropout) {
            for joint in 0..<Self.joints where random.chance(0.03) { remove(joint, in: 0..<frames, &window) }
        }
        if var random = random(.partDropout), random.chance(0.1) {
            for joint in Self.parts[random.index(below: Self.parts.count)] { remove(joint, in: 0..<frames, &window) }
        }
        if var random = random(.faceDropout), random.chance(0.2) {
            for joint in Self.face { remove(joint, in: 0..<frames, &window) }
            if random.chance(0.3) { remove(Joint.nose.rawValue, in: 0..<frames, &window) }
        }
        if var random = random(.spanDropout), random.chance(0.4) {
            let first = random.index(below: frames)
            let span = first..<min(first + random.index(below: 12), frames)
            for joint in 0..<Self.joints where random.chance(0.4) { remove(joint, in: span, &window) }
        }
    }

    private func remove(_ joint: Int, in span: Range<Int>, _ window: inout [Float]) {
        for frame in span {
            let index = (frame * Self.joints + joint) * 3
            window.replaceSubrange(index..<index + 3, with: repeatElement(0, count: 3))
        }
    }
}
