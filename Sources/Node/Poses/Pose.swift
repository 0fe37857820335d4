/// The position of one joint in a picture.
public struct Keypoint: Sendable, Equatable {
    /// Fraction of the picture's width, from the left. Outside 0…1 the joint is outside the picture.
    public var x: Float
    /// Fraction of the picture's height, from the top. Outside 0…1 the joint is outside the picture.
    public var y: Float
    /// Confidence of the position, 0…1; 0 means not seen.
    public var confidence: Float

    /// Creates a key point from its parts.
    public init(x: Float, y: Float, confidence: Float) {
        self.x = x
        self.y = y
        self.confidence = confidence
    }

    /// A joint that was not seen: all zeros, as Apple Vision reports it.
    public static let missing = Keypoint(x: 0, y: 0, confidence: 0)
}

/// One person's joints in one picture.
public struct Pose: Sendable, Equatable {
    /// 18 key points in the order of ``Joint``.
    public var keypoints: [Keypoint]

    /// Creates a pose from its key points.
    ///
    /// - Precondition: `keypoints.count == Joint.allCases.count`.
    public init(keypoints: [Keypoint]) {
        precondition(keypoints.count == Joint.allCases.count, "a pose has 18 key points")
        self.keypoints = keypoints
    }

    /// The key point of a joint.
    public subscript(joint: Joint) -> Keypoint { keypoints[joint.rawValue] }

    /// The midpoint of the hips, with the lower of their confidences; missing when either hip is.
    public var root: Keypoint { .middle(of: self[.leftHip], and: self[.rightHip]) }

    /// The area of the bounding box of all joints that were seen, as a fraction of the picture. Larger means nearer.
    public var area: Float {
        let seen = keypoints.filter { $0.confidence > 0 }
        guard let first = seen.first else { return 0 }
        var (left, right, top, bottom) = (first.x, first.x, first.y, first.y)
        for point in seen {
            left = min(left, point.x)
            right = max(right, point.x)
            top = min(top, point.y)
            bottom = max(bottom, point.y)
        }
        return (right - left) * (bottom - top)
    }
}

extension Keypoint {
    /// The midpoint of two key points, with the lower of their confidences; missing when either is.
    public static func middle(of a: Keypoint, and b: Keypoint) -> Keypoint {
        guard a.confidence > 0, b.confidence > 0 else { return .missing }
        return Keypoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, confidence: min(a.confidence, b.confidence))
    }
}
