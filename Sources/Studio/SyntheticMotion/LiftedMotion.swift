import Foundation
import NeuralNet
import Poses

/// A motion in space, lifted from the joints that one camera saw, so that the generator can film it again: with other
/// bodies, at other tempi, from other sides.
///
/// A bone whose picture is shorter than the bone points to the camera or away from it. Which of both follows from how joints bend:
/// a knee back alone, a hip mostly forward. So a motion of which the camera saw little, such as a lunge from the front, is only
/// roughly right. Clips are filmed from nearby, not from all around.
public struct LiftedMotion: Sendable {
    /// The length of a trunk, metres.
    private static let trunkMetres: Float = 0.49
    /// How high the lowest joint lies above the floor, metres.
    private static let ankleMetres: Float = 0.077
    /// The largest share of frames in which the trunk may be missing.
    private static let maximumMissing = 0.5
    /// From how far aside clips are filmed: the standard deviation, radians.
    private static let yawDeviation: Float = 0.4
    private static let joints = KeypointFrame.joints

    private let name: String
    private let label: String
    /// The motion in space, 30 frames a second: x to the right of the picture, y up, z to the camera.
    package let film: [Skeleton]
    /// Joints that the camera hardly ever saw.
    private let unseen: Set<Int>

    /// Lifts a clip; `nil` where the shoulders are not seen in most of its frames, or it is shorter than half a second. Hips and legs
    /// that nobody sees hang down.
    public init?(_ clip: LabelledClip) {
        let even = clip.resampled(to: SyntheticMotion.rate)
        guard even.seconds >= 0.5, let track = JointTracks(even, maximumMissing: Self.maximumMissing) else {
            return nil
        }
        (name, label, unseen) = (clip.name, clip.label, track.unseen)
        film = Self.lift(track)
    }

    /// Films clips of the motion, each of its own person, from its own camera, at its own tempo.
    ///
    /// - Parameters:
    ///   - seed: equal seeds give equal clips.
    ///   - group: the group of the clips; `nil` for the motion's name.
    public func clips(
        count: Int, seed: UInt64, seconds: Double = 6, group: String? = nil,
        options: SyntheticOptions = SyntheticOptions()
    ) -> [LabelledClip] {
        (0..<count).map { index in
            var random = RandomSource(seed: seed, path: 9, UInt64(index))
            return clip(index, seconds, group ?? name, options, &random)
        }
    }

    private func clip(
        _ index: Int, _ seconds: Double, _ group: String, _ options: SyntheticOptions, _ random: inout RandomSource
    ) -> LabelledClip {
        let body = Proportions(&random)
        let frames = Int((seconds * SyntheticMotion.rate).rounded())
        let played = played(frames: frames, &random).map(body.apply)
        let isOnFloor = played.first.map { abs(($0[.neck] - $0.hips).unit().y) < 0.5 } ?? false
        let cut: SyntheticCamera.Framing = .cut(share: random.uniform(in: 0.05...0.3))
        let camera = SyntheticCamera(
            watching: played, random.chance(options.cutShare) ? cut : .whole, isOnFloor: isOnFloor,
            yaw: options.yawDegrees?.degrees ?? Self.yawDeviation * random.normal(), distance: options.distanceMetres,
            random: &random)
        var keypoints = SyntheticDetector.detect(played, camera, noise: options.noise, random: &random)
        if random.chance(options.slowShare) { keypoints = SyntheticDetector.slowed(keypoints, random: &random) }
        // What this camera does not see, another one at the same place does not see either, mostly.
        if random.chance(0.7) {
            for frame in 0..<frames {
                for joint in unseen {
                    let place = frame * KeypointFrame.count + 3 * joint
                    keypoints.replaceSubrange(place..<place + 3, with: repeatElement(0, count: 3))
                }
            }
        }
        return LabelledClip(
            name: "\(name)/filmed/\(index)", label: label, group: group, rate: SyntheticMotion.rate,
            aspect: camera.aspect,
            keypoints: keypoints)
    }

