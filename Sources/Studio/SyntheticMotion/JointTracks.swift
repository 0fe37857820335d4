import Poses

/// Bone lengths as shares of the trunk's; see ``Physique``.
enum BodyRatio {
    static let thigh: Float = 0.855, shin: Float = 0.836, upperArm: Float = 0.602, forearm: Float = 0.522
    static let shoulders: Float = 0.71, hips: Float = 0.43
    /// From the neck to the middle of the head.
    static let head: Float = 0.41
}

/// The joints of a clip without gaps, smoothed: every joint has a place in every frame.
struct JointTracks {
    /// A joint that is seen in fewer frames than this share counts as unseen.
    private static let minimumSeen = 0.2
    private static let joints = KeypointFrame.joints

    /// The number of frames.
    let frames: Int
    /// Joints that were hardly ever seen. They lie where the same joint of the other side was seen; without that they hang from
    /// the joint before them.
    private(set) var unseen: Set<Int> = []
    /// By joint and frame: picture heights from the top left.
    private var places: [[SIMD2<Float>]]

    /// - Parameter maximumMissing: the share of frames in which a joint of the trunk may be missing.
    /// - Returns: `nil` where the shoulders are missing more often on both sides.
    init?(_ clip: LabelledClip, maximumMissing: Double) {
        frames = clip.frames
        places = Array(repeating: [], count: Self.joints)
        var missing: [Int] = []
        for joint in 0..<Self.joints {
            let seen = (0..<frames).filter { clip.keypoints[$0 * KeypointFrame.count + 3 * joint + 2] > 0 }
            let isTrunk = Self.trunk.contains { $0.rawValue == joint }
            guard Double(seen.count) >= (isTrunk ? 1 - maximumMissing : Self.minimumSeen) * Double(frames),
                !seen.isEmpty
            else {
                missing.append(joint)
                continue
            }
            places[joint] = Self.filled(seen, joint, clip)
        }
        unseen = Set(missing)
        let isSeen = { (joint: Joint) in !missing.contains(joint.rawValue) }
        guard isSeen(.leftShoulder) || isSeen(.rightShoulder) else { return nil }
        let seen = places
        for joint in missing.compactMap(Joint.init(rawValue:)) where isSeen(joint.mirrored) {
            places[joint.rawValue] = seen[joint.mirrored.rawValue]
        }
        if places[Joint.neck.rawValue].isEmpty {
            places[Joint.neck.rawValue] = (0..<frames).map { (self[.leftShoulder, $0] + self[.rightShoulder, $0]) / 2 }
        }
        let trunk = max(
            isSeen(.leftHip) || isSeen(.rightHip) ? longest(.neck, nil) : 0,
            longest(.leftShoulder, .rightShoulder) / BodyRatio.shoulders,
            longest(.leftElbow, .leftWrist) / BodyRatio.forearm,
            longest(.rightElbow, .rightWrist) / BodyRatio.forearm)
        // Each joint stands after the one that it hangs from.
        for (joint, parent, length) in Self.hanging where places[joint.rawValue].isEmpty {
            places[joint.rawValue] = places[parent.rawValue].map { $0 + SIMD2(0, length * trunk) }
        }
    }

    /// The place of a joint.
    subscript(joint: Joint, frame: Int) -> SIMD2<Float> { places[joint.rawValue][frame] }

    /// The length of a bone in the frames in which it looks longest: its 95th percentile; 0 where an end is unseen.
    ///
    /// - Parameter end: `nil` for the middle between the hips.
    func longest(_ begin: Joint, _ end: Joint?) -> Float {
        if unseen.contains(begin.rawValue) || end.map({ unseen.contains($0.rawValue) }) ?? false { return 0 }
        let lengths = (0..<frames).map { frame in
            let other = end.map { self[$0, frame] } ?? (self[.leftHip, frame] + self[.rightHip, frame]) / 2
            return (self[begin, frame] - other).length
        }.sorted()
        return lengths[min(lengths.count * 95 / 100, lengths.count - 1)]
    }

    private static let trunk: [Joint] = [.leftShoulder, .rightShoulder, .leftHip, .rightHip]

    /// Where joints hang that were seen on neither side: from which joint, and how far below it, as a share of the trunk.
    private static let hanging: [(joint: Joint, parent: Joint, length: Float)] = [
        (.leftHip, .leftShoulder, 1), (.rightHip, .rightShoulder, 1),
        (.leftKnee, .leftHip, BodyRatio.thigh), (.rightKnee, .rightHip, BodyRatio.thigh),
        (.leftAnkle, .leftKnee, BodyRatio.shin), (.rightAnkle, .rightKnee, BodyRatio.shin),
        (.leftElbow, .leftShoulder, BodyRatio.upperArm), (.rightElbow, .rightShoulder, BodyRatio.upperArm),
        (.leftWrist, .leftElbow, BodyRatio.forearm), (.rightWrist, .rightElbow, BodyRatio.forearm),
        (.nose, .neck, -BodyRatio.head), (.leftEye, .nose, 0), (.rightEye, .nose, 0), (.leftEar, .nose, 0),
        (.rightEar, .nose, 0),
    ]

    /// A joint's places, with straight lines over its gaps, smoothed over three frames.
    private static func filled(_ seen: [Int], _ joint: Int, _ clip: LabelledClip) -> [SIMD2<Float>] {
        func place(_ frame: Int) -> SIMD2<Float> {
            let index = frame * KeypointFrame.count + 3 * joint
            return SIMD2(clip.keypoints[index] * clip.aspect, clip.keypoints[index + 1])
        }
        var filled: [SIMD2<Float>] = []
        var next = 0
        for frame in 0..<clip.frames {
            while next < seen.count, seen[next] < frame { next += 1 }
            if next == seen.count {
                filled.append(place(seen[seen.count - 1]))
            } else if next == 0 || seen[next] == frame {
                filled.append(place(seen[next]))
            } else {
                let (low, high) = (seen[next - 1], seen[next])
                let share = Float(frame - low) / Float(high - low)
                filled.append(place(low) * (1 - share) + place(high) * share)
            }
        }
        return filled.indices.map { frame in
            let near = filled[max(frame - 1, 0)...min(frame + 1, filled.count - 1)]
            return near.reduce(SIMD2(), +) / Float(near.count)
        }
    }
}
