import Poses

/// How a body lies in the picture: what tells a lying person from one who stands, sits or props themselves up.
///
/// Lengths are in picture heights; rises count upwards.
struct BodyExtent {
    /// Joints below this confidence are not used. It is lower than elsewhere: the detector is unsure of people who lie.
    private static let minimumConfidence: Float = 0.3
    /// Where only the knees are seen, the hips' height above the floor as a multiple of that above the knees.
    private static let hipOverKnee: Float = 1.8
    /// A standing person's height, from ankle to the highest joint of the head, in trunks. Of rendered people: 2.8 to 3.1.
    private static let heightInTrunks: Float = 2.9
    /// The length of the legs in trunks. Of rendered people: 1.4 to 1.7.
    private static let legsInTrunks: Float = 1.6

    /// The joints that are seen, in the order of ``Joint``; `nil` for others.
    let places: [SIMD2<Float>?]
    /// From the lowest joint to the highest.
    let height: Float
    /// The length of the trunk in the picture.
    let trunk: Float
    /// The height of the shoulders above the hips.
    let trunkRise: Float
    /// The height of the hips above the ankles; `nil` where neither ankle nor knee is seen.
    let legRise: Float?
    /// How far the knees are below the hips; 0 where no knee is seen.
    let kneeDrop: Float
    /// The height of a shoulder above its hand, and above its elbow, of the side with more; 0 where neither is seen.
    let armRise, elbowRise: Float
    /// The length of the longer leg.
    private let legs: Float
    private let isSure: Bool

    /// - Parameter aspect: width divided by height of the picture.
    /// - Returns: `nil` without a shoulder or without a hip.
    init?(_ pose: Pose, aspect: Float) {
        let places = Joint.allCases.map { joint in
            pose[joint].confidence >= Self.minimumConfidence ? pose.place(of: joint, aspect: aspect) : nil
        }
        func seen(_ joints: [Joint]) -> [SIMD2<Float>] { joints.compactMap { places[$0.rawValue] } }
        func bone(_ one: Joint, _ other: Joint) -> Float {
            guard let a = places[one.rawValue], let b = places[other.rawValue] else { return 0 }
            return (a - b).length
        }
        // Each side by itself: the shoulders of who lies on a side are above each other.
        func rise(_ sides: [(Joint, Joint)]) -> Float {
            sides.compactMap { shoulder, other in
                places[shoulder.rawValue].flatMap { upper in places[other.rawValue].map { $0.y - upper.y } }
            }.max() ?? 0
        }
        let (upper, lower) = (seen([.rightShoulder, .leftShoulder]), seen([.rightHip, .leftHip]))
        guard !upper.isEmpty, !lower.isEmpty else { return nil }
        let (shoulders, hips) = (upper.middle, lower.middle)
        let (ankles, knees) = (seen([.rightAnkle, .leftAnkle]), seen([.rightKnee, .leftKnee]))
        let heights = places.compactMap { $0?.y }
        self.places = places
        height = (heights.max() ?? 0) - (heights.min() ?? 0)
        trunk = (shoulders - hips).length
        trunkRise = hips.y - shoulders.y
        kneeDrop = knees.isEmpty ? 0 : knees.middle.y - hips.y
        legRise = !ankles.isEmpty ? ankles.middle.y - hips.y : !knees.isEmpty ? kneeDrop * Self.hipOverKnee : nil
        armRise = rise([(.rightShoulder, .rightWrist), (.leftShoulder, .leftWrist)])
        elbowRise = rise([(.rightShoulder, .rightElbow), (.leftShoulder, .leftElbow)])
        legs =
            max(bone(.rightHip, .rightKnee), bone(.leftHip, .leftKnee))
            + max(bone(.rightKnee, .rightAnkle), bone(.leftKnee, .leftAnkle))
        isSure = pose.meanConfidence > 0.5
    }

    /// Whether the person stands.
    var isUpright: Bool {
        guard let legRise else { return false }
        return isSure && trunkRise > 0.8 * trunk && legRise > trunk && height > 2.2 * trunk
    }

    /// The length of the trunk that this picture speaks for, where the person was never seen standing.
    var likelyTrunk: Float { max(trunk, legs / Self.legsInTrunks) }

    /// The height of a standing person with this trunk.
    static func height(ofTrunk trunk: Float) -> Float { trunk * heightInTrunks }

    /// The middle of all joints that are seen.
    var middle: SIMD2<Float> { places.compactMap(\.self).middle }
}
