/// What is measured in a repetition. The raw value is its name in rule files, records and messages.
public enum FormMeasurement: String, Sendable, CaseIterable, Codable, CodingKeyRepresentable {
    /// The bend of the knee at the extreme, in degrees; 0 is straight.
    case kneeFlexion = "knee_flexion"
    /// The bend of the hip at the extreme, in degrees; 0 is straight.
    case hipFlexion = "hip_flexion"
    /// The bend of the elbow at the extreme, in degrees; 0 is straight.
    case elbowFlexion = "elbow_flexion"
    /// The angle between trunk and upper arm at the extreme, in degrees; 0 hangs down.
    case shoulderElevation = "shoulder_elevation"
    /// The share of its height above the ankle by which the hip comes down.
    case hipDrop = "hip_drop"
    /// The share of its height above the wrist by which the shoulder comes down.
    case shoulderDrop = "shoulder_drop"
    /// The rise of the shoulders above the hips, in trunk lengths.
    case trunkRise = "trunk_rise"
    /// The rise of the wrists relative to the shoulders, in arm lengths.
    case wristRise = "wrist_rise"
    /// The vertical travel of the hip, in body sizes.
    case hipTravel = "hip_travel"
    /// The greatest angle between trunk and vertical, in degrees.
    case trunkLean = "trunk_lean"
    /// The bend of the line from shoulder over hip to ankle, in degrees; 0 is straight.
    case bodyBend = "body_bend"
    /// The bend of the knee where it is straightest, in degrees.
    case standingBend = "standing_bend"
    /// The bend of the knee where it is straightest from the extreme to the next repetition, in degrees.
    case kneeLockOut = "knee_lock_out"
    /// The bend of the elbow where it is straightest from the extreme to the next repetition, in degrees.
    case elbowLockOut = "elbow_lock_out"
    /// How far the front knee is in front of its ankle, in shin lengths.
    case kneeOverToes = "knee_over_toes"
    /// How far the hands come above the nose, in body sizes.
    case handHeight = "hand_height"
    /// The vertical travel of the ankle, in body sizes.
    case footLift = "foot_lift"
    /// The mean difference in height of left and right, in body sizes.
    case asymmetry
    /// The duration in seconds.
    case seconds
    /// Seconds in which the body is lowered.
    case loweringSeconds = "lowering_seconds"
    /// Seconds at the extreme.
    case holdSeconds = "hold_seconds"
    /// Seconds in which the body is raised.
    case raisingSeconds = "raising_seconds"
    /// The mean speed on the way up, in body sizes a second.
    case raisingSpeed = "raising_speed"
    /// The share by which the last two repetitions go up slower than the fastest of the first three.
    case speedLoss = "speed_loss"
    /// The time for lowering divided by the time for raising.
    case loweringRatio = "lowering_ratio"
    /// The deviation of the duration from the set's median, as a share of it.
    case rhythm
    /// The distance from the coach's nearest repetition, in units of the coach's own spread.
    case coachDistance = "coach_distance"
    /// The distance from one's own first repetitions, in units of their spread.
    case ownDistance = "own_distance"
    /// The side that works: -1 is left, 1 is right, 0 is both. Between them it is unsure.
    case workingSide = "working_side"

    /// The straight joints at the end of a repetition. They are known when it is over, the others at its extreme.
    package static let lockOuts: Set<FormMeasurement> = [.kneeLockOut, .elbowLockOut]

