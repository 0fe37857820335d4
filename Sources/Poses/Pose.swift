/// Where one joint was seen.
public struct Keypoint: Sendable, Equatable {
    /// Fraction of the picture's width from the left; may lie outside 0…1 when the joint is outside the picture.
    public var x: Float
    /// Fraction of the picture's height from the top.
    public var y: Float
    /// 0…1; 0 means never seen.
    public var confidence: Float

    public init(x: Float, y: Float, confidence: Float) {
        self.x = x
        self.y = y
        self.confidence = confidence
    }

    /// A joint that was not seen: all zeros, as Vision reports it.
    public static let missing = Keypoint(x: 0, y: 0, confidence: 0)
}

/// One person's joints in one picture.
public struct Pose: Sendable, Equatable {
    /// 18 key points in the order of ``Joint``.
    public var keypoints: [Keypoint]

    /// - Precondition: `keypoints.count == Joint.allCases.count`.
    public init(keypoints: [Keypoint]) {
        precondition(keypoints.count == Joint.allCases.count, "a pose has 18 key points")
        self.keypoints = keypoints
    }

    public subscript(joint: Joint) -> Keypoint { keypoints[joint.rawValue] }
}
