/// The dose of a plan, and the question after each step.
public struct WorkoutPrescription: Sendable, Equatable, Codable {
    /// On how many days a week it is to be done, 1…7.
    public var daysAWeek: Int
    /// The last day, `2026-12-31`; `nil` for no end.
    public var ends: String?
    /// Whether the pain, 0…10, is asked for after each step.
    public var asksPain: Bool
    /// The workout ends where the pain is above this, 0…10.
    public var painLimit: Int

    /// A prescription of these values.
    public init(daysAWeek: Int = 3, ends: String? = nil, asksPain: Bool = true, painLimit: Int = 5) {
        self.daysAWeek = daysAWeek
        self.ends = ends
        self.asksPain = asksPain
        self.painLimit = painLimit
    }

    enum CodingKeys: String, CodingKey {
        case ends
        case daysAWeek = "days_a_week"
        case asksPain = "asks_pain"
        case painLimit = "pain_limit"
    }
}

/// The side of the body that works in a step.
public enum WorkoutSide: String, Sendable, Codable, CaseIterable {
    case left, right
    /// One side after the other.
    case alternating
}

/// Why a workout ended.
public enum WorkoutEndReason: String, Sendable, Codable, CaseIterable {
    /// All steps are complete, or the time of the challenge is over.
    case completed
    /// A person stopped it.
    case stopped
    /// Nothing happened for a quarter of an hour.
    case abandoned
    /// The pain was above the limit of the prescription.
    case pain
    /// The recording ended.
    case sourceEnded = "source_ended"
}
