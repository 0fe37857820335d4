import Capture
import Foundation
import Poses

/// The stick figure anywhere in a picture: near or far, turned, cut off or tilted.
struct AimFigure {
    /// The figure's size. At 1 a person would be 0.75 of the picture's height.
    var scale: Float = 0.8
    /// Moves the figure by fractions of the picture.
    var shift = SIMD2<Float>(0, 0)
    /// 0 is from the front, 90 from the side.
    var turnDegrees: Float = 0
    /// 90 lies across the picture, 180 stands on the head.
    var tiltDegrees: Float = 0
    /// From 0, upright, to 1.
    var squat: Float = 0
    /// The joints whose confidence is low.
    var hidden: Set<Joint> = []
    /// Width and height of the picture.
    var picture = (width: 640, height: 480)

    static let legs: Set<Joint> = [.leftKnee, .rightKnee, .leftAnkle, .rightAnkle]

    /// The pose, moved by `offset` in fractions of the picture.
    func pose(offset: SIMD2<Float> = .zero) -> Pose {
        let flat = StickFigure.pose(squat: squat)
        let aspect = Float(picture.width) / Float(picture.height)
        let (sine, cosine) = (sin(tiltDegrees * .pi / 180), cos(tiltDegrees * .pi / 180))
        return Pose(
            keypoints: Joint.allCases.map { joint in
                let x = (flat[3 * joint.rawValue] - 0.5) * cos(turnDegrees * .pi / 180) * scale
                let y = (flat[3 * joint.rawValue + 1] - 0.55) * scale
                return Keypoint(
                    x: 0.5 + (x * cosine - y * sine) / aspect + shift.x + offset.x,
                    y: 0.5 + x * sine + y * cosine + shift.y + offset.y,
                    confidence: hidden.contains(joint) ? 0.2 : 0.95)
            })
    }

    /// A picture of one brightness, 0…255.
    func image(_ brightness: UInt8) -> Image {
        Image(
            widthPixels: picture.width, heightPixels: picture.height,
            rgb: [UInt8](repeating: brightness, count: picture.width * picture.height * 3))
    }

    func frame(_ index: Int, _ poses: [Pose], rate: Double = 20, track: Int = 1, image: Image? = nil) -> TrackedFrame {
        let tracks = poses.enumerated().map { Track(id: track + $0, pose: $1) }
        return TrackedFrame(
            index: index, time: Double(index) / rate, image: image, widthPixels: picture.width,
            heightPixels: picture.height, tracks: tracks, prominent: tracks.first?.id)
    }
}
