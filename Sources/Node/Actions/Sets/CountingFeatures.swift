import Foundation
import Poses

/// The features for counting repetitions: how far a body is folded or stretched, and how far its sides differ. They are
/// symmetric, so a lunge to the left and one to the right give the same values.
///
/// The first channels are the shape. For each pair of joints they are the height of their midpoint and their horizontal
/// distance. For each limb they are its angles and the distances between its ends. Values are the mean of both sides, or of
/// the only side that is seen.
///
/// The other channels are differences without their sign, for exercises whose limbs work in turn: half the difference of a
/// left and a right limb, and how far the hands and the knees are to the side of the hips. Where one knee rises while the
/// other one sinks, the mean of both hardly changes, but the difference shows each repetition. A difference is that from its
/// middle over the time, because from an angle one limb is seen higher than the other one.
public struct CountingFeatures: Sendable {
    /// Increases whenever the same poses give other values in the same channels.
    public static let version = 1
    /// The number of channels of the shape.
    public static let shapeChannels = 30
    /// The number of all channels.
    public static let allChannels = shapeChannels + 14
    /// The only channel that depends on the position, not on the shape: the height of the hips in the picture.
    static let placeChannel = 19

    /// The width in seconds of the median filter that removes errors of single frames.
    private static let medianSeconds = 0.15
    /// The standard deviation in seconds of the Gaussian filter that removes jitter.
    static let smoothSeconds = 1.0 / 12

    /// The features, `[frames, channels]`.
    public private(set) var values: [Float]
    /// The number of features per frame: those of the shape, or all.
    public let channels: Int
    /// The number of frames.
    public let frames: Int
    /// Frames per second.
    public let rate: Double

    /// Computes and smooths the features of all frames.
    ///
    /// - Parameter comparesSides: whether the differences of the sides are among them.
    public init(_ stretch: PoseStretch, comparesSides: Bool = false) {
        frames = stretch.frames
        rate = stretch.rate
        channels = comparesSides ? Self.allChannels : Self.shapeChannels
        values = []
        guard frames > 0 else { return }
        let body = BodyPath(keypoints: stretch.keypoints, aspect: stretch.aspect)
        values.reserveCapacity(frames * channels)
        for frame in 0..<frames {
            let shape = FrameShape(body, frame: frame)
            shape.append(to: &values)
            if comparesSides { shape.appendDifferences(to: &values) }
        }
        for channel in 0..<channels { smooth(channel) }
        for channel in Self.shapeChannels..<channels { removeSign(channel) }
    }

    /// Only after the smoothing, because the noise of small differences would not cancel without their sign.
    private mutating func removeSign(_ channel: Int) {
        let column = (0..<frames).map { values[$0 * channels + channel] }
        let middle = ((column.quantile(0.1) ?? 0) + (column.quantile(0.9) ?? 0)) / 2
        for (frame, value) in column.enumerated() { values[frame * channels + channel] = abs(value - middle) }
    }

    /// The features of some of the frames.
    func part(_ range: Range<Int>) -> CountingFeatures {
        CountingFeatures(
            values: Array(values[range.lowerBound * channels..<range.upperBound * channels]),
            channels: channels, frames: range.count, rate: rate)
    }

    /// The shape alone.
    var shape: CountingFeatures {
        CountingFeatures(
            values: (0..<frames).flatMap { values[$0 * channels..<$0 * channels + Self.shapeChannels] },
            channels: Self.shapeChannels, frames: frames, rate: rate)
    }

    /// How much the differences of the sides change from frame to frame, in relation to the shape: the ratio of the sums
    /// of squares. 0 for features of the shape alone.
    var differencesOfSides: Float {
        var (shape, differences) = (Float(0), Float(0))
        for frame in 1..<max(1, frames) {
            for channel in 0..<channels {
                let step = self[frame, channel] - self[frame - 1, channel]
                if channel < Self.shapeChannels { shape += step * step } else { differences += step * step }
            }
        }
        return differences / max(shape, .leastNormalMagnitude)
    }

    private init(values: [Float], channels: Int, frames: Int, rate: Double) {
        (self.values, self.channels, self.frames, self.rate) = (values, channels, frames, rate)
    }

    subscript(frame: Int, channel: Int) -> Float { values[frame * channels + channel] }

    /// The projection of each frame on a direction: the motion as one signal over time.
    func along(_ direction: [Float]) -> [Float] {
        (0..<frames).map { frame in
            var sum: Float = 0
            for channel in 0..<channels { sum += values[frame * channels + channel] * direction[channel] }
            return sum
        }
    }

    /// The first channels along some of the frames, `[points, channels]`, evenly spaced in time and interpolated.
    func path(_ frames: ClosedRange<Int>, points: Int, channels: Int) -> [Float] {
        (0..<points).flatMap { point -> [Float] in
            let place = Float(frames.lowerBound) + Float(frames.count - 1) * Float(point) / Float(points - 1)
            let low = min(Int(place), self.frames - 1), high = min(low + 1, self.frames - 1)
            let weight = place - Float(low)
            return (0..<channels).map { self[low, $0] * (1 - weight) + self[high, $0] * weight }
        }
    }