    /// The name for people: `Knee flexion`.
    public var title: String {
        let words = rawValue.replacing("_", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// The unit of the values.
    public enum Unit: String, Sendable, Codable {
        case degrees, seconds, share, ratio
        case bodySizes = "body_sizes"
        case armLengths = "arm_lengths"
        case trunkLengths = "trunk_lengths"
        case shinLengths = "shin_lengths"
        case bodySizesPerSecond = "body_sizes_per_second"
    }

    /// The unit of the values.
    public var unit: Unit {
        switch self {
        case .kneeFlexion, .hipFlexion, .elbowFlexion, .shoulderElevation, .trunkLean, .bodyBend, .standingBend,
            .kneeLockOut, .elbowLockOut:
            .degrees
        case .seconds, .loweringSeconds, .holdSeconds, .raisingSeconds: .seconds
        case .hipDrop, .shoulderDrop, .rhythm, .speedLoss: .share
        case .wristRise: .armLengths
        case .kneeOverToes: .shinLengths
        case .trunkRise: .trunkLengths
        case .hipTravel, .handHeight, .footLift, .asymmetry: .bodySizes
        case .loweringRatio, .coachDistance, .ownDistance, .workingSide: .ratio
        case .raisingSpeed: .bodySizesPerSecond
        }
    }

    /// What people call it.
    public var words: String {
        switch self {
        case .kneeFlexion: "knee bend"
        case .hipFlexion: "hip bend"
        case .elbowFlexion: "elbow bend"
        case .shoulderElevation: "arm height"
        case .hipDrop, .shoulderDrop, .hipTravel: "depth"
        case .trunkRise, .wristRise: "range of motion"
        case .trunkLean: "upright trunk"
        case .bodyBend: "straight body line"
        case .standingBend: "standing up straight"
        case .kneeLockOut: "knee at the end"
        case .elbowLockOut: "elbow at the end"
        case .kneeOverToes: "knee behind the toes"
        case .handHeight: "hands above the head"
        case .footLift: "feet on the floor"
        case .asymmetry: "left and right alike"
        case .seconds: "tempo"
        case .loweringSeconds: "time down"
        case .holdSeconds: "time held"
        case .raisingSeconds: "time up"
        case .raisingSpeed: "speed up"
        case .speedLoss: "slower"
        case .loweringRatio: "time down and up"
        case .rhythm: "even rhythm"
        case .coachDistance: "like the coach"
        case .ownDistance: "like the first repetitions"
        case .workingSide: "side"
        }
    }

    /// A value as people read it: `85°`, `2.1 s`, `40 %`.
    public func text(_ value: Double) -> String {
        switch unit {
        case .degrees: "\(Int(value.rounded()))°"
        case .seconds: "\((value * 10).rounded() / 10) s"
        case .share: "\(Int((100 * value).rounded())) %"
        case .ratio, .bodySizes, .armLengths, .trunkLengths, .shinLengths, .bodySizesPerSecond:
            "\((value * 100).rounded() / 100)"
        }
    }

    /// A value with its standard error: `85 ± 5°`, `2.1 ± 0.1 s`.
    public func text(_ value: Double, uncertainty: Double) -> String {
        func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
        return switch unit {
        case .degrees: "\(Int(value.rounded())) ± \(Int(uncertainty.rounded(.up)))°"
        case .seconds: "\(tenths(value)) ± \(max(0.1, tenths(uncertainty))) s"
        case .share: "\(Int((100 * value).rounded())) ± \(Int((100 * uncertainty).rounded(.up))) %"
        case .ratio, .bodySizes, .armLengths, .trunkLengths, .shinLengths, .bodySizesPerSecond:
            "\(rounded(value)) ± \(rounded(uncertainty))"
        }
    }

    /// The views from which one camera can measure it. From others there is no reading.
    ///
    /// Angles in the direction of walking are hidden from the front; only knees and hips have known directions of bending,
    /// so their depth follows from the lengths of the limbs. That says little of a knee that is almost straight. Heights and
    /// times hardly depend on the view.
    public var views: Set<CameraView> {
        switch self {
        case .trunkLean, .bodyBend, .kneeOverToes, .kneeLockOut: [.side, .turned]
        case .kneeFlexion, .hipFlexion, .elbowFlexion, .shoulderElevation, .standingBend, .elbowLockOut:
            [.side, .turned, .front]
        case .asymmetry: [.front, .turned]
        default: Set(CameraView.allCases)
        }
    }
}
