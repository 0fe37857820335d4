import Foundation
import NeuralNet
import Poses

/// Recorded motion in space, which the generator films like that of its own people.
///
/// The takes are the tensors of a safetensors file, `[frames, 18, 3]` at 30 Hz, in metres, y up, each named
/// `label/person/take`. `Models/motion-capture.py` makes such a file.
public struct MotionCapture: Sendable {
    private struct Take: Sendable {
        let name: String
        let person: String
        let joints: [SIMD3<Float>]
        var frames: Int { joints.count / KeypointFrame.joints }
    }

    /// The share of a label's clips that is filmed from takes: so many for each take, but at most this share. *other* and
    /// *none* have dozens of motions, of which few were recorded.
    private static let (shareOfTake, largestShare) = (0.02, 0.25)
    private static let (shareOfOtherTake, largestOtherShare) = (0.002, 0.1)

    private let takes: [String: [Take]]

    /// Reads a file of takes.
    ///
    /// - Throws: `SafeTensorsError` when the file cannot be read, is damaged or holds something else.
    public init(contentsOf url: URL) throws(SafeTensorsError) {
        let file = try SafeTensors(contentsOf: url)
        var takes: [String: [Take]] = [:]
        for (name, tensor) in file.tensors.sorted(by: { $0.key < $1.key }) {
            let parts = name.split(separator: "/", maxSplits: 2).map(String.init)
            guard parts.count == 3, tensor.shape.count == 3, tensor.shape[0] > 1,
                Array(tensor.shape.dropFirst()) == [KeypointFrame.joints, 3], tensor.values.allSatisfy(\.isFinite)
            else {
                throw .damaged(file: url.path, reason: "the tensor \(name) is no take of 18 joints")
            }
            let joints = stride(from: 0, to: tensor.values.count, by: 3).map { index in
                SIMD3(tensor.values[index], tensor.values[index + 1], tensor.values[index + 2])
            }
            takes[parts[0], default: []].append(Take(name: name, person: parts[1], joints: joints))
        }
        self.takes = takes
    }

    /// The labels of the takes.
    public var labels: Set<String> { Set(takes.keys) }

    /// How many of a label's clips are filmed from takes.
    public func count(of label: String, among clips: Int) -> Int {
        let recorded = Double(takes[label]?.count ?? 0)
        let isUnlabelled = label == "other" || label == "none"
        let share =
            isUnlabelled
            ? min(recorded * Self.shareOfOtherTake, Self.largestOtherShare)
            : min(recorded * Self.shareOfTake, Self.largestShare)
        return Int(Double(clips) * share)
    }

    /// Films clips of a label's takes, each from its own camera, at its own speed.
    ///
    /// - Parameter seed: equal seeds give equal clips.
    public func clips(
        of label: String, count: Int, seed: UInt64, seconds: Double = 6, options: SyntheticOptions = SyntheticOptions()
    ) -> [LabelledClip] {
        guard let takes = takes[label], !takes.isEmpty else { return [] }
        return (0..<count).map { index in
            var random = RandomSource(seed: seed, path: 7, UInt64(index))
            return Self.clip(takes[index % takes.count], label, index, seconds, options, &random)
        }
    }

    private static func clip(
        _ take: Take, _ label: String, _ index: Int, _ seconds: Double, _ options: SyntheticOptions,
        _ random: inout RandomSource
    ) -> LabelledClip {
        let film = film(of: take, frames: Int((seconds * SyntheticMotion.rate).rounded()), &random)
        let cut: SyntheticCamera.Framing = .cut(share: random.uniform(in: 0.05...0.3))
        let camera = SyntheticCamera(
            watching: film, random.chance(options.cutShare) ? cut : .whole, isOnFloor: false,
            yaw: options.yawDegrees?.degrees, distance: options.distanceMetres, random: &random)
        var keypoints = SyntheticDetector.detect(film, camera, noise: options.noise, random: &random)
        if random.chance(options.slowShare) { keypoints = SyntheticDetector.slowed(keypoints, random: &random) }
        return LabelledClip(
            name: "\(take.name)/\(index)", label: label, group: take.person, rate: SyntheticMotion.rate,
            aspect: camera.aspect, keypoints: keypoints)
    }

    /// A part of the take, slower or faster; a take that is too short runs back and forth.
    private static func film(of take: Take, frames: Int, _ random: inout RandomSource) -> [Skeleton] {
        let speed = exp(random.uniform(in: log(0.55)...log(1.5)))
        let last = Float(take.frames - 1)
        let start = random.uniform() * max(0, last - Float(frames) * speed)
        let turn = Rotation(Point(0, random.uniform(in: -.pi ... .pi), 0))
        return (0..<frames).map { frame in
            let way = (start + Float(frame) * speed).truncatingRemainder(dividingBy: 2 * last)
            let place = way <= last ? way : 2 * last - way
            let low = min(Int(place), take.frames - 2)
            let share = place - Float(low)
            let joints = (0..<KeypointFrame.joints).map { joint in
                let (a, b) = (low * KeypointFrame.joints + joint, (low + 1) * KeypointFrame.joints + joint)
                return turn * (take.joints[a] * (1 - share) + take.joints[b] * share)
            }
            return Skeleton(joints: joints)
        }
    }
}
