import Foundation
import Poses

/// What repetitions are counted on: how a body is folded and stretched, the same for either leg and either arm, so
/// that a lunge to the left and one to the right look alike.
///
/// Of each pair of joints the middle's height and how far they are apart; of each limb its angles and the distances
/// between its ends, as the mean of both sides, or of the one side that is seen.
public struct CountingFeatures: Sendable {
    /// Counts up whenever the same poses give other numbers; a basis works with its own version only.
    public static let version = 1
    public static let channels = 30
    /// The one channel that is not of the body's shape but of its place: the height of the hips in the picture.
    static let placeChannel = 19

    /// Errors of single frames are removed by a median over this many seconds, jitter by a bell of this deviation.
    private static let medianSeconds = 0.15
    static let smoothSeconds = 1.0 / 12

    /// `[frames, channels]`
    public private(set) var values: [Float]
    public let frames: Int
    /// Frames per second.
    public let rate: Double

    public init(_ stretch: PoseStretch) {
        frames = stretch.frames
        rate = stretch.rate
        values = []
        guard frames > 0 else { return }
        let body = BodyPath(keypoints: stretch.keypoints, aspect: stretch.aspect)
        values.reserveCapacity(frames * Self.channels)
        for frame in 0..<frames { FrameShape(body, frame: frame).append(to: &values) }
        for channel in 0..<Self.channels { smooth(channel) }
    }

    subscript(frame: Int, channel: Int) -> Float { values[frame * Self.channels + channel] }

    /// The numbers along one direction: the motion as one line over time.
    func along(_ direction: [Float]) -> [Float] {
        (0..<frames).map { frame in
            var sum: Float = 0
            for channel in 0..<Self.channels { sum += values[frame * Self.channels + channel] * direction[channel] }
            return sum
        }
    }

    private mutating func smooth(_ channel: Int) {
        var column = (0..<frames).map { values[$0 * Self.channels + channel] }
        column = Smoothing.median(column, reach: Int((Self.medianSeconds * rate / 2).rounded()))
        column = Smoothing.bell(column, deviation: Self.smoothSeconds * rate)
        for frame in 0..<frames { values[frame * Self.channels + channel] = column[frame] }
    }
}

/// The body of one frame, measured in body sizes.
private struct FrameShape {
    private static let pairs: [(Joint, Joint)] = [
        (.rightShoulder, .leftShoulder), (.rightElbow, .leftElbow), (.rightWrist, .leftWrist),
        (.rightHip, .leftHip), (.rightKnee, .leftKnee), (.rightAnkle, .leftAnkle),
    ]
    /// Angles at the second of three joints of the right side.
    private static let angles: [(Joint, Joint, Joint)] = [
        (.rightShoulder, .rightElbow, .rightWrist), (.rightHip, .rightKnee, .rightAnkle),
        (.rightShoulder, .rightHip, .rightKnee), (.rightElbow, .rightShoulder, .rightHip),
    ]
    private static let distances: [(Joint, Joint)] = [
        (.rightShoulder, .rightWrist), (.rightShoulder, .rightHip), (.rightShoulder, .rightKnee),
        (.rightShoulder, .rightAnkle), (.rightHip, .rightAnkle), (.rightWrist, .rightHip), (.rightWrist, .rightKnee),
        (.rightWrist, .rightAnkle), (.rightElbow, .rightKnee),
    ]
    /// Widths vary with the view more than heights do, and count less.
    private static let widthWeight: Float = 0.7

    private let body: BodyPath
    private let first: Int
    private let root: SIMD2<Float>

    init(_ body: BodyPath, frame: Int) {
        self.body = body
        first = frame * Joint.allCases.count
        root = body.roots[frame]
    }

    func append(to values: inout [Float]) {
        for (right, left) in Self.pairs {
            let (a, b) = (place(right), place(left))
            values.append(a.flatMap { a in b.map { (a.y + $0.y) / 2 } } ?? a?.y ?? b?.y ?? 0)
            values.append(a.flatMap { a in b.map { Self.widthWeight * abs(a.x - $0.x) } } ?? 0)
        }
        let neck = place(.neck) ?? .zero
        values += [place(.nose)?.y ?? 0, abs(neck.x), neck.y]
        for (a, b, c) in Self.angles {
            values.append(bothSides { angle($0(a), $0(b), $0(c)) })
        }
        values.append(root.y / body.size)
        for (a, b) in Self.distances {
            values.append(bothSides { distance($0(a), $0(b)) })
        }
        values.append(atan2(abs(neck.x), neck.y))
    }

    /// Around the root, in body sizes; `nil` for a joint that was never seen.
    private func place(_ joint: Joint) -> SIMD2<Float>? {
        body.hasSeen[joint.rawValue] ? (body.positions[first + joint.rawValue] - root) / body.size : nil
    }

    private func bothSides(_ measure: ((Joint) -> Joint) -> Float?) -> Float {
        let (right, left) = (measure { $0 }, measure { $0.mirrored })
        return right.flatMap { right in left.map { (right + $0) / 2 } } ?? right ?? left ?? 0
    }

    private func angle(_ a: Joint, _ b: Joint, _ c: Joint) -> Float? {
        guard let a = place(a), let b = place(b), let c = place(c) else { return nil }
        let (u, v) = (a - b, c - b)
        return atan2(abs(u.x * v.y - u.y * v.x), (u * v).sum() + 1e-9)
    }

    private func distance(_ a: Joint, _ b: Joint) -> Float? {
        guard let a = place(a), let b = place(b) else { return nil }
        let way = a - b
        return (way * way).sum().squareRoot()
    }
}