    /// The motion again and again, at a tempo of its own that varies a little. One that ends otherwise than it begins runs forth
    /// and back.
    private func played(frames: Int, _ random: inout RandomSource) -> [Skeleton] {
        let speed = exp(random.uniform(in: log(0.6)...log(1.5)))
        let (sway, phase) = (random.uniform(in: 0...0.25), random.uniform(in: 0...2 * .pi))
        let last = Float(film.count - 1)
        let period = isCycle ? last : 2 * last
        var place = random.uniform() * period
        return (0..<frames).map { frame in
            let way = place < last ? place : period - place
            let low = min(max(Int(way), 0), film.count - 2)
            let step = speed * (1 + sway * sin(phase + 4 * Float(frame) / Float(SyntheticMotion.rate)))
            place = (place + step).truncatingRemainder(dividingBy: period)
            let posture = film[low].mixed(with: film[low + 1], way - Float(low))
            // A cycle goes over into its beginning.
            let over = isCycle ? 1 - (last - way) / Self.blendedFrames : 0
            return over > 0 ? posture.mixed(with: film[0], over) : posture
        }
    }

    /// Whether the motion ends about as it begins.
    private var isCycle: Bool {
        guard let last = film.last, film.count > 3 * Int(Self.blendedFrames) else { return false }
        let distances = zip(film[0].joints, last.joints).map { ($0 - $1).length }
        return distances.reduce(0, +) / Float(distances.count) < Self.closeMetres
    }

    /// So many frames at the end of a cycle go over into its beginning.
    private static let blendedFrames: Float = 6
    /// A motion whose joints end so near to where they began is a cycle, metres.
    private static let closeMetres: Float = 0.12
}

// MARK: - From the picture into space

extension LiftedMotion {
    /// The bones of a body and their lengths, picture heights.
    private struct Lengths {
        let trunk, thigh, shin, upperArm, forearm, shoulders, hips: Float

        init(_ track: JointTracks) {
            let bones: [(Float, Float)] = [
                (track.longest(.neck, nil), 1), (track.longest(.leftHip, .leftKnee), BodyRatio.thigh),
                (track.longest(.rightHip, .rightKnee), BodyRatio.thigh),
                (track.longest(.leftKnee, .leftAnkle), BodyRatio.shin),
                (track.longest(.rightKnee, .rightAnkle), BodyRatio.shin),
                (track.longest(.leftShoulder, .leftElbow), BodyRatio.upperArm),
                (track.longest(.rightShoulder, .rightElbow), BodyRatio.upperArm),
                (track.longest(.leftElbow, .leftWrist), BodyRatio.forearm),
                (track.longest(.rightElbow, .rightWrist), BodyRatio.forearm),
                (track.longest(.leftShoulder, .rightShoulder), BodyRatio.shoulders),
            ]
            // Each bone says how long a trunk is at least; the second of them is no outlier.
            let claims = bones.map { $0.0 / $0.1 }.sorted(by: >)
            let trunk = max(claims[1], 1e-4)
            func length(_ seen: Float, _ ratio: Float) -> Float {
                min(max(seen, 0.88 * ratio * trunk), 1.15 * ratio * trunk)
            }
            self.trunk = length(bones[0].0, 1)
            thigh = length(max(bones[1].0, bones[2].0), BodyRatio.thigh)
            shin = length(max(bones[3].0, bones[4].0), BodyRatio.shin)
            upperArm = length(max(bones[5].0, bones[6].0), BodyRatio.upperArm)
            forearm = length(max(bones[7].0, bones[8].0), BodyRatio.forearm)
            shoulders = length(bones[9].0, BodyRatio.shoulders)
            hips = length(track.longest(.leftHip, .rightHip), BodyRatio.hips)
        }
    }

    private static func lift(_ track: JointTracks) -> [Skeleton] {
        let lengths = Lengths(track)
        let isFacingRight = facesRight(track)
        // A trunk that looks short leans to the camera, or away from it as one that lies on its back with the feet to the camera:
        // whichever asks less of the joints.
        let ways = [Float(1), -1].map { lean in
            (0..<track.frames).map { LiftedFrame($0, track, lengths, isFacingRight: isFacingRight, lean: lean) }
        }
        let strains = ways.map { $0.reduce(0) { $0 + $1.strain } }
        let way = strains[1] < 0.8 * strains[0] ? ways[1] : ways[0]
        let scale = trunkMetres / lengths.trunk
        var film = way.map { frame in frame.points.map { $0 * scale } }
        smooth(&film)
        let floor = film.joined().map(\.y).min() ?? 0
        let middle = film[0].reduce(Point(), +) / Float(joints)
        for frame in film.indices {
            for joint in 0..<joints {
                film[frame][joint] -= Point(middle.x, floor - ankleMetres, middle.z)
            }
        }
        return film.map(Skeleton.init(joints:))
    }

