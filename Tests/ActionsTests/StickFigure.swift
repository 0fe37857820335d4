import Actions
import Foundation
import Poses

/// A stick figure seen from the front that stands, squats and raises the arms as far as requested.
enum StickFigure {
    /// Joints `[18, 3]`; `squat` and `arms` range from 0 (upright, arms down) to 1. Without `leftArm` both arms move alike.
    static func pose(squat: Float = 0, arms: Float = 0, leftArm: Float? = nil) -> [Float] {
        let hip = SIMD2<Float>(0.5, 0.55 + 0.2 * squat)
        let neck = hip - [0, 0.25]
        var points = [SIMD2<Float>](repeating: neck, count: 18)
        func put(_ joint: Joint, _ point: SIMD2<Float>) { points[joint.rawValue] = point }
        put(.nose, neck - [0, 0.08])
        for (side, shoulder, elbow, wrist, hipJoint, knee, ankle) in [
            (
                Float(-1), Joint.rightShoulder, Joint.rightElbow, Joint.rightWrist, Joint.rightHip, Joint.rightKnee,
                Joint.rightAnkle
            ),
            (1, .leftShoulder, .leftElbow, .leftWrist, .leftHip, .leftKnee, .leftAnkle),
        ] {
            let angle = (1 - (side > 0 ? leftArm ?? arms : arms)) * .pi
            let arm = SIMD2(side * (0.03 + 0.13 * sin(angle)), -0.13 * cos(angle))
            put(shoulder, neck + [side * 0.08, 0.02])
            put(elbow, points[shoulder.rawValue] + arm)
            put(wrist, points[shoulder.rawValue] + 2 * arm)
            put(hipJoint, hip + [side * 0.05, 0])
            put(knee, [0.5 + side * (0.06 + 0.08 * squat), 0.72 + 0.05 * squat])
            put(ankle, [0.5 + side * 0.06, 0.92])
        }
        for joint in [Joint.rightEye, .leftEye, .rightEar, .leftEar] { put(joint, points[0] - [0, 0.01]) }
        return points.flatMap { [$0.x, $0.y, 0.9] }
    }

    /// Frames of a motion at 30 Hz; `depth` gives the depth of the squat at each time.
    static func squatting(seconds: Double, depth: (Double) -> Float) -> [Float] {
        (0..<Int(seconds * 30)).flatMap { (frame: Int) -> [Float] in pose(squat: depth(Double(frame) / 30)) }
    }

    /// The depth over `count` repetitions of equal length after a rest; 0 before and after.
    static func depth(_ time: Double, rest: Double, period: Double, count: Int) -> Float {
        let phase = (time - rest) / period
        guard phase > 0, phase < Double(count) else { return 0 }
        return Float((1 - cos(2 * .pi * phase)) / 2)
    }

    static func stretch(_ keypoints: [Float], start: Double = 0) -> PoseStretch {
        PoseStretch(start: start, rate: 30, aspect: 1, keypoints: keypoints)
    }

    /// Windows of two seconds, one every third of a second, as the gatherer makes them.
    static func windows(_ keypoints: [Float], track: Int = 1) -> [PoseWindow] {
        let firsts = Array(stride(from: 0, through: keypoints.count / 54 - 60, by: 10))
        return firsts.map { first -> PoseWindow in
            let frames = Array(keypoints[first * 54..<(first + 60) * 54])
            let start = Double(first) / 30
            return PoseWindow(
                track: track, start: start, end: start + 2, keypoints: frames, posedFrames: 60, aspect: 1)
        }
    }
}

extension Pose {
    /// A pose of numbers `[18, 3]`.
    init(_ values: [Float]) {
        self.init(
            keypoints: stride(from: 0, to: values.count, by: 3).map {
                Keypoint(x: values[$0], y: values[$0 + 1], confidence: values[$0 + 2])
            })
    }

    /// The pose elsewhere, and smaller towards its feet.
    func moved(by x: Float, scaled height: Float) -> Pose {
        Pose(
            keypoints: keypoints.map {
                Keypoint(
                    x: 0.5 + ($0.x - 0.5) * height + x, y: 0.92 - (0.92 - $0.y) * height, confidence: $0.confidence)
            })
    }
}
