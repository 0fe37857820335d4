import Poses

/// A person's trunk in one picture. Lengths are in picture heights.
struct Trunk {
    /// Joints below this confidence count as not seen, as in ``BodyMeasures``.
    static let minimumConfidence: Float = 0.5
    /// The length of the trunk as a share of the person's height. In poses of rendered people it is 0.30 to 0.32.
    private static let shareOfHeight: Float = 0.305
    /// Shorter trunks are a few pixels long, and their proportions mean nothing.
    private static let minimumLength: Float = 0.01

    /// From the middle of the hips to the middle of the shoulders. Where one side is not seen, the other one stands
    /// for the middle.
    let length: Float
    /// The distance between the shoulders; `nil` unless both are seen.
    let shoulderWidth: Float?
    /// The distance between the hips; `nil` unless both are seen.
    let hipWidth: Float?

    /// - Parameter aspect: width divided by height of the picture.
    /// - Returns: `nil` without a shoulder or without a hip.
    init?(_ pose: Pose, aspect: Float) {
        func place(_ joint: Joint) -> SIMD2<Float>? { pose[joint].isSeen ? pose.place(of: joint, aspect: aspect) : nil }
        let shoulders = [Joint.rightShoulder, .leftShoulder].compactMap(place)
        let hips = [Joint.rightHip, .leftHip].compactMap(place)
        guard !shoulders.isEmpty, !hips.isEmpty else { return nil }
        length = (shoulders.middle - hips.middle).length
        guard length >= Self.minimumLength else { return nil }
        shoulderWidth = shoulders.count == 2 ? (shoulders[0] - shoulders[1]).length : nil
        hipWidth = hips.count == 2 ? (hips[0] - hips[1]).length : nil
    }

    /// The length of a trunk that is not foreshortened; `nil` unless most of the poses show the trunk.
    static func fullLength(_ trunks: [Trunk], of poses: Int) -> Float? {
        guard !trunks.isEmpty, 2 * trunks.count > poses else { return nil }
        // A person who bends towards the camera has a short trunk. So the longest ones count, without outliers.
        return trunks.map(\.length).quantile(0.9)
    }

    /// The height of a standing person with this trunk, in picture heights.
    static func bodyHeight(trunk length: Float) -> Float { length / shareOfHeight }
}

extension Pose {
    /// The position of a joint in picture heights from the top left; `nil` if it has none.
    func place(of joint: Joint, aspect: Float) -> SIMD2<Float>? {
        let point = self[joint]
        return point.hasPlace ? SIMD2(point.x * aspect, point.y) : nil
    }

    /// The mean position of those of some joints that have one, in picture heights; `nil` if none has.
    package func middle(of joints: [Joint], aspect: Float) -> SIMD2<Float>? {
        let places = joints.compactMap { place(of: $0, aspect: aspect) }
        return places.isEmpty ? nil : places.middle
    }
}

extension Keypoint {
    /// Positions further outside, in picture sizes, are errors.
    private static let farthest: Float = 10

    /// Whether the detector gave a position at all. Joints outside the picture have one, with a low confidence.
    var hasPlace: Bool {
        // NaN fails every comparison.
        confidence > 0 && confidence.isFinite && abs(x) <= Self.farthest && abs(y) <= Self.farthest
    }

    /// Whether the detector is sure of the position.
    var isSeen: Bool { hasPlace && confidence >= Trunk.minimumConfidence }
}

extension SIMD2<Float> {
    var length: Float { (self * self).sum().squareRoot() }
}

extension [SIMD2<Float>] {
    /// The mean of the points, of which there must be at least one.
    var middle: SIMD2<Float> { reduce(.zero, +) / Float(count) }
}

extension [Float] {
    /// The value below which a share of the values lies; `nil` without values.
    func quantile(_ share: Double) -> Float? {
        isEmpty ? nil : sorted()[Swift.min(Int(share * Double(count)), count - 1)]
    }
}