    /// Smooths the depths over a sixth of a second: a root makes much of small errors.
    private static func smooth(_ film: inout [[Point]]) {
        let rough = film
        for frame in film.indices {
            let near = max(frame - 2, 0)...min(frame + 2, film.count - 1)
            for joint in 0..<joints {
                film[frame][joint].z = near.reduce(0) { $0 + rough[$1][joint].z } / Float(near.count)
            }
        }
    }

    /// One frame in space: x to the right, y up, z towards the camera, picture heights.
    private struct LiftedFrame {
        private(set) var points: [Point]
        /// How far joints bend in ways in which they do not, radians.
        private(set) var strain: Float = 0

        /// - Parameter lean: 1 for a trunk that leans to where the chest looks, -1 for one that lies back.
        init(_ frame: Int, _ track: JointTracks, _ lengths: Lengths, isFacingRight: Bool, lean: Float) {
            points = Joint.allCases.map { Point(track[$0, frame].x, -track[$0, frame].y, 0) }
            let width = self[.leftShoulder] - self[.rightShoulder]
            // How much the chest faces the camera, -1…1: 1 to it, -1 away from it, 0 aside.
            let facing = min(max(width.x / lengths.shoulders, -1), 1)
            let side: Float = isFacingRight ? -1 : 1
            let spread = side * Self.missing(lengths.shoulders, width) / 2
            let hipSpread = side * Self.missing(lengths.hips, self[.leftHip] - self[.rightHip]) / 2
            let middle = (self[.leftShoulder] + self[.rightShoulder]) / 2
            let hips = (self[.leftHip] + self[.rightHip]) / 2
            // Of a person seen from the side depth is in the width, and not in how the trunk leans.
            let share = facing * min(1, 2 * abs(facing))
            let depth = lean * share * Self.missing(lengths.trunk, middle - hips)
            set(.neck, Point(middle.x, middle.y, depth))
            for (sign, hip, shoulder) in [
                (Float(1), Joint.leftHip, Joint.leftShoulder), (-1, .rightHip, .rightShoulder),
            ] {
                points[hip.rawValue].z = sign * hipSpread
                points[shoulder.rawValue].z = depth + sign * spread
            }
            let up = (self[.neck] - hips).unit()
            let across = (self[.leftShoulder] - self[.rightShoulder]).unit(or: Point(1, 0, 0))
            let left = (across - up * across.dot(up)).unit(or: Point(1, 0, 0))
            placeLimbs(lengths, up: up, left: left)
            placeHead(lengths, up: up, left: left)
        }

        subscript(joint: Joint) -> Point { points[joint.rawValue] }

        private mutating func set(_ joint: Joint, _ point: Point) { points[joint.rawValue] = point }

        /// The part of a bone that the picture does not show. Lengths come from the frames in which a bone looks longest, often because
        /// it is nearer; so a little less is believed.
        private static func missing(_ length: Float, _ way: Point) -> Float {
            max(0.88 * length * length - way.x * way.x - way.y * way.y, 0).squareRoot()
        }

        private mutating func placeLimbs(_ lengths: Lengths, up: Point, left: Point) {
            let forward = left.cross(up)
            for (hip, knee, ankle, shoulder, elbow, wrist) in [
                (Joint.leftHip, Joint.leftKnee, Joint.leftAnkle, Joint.leftShoulder, Joint.leftElbow, Joint.leftWrist),
                (.rightHip, .rightKnee, .rightAnkle, .rightShoulder, .rightElbow, .rightWrist),
            ] {
                // A hip bends forward, and a little back.
                place(knee, after: hip, lengths.thigh) { thigh in
                    Self.excess(atan2(thigh.dot(forward), -thigh.dot(up)), of: -0.35...2.3)
                }
                let thigh = (self[knee] - self[hip]).unit()
                let front = left.cross(-thigh)
                // A knee bends back alone.
                place(ankle, after: knee, lengths.shin) { shin in
                    Self.excess(atan2(-shin.dot(front), shin.dot(thigh)), of: -0.05...2.7)
                }
                // A shoulder lifts the arm forward all the way, and a little back.
                place(elbow, after: shoulder, lengths.upperArm) { arm in
                    Self.excess(atan2(arm.dot(forward), -arm.dot(up)), of: -0.9...3.2)
                }
                // An elbow brings the hand forward, mostly.
                place(wrist, after: elbow, lengths.forearm) { arm in max(0, -arm.dot(forward)) }
            }
        }

