import Poses

/// The angle of a joint at the extreme of a repetition.
struct JointAngle {
    /// The end of the first limb, the joint, and the end of the second limb, of the right side.
    private let joints: (Joint, Joint, Joint)
    /// Whether both limbs point to the same side of the picture's plane when it bends: knees and hips do.
    private let bendsOneWay: Bool
    /// Whether the angle is 0 on a line, and not 180.
    private let isFlexion: Bool

    /// Frames before and after the extreme among which the joint may be bent most, in seconds.
    private static let reachSeconds = 0.25
    /// A limb with a smaller share of its length in the picture points too much to the camera.
    private static let minimumShare: Float = 0.75
    /// A leg kneels where its knee is less than this share of the shin above the ankle.
    private static let minimumShinHeight: Float = 0.5
    /// The standard error in degrees where all limbs lie in the picture's plane.
    private static let planeError = 6.0
    /// The standard error in degrees that comes in addition where a limb points straight to the camera.
    private static let depthError = 8.0

    /// - Returns: `nil` for a measurement that is no angle of a joint.
    init?(_ measurement: FormMeasurement) {
        switch measurement {
        case .kneeFlexion: (joints, bendsOneWay, isFlexion) = ((.rightHip, .rightKnee, .rightAnkle), true, true)
        case .hipFlexion: (joints, bendsOneWay, isFlexion) = ((.rightShoulder, .rightHip, .rightKnee), true, true)
        case .elbowFlexion:
            (joints, bendsOneWay, isFlexion) = ((.rightShoulder, .rightElbow, .rightWrist), false, true)
        case .shoulderElevation:
            (joints, bendsOneWay, isFlexion) = ((.rightHip, .rightShoulder, .rightElbow), false, false)
        // The angle in the picture: a limb that looks a little shorter than it is would bend a straight joint in space.
        case .kneeLockOut: (joints, bendsOneWay, isFlexion) = ((.rightHip, .rightKnee, .rightAnkle), false, true)
        case .elbowLockOut:
            (joints, bendsOneWay, isFlexion) = ((.rightShoulder, .rightElbow, .rightWrist), false, true)
        default: return nil
        }
    }

    /// The mean over the sides that can be measured, weighted by how exact they are.
    func reading(
        at extreme: Int, in span: ClosedRange<Int>, _ body: BodyMeasures
    ) -> Result<RepetitionMeasures.Reading, RepetitionMeasures.Missing> {
        let reach = max(1, Int((Self.reachSeconds * body.rate).rounded()))
        let near = max(extreme - reach, span.lowerBound)...min(extreme + reach, span.upperBound)
        return reading(in: near, body) { isFlexion ? $0 < $1 : $0 > $1 }
    }

    /// The bend where it is least in a span. What looks straight may be bent towards the camera, so this errs for the person.
    func straightest(
        in span: ClosedRange<Int>, _ body: BodyMeasures
    ) -> Result<RepetitionMeasures.Reading, RepetitionMeasures.Missing> { reading(in: span, body, best: >) }

    private func reading(
        in near: ClosedRange<Int>, _ body: BodyMeasures, best isBetter: (Float, Float) -> Bool
    ) -> Result<RepetitionMeasures.Reading, RepetitionMeasures.Missing> {
        let sides = body.sides([joints.0, joints.1, joints.2], in: near)
        guard !sides.isEmpty else { return .failure(.jointsUnseen) }
        let found = sides.compactMap { side in reading(side, near, body, isBetter) }
        guard !found.isEmpty else { return .failure(.foreshortened) }
        let weights = found.map { 1 / ($0.uncertainty * $0.uncertainty) }
        let sum = weights.reduce(0, +)
        let value = zip(found, weights).reduce(0) { $0 + $1.0.value * $1.1 } / sum
        // The errors of both sides come from the same view, so two sides are not better than the better one.
        return .success(.init(value, uncertainty: found.map(\.uncertainty).min() ?? 0))
    }

    private func reading(
        _ side: (Joint) -> Joint, _ near: ClosedRange<Int>, _ body: BodyMeasures,
        _ isBetter: (Float, Float) -> Bool
    ) -> RepetitionMeasures.Reading? {
        guard let one = body.limb(side(joints.1), side(joints.0)), let other = body.limb(side(joints.1), side(joints.2))
        else { return nil }
        let angles = near.map { frame in
            bendsOneWay
                ? body.angleInSpace(one, other, frame)
                : body.angle(side(joints.0), side(joints.1), side(joints.2), frame)
        }
        // The middle of five frames around the strongest bend, where a single wrong frame does not count.
        let smooth = angles.indices.map { index in
            angles[max(0, index - 2)...min(angles.count - 1, index + 2)].sorted().middle
        }
        let best = smooth.indices.min { isBetter(smooth[$0], smooth[$1]) } ?? 0
        let frame = near.lowerBound + best
        // The shin of a leg that kneels does not point the way of its thigh.
        let isKneeling =
            joints.1 == .rightKnee
            && body.place(side(.rightKnee), frame).y - body.place(side(.rightAnkle), frame).y
                < Self.minimumShinHeight * other.length
        guard !isKneeling else { return nil }
        let share = min(body.projectedShare(one, frame), body.projectedShare(other, frame))
        // From behind, the hips hide the knee of a thigh that points away, and the pose network guesses it.
        let isInSight = bendsOneWay && !body.isFromBehind
        guard isInSight || share >= Self.minimumShare else { return nil }
        let depth = Self.depthError * Double(1 - share)
        let value = isFlexion ? 180 - smooth[best] : smooth[best]
        return .init(Double(value), uncertainty: (Self.planeError * Self.planeError + depth * depth).squareRoot())
    }
}

extension [Float] {
    /// The middle value of sorted values.
    fileprivate var middle: Float { self[count / 2] }
}
