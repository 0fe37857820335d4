/// A fixed number of poses of one person, evenly spaced in time: what the classifier sees.
public struct PoseWindow: Sendable, Equatable {
    /// The person; `nil` for a window in which nobody is followed.
    public let track: Int?
    /// The time of the first and of the last frame, seconds on the source's clock.
    public let start: Double
    public let end: Double
    /// `[frames, 18, 3]`, row-major: x and y as fractions of the picture (from the top left), confidence.
    /// A frame without a pose is all zeros, as in the reference system.
    public let keypoints: [Float]
    /// How many of the frames hold a real pose.
    public let posedFrames: Int
    /// Width divided by height of the picture, which turns fractions into comparable lengths.
    public let aspect: Float

    public init(track: Int?, start: Double, end: Double, keypoints: [Float], posedFrames: Int, aspect: Float) {
        self.track = track
        self.start = start
        self.end = end
        self.keypoints = keypoints
        self.posedFrames = posedFrames
        self.aspect = aspect
    }

    public var frames: Int { keypoints.count / 54 }

    /// Mean confidence of all joints over the frames that hold a pose, 0…1.
    var visibility: Float {
        let sum = stride(from: 2, to: keypoints.count, by: 3).reduce(Float(0)) { $0 + keypoints[$1] }
        return sum / Float(max(posedFrames, 1) * 18)
    }
}