        /// Places a joint before or behind the one that it hangs on, whichever strains it less.
        private mutating func place(_ joint: Joint, after parent: Joint, _ length: Float, strain: (Point) -> Float) {
            let way = self[joint] - self[parent]
            let depth = Self.missing(length, way)
            let ways = [depth, -depth].map { Point(way.x, way.y, $0) }
            let strains = ways.map { strain($0.unit()) }
            let best = strains[1] < strains[0] ? 1 : 0
            self.strain += strains[best]
            set(joint, self[parent] + ways[best])
        }

        private static func excess(_ angle: Float, of range: ClosedRange<Float>) -> Float {
            max(0, range.lowerBound - angle, angle - range.upperBound)
                // Of two possible ways the one that bends less is likelier.
                + 0.1 * abs(angle)
        }

        private mutating func placeHead(_ lengths: Lengths, up: Point, left: Point) {
            let forward = left.cross(up)
            let head = lengths.trunk * BodyRatio.head
            for (joint, ahead, aside) in [
                (Joint.nose, Float(0.5), Float(0)), (.leftEye, 0.4, 0.15), (.rightEye, 0.4, -0.15), (.leftEar, 0, 0.35),
                (.rightEar, 0, -0.35),
            ] {
                points[joint.rawValue].z = (self[.neck] + (up + forward * ahead + left * aside) * head).z
            }
        }
    }

    /// Whether a person seen from the side faces the picture's right when upright: nose and knees lie on the side to which
    /// somebody looks.
    private static func facesRight(_ track: JointTracks) -> Bool {
        var evidence: Float = 0
        for frame in 0..<track.frames {
            func point(_ joint: Joint) -> SIMD2<Float> { track[joint, frame] }
            let hips = (point(.leftHip) + point(.rightHip)) / 2
            let up = (point(.neck) - hips).unit
            // The trunk's up, turned to the right.
            let right = SIMD2(-up.y, up.x)
            let ears = (point(.leftEar) + point(.rightEar)) / 2
            evidence += 2 * (point(.nose) - ears).dot(right)
            for (hip, knee, ankle) in [
                (Joint.leftHip, Joint.leftKnee, Joint.leftAnkle), (.rightHip, .rightKnee, .rightAnkle),
            ] {
                evidence += (point(knee) - (point(hip) + point(ankle)) / 2).dot(right)
            }
        }
        return evidence >= 0
    }
}

/// How one person's bones are longer or shorter than another's.
private struct Proportions {
    private let legs, arms, width, trunk: Float

    init(_ random: inout RandomSource) {
        legs = exp(0.06 * random.normal())
        arms = exp(0.05 * random.normal())
        width = exp(0.09 * random.normal())
        trunk = exp(0.04 * random.normal())
    }

    /// The same posture of this person.
    func apply(_ skeleton: Skeleton) -> Skeleton {
        var joints = skeleton.joints
        func old(_ joint: Joint) -> Point { skeleton[joint] }
        func set(_ joint: Joint, _ point: Point) { joints[joint.rawValue] = point }
        func new(_ joint: Joint) -> Point { joints[joint.rawValue] }
        let hips = skeleton.hips
        let neck = hips + (old(.neck) - hips) * trunk
        for joint in [Joint.nose, .leftEye, .rightEye, .leftEar, .rightEar] {
            set(joint, neck + old(joint) - old(.neck))
        }
        set(.neck, neck)
        for (hip, knee, ankle, shoulder, elbow, wrist) in [
            (Joint.leftHip, Joint.leftKnee, Joint.leftAnkle, Joint.leftShoulder, Joint.leftElbow, Joint.leftWrist),
            (.rightHip, .rightKnee, .rightAnkle, .rightShoulder, .rightElbow, .rightWrist),
        ] {
            set(hip, hips + (old(hip) - hips) * width)
            set(knee, new(hip) + (old(knee) - old(hip)) * legs)
            set(ankle, new(knee) + (old(ankle) - old(knee)) * legs)
            set(shoulder, neck + (old(shoulder) - old(.neck)) * width)
            set(elbow, new(shoulder) + (old(elbow) - old(shoulder)) * arms)
            set(wrist, new(elbow) + (old(wrist) - old(elbow)) * arms)
        }
        return Skeleton(joints: joints)
    }
}

extension Skeleton {
    /// The middle between the hips.
    fileprivate var hips: Point { (self[.leftHip] + self[.rightHip]) / 2 }

    fileprivate func mixed(with other: Skeleton, _ share: Float) -> Skeleton {
        Skeleton(joints: zip(joints, other.joints).map { $0 + ($1 - $0) * share })
    }
}

extension SIMD2<Float> {
    fileprivate var unit: SIMD2<Float> { squaredLength > 1e-12 ? self / length : SIMD2(0, -1) }
}
