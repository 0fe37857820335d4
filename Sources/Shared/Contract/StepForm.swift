/// What was measured in the repetitions of a step.
public struct StepForm: Sendable, Equatable, Codable {
    /// A mean over the repetitions, or a change from the first to the last of them.
    public struct Value: Sendable, Equatable, Codable {
        /// The name of the measurement.
        public var measure: String
        /// The value in ``unit``.
        public var value: Double
        /// The standard error, in the same unit.
        public var uncertainty: Double
        /// The unit of both.
        public var unit: String
        /// The repetitions with a reading.
        public var reps: Int

        /// A value of these parts.
        public init(measure: String, value: Double, uncertainty: Double, unit: String, reps: Int) {
            self.measure = measure
            self.value = value
            self.uncertainty = uncertainty
            self.unit = unit
            self.reps = reps
        }
    }

    /// The range of motion; `nil` when it could not be measured.
    public var range: Value?
    /// The duration of a repetition; `nil` without repetitions.
    public var tempo: Value?
    /// How the range changed from the first to the last repetition; `nil` below five readings.
    public var rangeDrift: Value?
    /// How the duration changed from the first to the last repetition; `nil` below five repetitions.
    public var tempoDrift: Value?
    /// The score of the whole, 0…100; `nil` when too little was seen.
    public var whole: Int?
    /// The score of range and repetitions, 0…100; `nil` when the range could not be judged.
    public var primary: Int?
    /// The score of trunk, symmetry and tempo, 0…100; `nil` when none of them could be judged.
    public var control: Int?
    /// Repetitions that miss the standard of the step or are of the other side, and those that count because that could not be
    /// judged; `nil` where each counts.
    public var noReps, unjudged: Int?
    /// How fast the repetitions went up, in percent of the fastest of the first three; the first ``maximumSpeeds``.
    public var speeds: [Int]?
    /// By which share the last two are slower than the fastest of the first three; `nil` below four repetitions.
    public var speedLoss: Value?

    /// Repetitions of the left side and of the right one, those that do not count among them; `nil` where no side is known.
    public var leftReps, rightReps: Int?

    /// So many speeds are kept.
    package static let maximumSpeeds = 100

    /// Sums of these values.
    package init(
        range: Value?, tempo: Value?, rangeDrift: Value?, tempoDrift: Value?, whole: Int?, primary: Int?, control: Int?
    ) {
        (self.range, self.tempo, self.rangeDrift, self.tempoDrift) = (range, tempo, rangeDrift, tempoDrift)
        (self.whole, self.primary, self.control) = (whole, primary, control)
    }

    enum CodingKeys: String, CodingKey {
        case range, tempo, whole, primary, control
        case rangeDrift = "range_drift"
        case tempoDrift = "tempo_drift"
        case noReps = "no_reps"
        case unjudged = "unjudged_reps"
        case speeds = "speeds_percent"
        case speedLoss = "speed_loss"
        case leftReps = "left_reps"
        case rightReps = "right_reps"
    }
}