    private mutating func smooth(_ channel: Int) {
        var column = (0..<frames).map { values[$0 * channels + channel] }
        column = Smoothing.median(column, reach: Int((Self.medianSeconds * rate / 2).rounded()))
        column = Smoothing.bell(column, deviation: Self.smoothSeconds * rate)
        for frame in 0..<frames { values[frame * channels + channel] = column[frame] }
    }
}

/// The body in one frame, in units of the body size.
private struct FrameShape {
    private static let pairs: [(Joint, Joint)] = [
        (.rightShoulder, .leftShoulder), (.rightElbow, .leftElbow), (.rightWrist, .leftWrist),
        (.rightHip, .leftHip), (.rightKnee, .leftKnee), (.rightAnkle, .leftAnkle),
    ]
    /// Three joints of the right side; the angle is at the second one.
    private static let angles: [(Joint, Joint, Joint)] = [
        (.rightShoulder, .rightElbow, .rightWrist), (.rightHip, .rightKnee, .rightAnkle),
        (.rightShoulder, .rightHip, .rightKnee), (.rightElbow, .rightShoulder, .rightHip),
    ]
    private static let distances: [(Joint, Joint)] = [
        (.rightShoulder, .rightWrist), (.rightShoulder, .rightHip), (.rightShoulder, .rightKnee),
        (.rightShoulder, .rightAnkle), (.rightHip, .rightAnkle), (.rightWrist, .rightHip), (.rightWrist, .rightKnee),
        (.rightWrist, .rightAnkle), (.rightElbow, .rightKnee),
    ]
    private static let oneSidedDistances: [(Joint, Joint)] = [
        (.rightShoulder, .rightWrist), (.rightShoulder, .rightKnee), (.rightHip, .rightAnkle), (.rightWrist, .rightHip),
    ]
    /// Weight of horizontal distances, which vary more with the view than heights do.
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
            let (a, b) = (position(right), position(left))
            values.append(a.flatMap { a in b.map { (a.y + $0.y) / 2 } } ?? a?.y ?? b?.y ?? 0)
            values.append(a.flatMap { a in b.map { Self.widthWeight * abs(a.x - $0.x) } } ?? 0)
        }
        let neck = position(.neck) ?? .zero
        values += [position(.nose)?.y ?? 0, abs(neck.x), neck.y]
        for (a, b, c) in Self.angles {
            values.append(bothSides { angle($0(a), $0(b), $0(c)) })
        }
        values.append(root.y / body.size)
        for (a, b) in Self.distances {
            values.append(bothSides { distance($0(a), $0(b)) })
        }
        values.append(atan2(abs(neck.x), neck.y))
    }

    /// Appends the differences of the sides, which still have their sign.
    func appendDifferences(to values: inout [Float]) {
        for joint in [Joint.rightElbow, .rightWrist, .rightKnee, .rightAnkle] {
            values.append(halfDifference { position($0(joint))?.y })
        }
        for (a, b, c) in Self.angles {
            values.append(halfDifference { angle($0(a), $0(b), $0(c)) })
        }
        for (a, b) in Self.oneSidedDistances {
            values.append(halfDifference { distance($0(a), $0(b)) })
        }
        for joint in [Joint.rightWrist, .rightKnee] {
            values.append(Self.widthWeight * bothSides { position($0(joint))?.x })
        }
    }

    /// The position relative to the root, in body sizes; `nil` for a joint that was never seen.
    private func position(_ joint: Joint) -> SIMD2<Float>? {
        body.hasSeen[joint.rawValue] ? (body.positions[first + joint.rawValue] - root) / body.size : nil
    }

    private func bothSides(_ measure: ((Joint) -> Joint) -> Float?) -> Float {
        let (right, left) = (measure { $0 }, measure { $0.mirrored })
        return right.flatMap { right in left.map { (right + $0) / 2 } } ?? right ?? left ?? 0
    }

    private func halfDifference(_ measure: ((Joint) -> Joint) -> Float?) -> Float {
        guard let right = measure({ $0 }), let left = measure({ $0.mirrored }) else { return 0 }
        return (right - left) / 2
    }

    private func angle(_ a: Joint, _ b: Joint, _ c: Joint) -> Float? {
        guard let a = position(a), let b = position(b), let c = position(c) else { return nil }
        let (u, v) = (a - b, c - b)
        return atan2(abs(u.x * v.y - u.y * v.x), (u * v).sum() + 1e-9)
    }

    private func distance(_ a: Joint, _ b: Joint) -> Float? {
        guard let a = position(a), let b = position(b) else { return nil }
        let difference = a - b
        return (difference * difference).sum().squareRoot()
    }
}
