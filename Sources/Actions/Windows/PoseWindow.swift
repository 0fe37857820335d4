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

    /// Creates a window from its parts.
    public init(
        track: Int?, start: Double, end: Double, keypoints: [Float], context: [Float] = [], posedFrames: Int,
        aspect: Float
    ) {
        self.track = track
        self.start = start
        self.end = end
        self.keypoints = keypoints
        self.context = context
        self.posedFrames = posedFrames
        self.aspect = aspect
    }

    /// The number of frames.
    public var frames: Int { keypoints.count / 54 }

    /// Whether the head or the legs are outside of the picture, or not seen, in most frames with a pose.
    var isCutOff: Bool {
        let (head, legs) = ([0, 14, 15, 16, 17], [9, 10, 12, 13])
        func framesMissing(_ joints: [Int]) -> Int {
            (0..<frames).count { frame in
                let first = frame * KeypointFrame.count
                return KeypointFrame.hasPose(keypoints, frame: frame)
                    && !joints.contains { joint in
                        let place = first + 3 * joint
                        return keypoints[place + 2] > 0.3 && (0...1).contains(keypoints[place])
                            && (0...1).contains(keypoints[place + 1])
                    }
            }
        }
        return 2 * framesMissing(head) > posedFrames || 2 * framesMissing(legs) > posedFrames
    }

    /// Mean confidence of all joints over the frames with a pose, 0…1.
    var visibility: Float {
        let sum = stride(from: 2, to: keypoints.count, by: 3).reduce(Float(0)) { $0 + keypoints[$1] }
        return sum / Float(max(posedFrames, 1) * 18)
    }
}
