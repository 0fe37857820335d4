import Foundation
import NeuralNet
import Poses

/// Converts a film and a camera to the output of a pose detector.
enum SyntheticDetector {
    /// - Returns: `[frames, 18, 3]`: x and y as fractions of the picture from the top left, and confidence.
    static func detect(
        _ film: [Skeleton], _ camera: SyntheticCamera, noise: Float, random: inout RandomSource
    ) -> [Float] {
        let projection = Projection(film, camera)
        var errors = DetectorErrors(strength: noise, random: &random)
        var episodes = DetectorEpisodes(strength: noise, random: &random)
        let trunkMetres = (film[0][.neck] - (film[0][.leftHip] + film[0][.rightHip]) / 2).length
        var keypoints: [Float] = []
        keypoints.reserveCapacity(film.count * KeypointFrame.count)
        var before: [SIMD3<Float>] = []
        // A tracking detector smooths, so fast hands lag behind.
        let lag = noise > 0 && random.chance(0.6) ? noise * random.uniform(in: 0.05...0.45) : 0
        for frame in film.indices {
            let trunk = max(trunkMetres * projection.scales[frame], 0.01)
            var pose = errors.observe(frame, of: projection, trunk: trunk)
            if lag > 0 && !before.isEmpty {
                for joint in pose.indices {
                    let smooth = pose[joint].mixed(with: before[joint], lag)
                    pose[joint] = SIMD3(smooth.x, smooth.y, pose[joint].z)
                }
            }
            before = pose
            let view = View(film[frame], projection, frame, trunk: trunk)
            episodes.disturb(
                &pose, trunk: trunk, aspect: camera.aspect, isHard: view.isHard, isAmbiguous: view.isAmbiguous)
            for point in pose {
                let isSeen = point.z > 0
                keypoints += isSeen ? [point.x / camera.aspect, point.y, point.z] : [0, 0, 0]
            }
        }
        return keypoints
    }

    /// The same key points from a slower pose stream: fewer, unevenly spaced frames, resampled to 30 per second.
    static func slowed(_ keypoints: [Float], random: inout RandomSource) -> [Float] {
        let frames = keypoints.count / KeypointFrame.count
        let step = Float(SyntheticMotion.rate) / random.uniform(in: 7...29)
        var seen = [0]
        var time = random.uniform() * step
        while time < Float(frames - 1) {
            let frame = Int((time + 0.15 * step * random.normal()).rounded())
            if frame > seen[seen.count - 1] && frame < frames { seen.append(frame) }
            time += step
        }
        if seen[seen.count - 1] < frames - 1 { seen.append(frames - 1) }
        var joined = [Float](repeating: 0, count: keypoints.count)
        var next = 1
        for frame in 0..<frames {
            while next < seen.count - 1 && seen[next] < frame { next += 1 }
            let (low, high) = (seen[next - 1], seen[next])
            let weight = Float(frame - low) / Float(max(high - low, 1))
            KeypointFrame.blend(
                (keypoints, low), (keypoints, high), weight: min(max(weight, 0), 1), into: &joined, frame: frame)
        }
        return joined
    }

    /// Whether a view is difficult for a detector.
    private struct View {
        let isHard: Bool
        let isAmbiguous: Bool

        init(_ skeleton: Skeleton, _ projection: Projection, _ frame: Int, trunk: Float) {
            let first = frame * Projection.joints
            func point(_ joint: Joint) -> SIMD2<Float> { projection.points[first + joint.rawValue] }
            func depth(_ joint: Joint) -> Float { projection.depths[first + joint.rawValue] }
            let hips = (skeleton[.leftHip] + skeleton[.rightHip]) / 2
            let seen = (point(.neck) - (point(.leftHip) + point(.rightHip)) / 2).length
            isHard = abs(skeleton[.neck].y - hips.y) < 0.25 && skeleton[.neck].y < 0.9 || seen < 0.55 * trunk
            let isFromSide = abs(point(.leftShoulder).x - point(.rightShoulder).x) < 0.3 * trunk
            isAmbiguous = isFromSide || depth(.nose) > depth(.neck) + 0.03
        }
    }
}
