import Poses

/// A fixed number of poses of one person, evenly spaced in time: the input of the classifier.
public struct PoseWindow: Sendable, Equatable {
    /// The person; `nil` for a window without a tracked person.
    public let track: Int?
    /// The time of the first frame, in seconds on the source's clock.
    public let start: Double
    /// The time after the last frame, in seconds on the source's clock.
    public let end: Double
    /// `[frames, 18, 3]`, row-major: x and y as fractions of the picture (from the top left), confidence.
    /// A frame without a pose is all zeros, as in the reference system.
    public let keypoints: [Float]
    /// `[frames, 18, 3]`, the frames before the window, oldest first; empty where the model does not look further back.
    public let context: [Float]
    /// The number of frames of the window that contain a pose.
    public let posedFrames: Int
    /// Width divided by height of the picture, which converts fractions into comparable lengths.
    public let aspect: Float
    /// Seconds between two sightings of the person, between which poses are interpolated; `nil` when unknown.
    public let sightingSeconds: Double?

    /// Creates a window from its parts.
    public init(
        track: Int?, start: Double, end: Double, keypoints: [Float], context: [Float] = [], posedFrames: Int,
        aspect: Float, sightingSeconds: Double? = nil
    ) {
        self.track = track
        self.start = start
        self.end = end
        self.keypoints = keypoints
        self.context = context
        self.posedFrames = posedFrames
        self.aspect = aspect
        self.sightingSeconds = sightingSeconds
    }

    /// The number of frames.
    public var frames: Int { keypoints.count / 54 }

    /// Whether the head or the legs are outside of the picture, or not seen, in most frames with a pose.
    var isCutOff: Bool {
        func framesMissing(_ joints: [Joint]) -> Int {
            (0..<frames).count { frame in
                let first = frame * KeypointFrame.count
                return KeypointFrame.hasPose(keypoints, frame: frame)
                    && !joints.contains { joint in
                        let place = first + 3 * joint.rawValue
                        return keypoints[place + 2] > 0.3 && (0...1).contains(keypoints[place])
                            && (0...1).contains(keypoints[place + 1])
                    }
            }
        }
        return 2 * framesMissing([.nose, .leftEye, .rightEye, .leftEar, .rightEar]) > posedFrames
            || 2 * framesMissing([.leftKnee, .rightKnee, .leftAnkle, .rightAnkle]) > posedFrames
    }

    /// Whether nothing moves, as in a poster, a piece of furniture or a frozen picture: at most two joints change their
    /// place by more than 2 % of the body's size.
    var isStill: Bool {
        typealias Box = (low: SIMD2<Float>, high: SIMD2<Float>)
        let nothing: Box = (SIMD2(repeating: .infinity), SIMD2(repeating: -.infinity))
        var boxes = [Box](repeating: nothing, count: KeypointFrame.joints)
        for place in stride(from: 0, to: keypoints.count, by: 3) where keypoints[place + 2] > 0.3 {
            let point = SIMD2(keypoints[place] * aspect, keypoints[place + 1])
            let joint = place / 3 % KeypointFrame.joints
            boxes[joint] = (pointwiseMin(boxes[joint].low, point), pointwiseMax(boxes[joint].high, point))
        }
        let body = boxes.reduce(nothing) { (pointwiseMin($0.low, $1.low), pointwiseMax($0.high, $1.high)) }
        let least = 0.02 * (body.high - body.low).max()
        return boxes.count { ($0.high - $0.low).max() > least } <= 2
    }

    /// Mean confidence of all joints over the frames with a pose, 0…1.
    var visibility: Float {
        let sum = stride(from: 2, to: keypoints.count, by: 3).reduce(Float(0)) { $0 + keypoints[$1] }
        return sum / Float(max(posedFrames, 1) * 18)
    }
}
