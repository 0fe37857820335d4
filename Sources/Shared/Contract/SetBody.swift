import Records

/// One set in the `body` of a session record and in `spotter history sessions --json`.
public struct SetBody: Sendable, Codable, Equatable {
    /// The set's number, by which it is corrected. It counts the person's sets from 1.
    public var number: Int
    /// The exercise's label.
    public var label: String
    /// When the set began: RFC 3339, UTC.
    public var start: String
    /// When the set ended: RFC 3339, UTC.
    public var end: String
    /// The repetitions.
    public var reps: Int
    /// Seconds since the end of the session's previous set; `nil` for the first.
    public var restSeconds: Double?
    /// The score of its form, 0…100; `nil` when too little was seen, or when it was another exercise.
    public var form: Int?
    /// The zone in which most of the set took place; `nil` outside all zones.
    public var zone: String?
    /// What was recognised where a person corrected the set; `nil` for other sets.
    public var corrected: Recognised?
    /// The weight that was moved, kilograms, as a person entered it; `nil` where nobody did.
    public var loadKg: Double?
    /// The perceived exertion, 1…10 in steps of a half, as a person entered it: 10 less the repetitions that were left;
    /// `nil` where nobody did.
    public var rpe: Double?
    /// The probability that the set took place as it was recognised, 0…1; `nil` where a person corrected the exercise, and in
    /// records of earlier versions.
    public var confidence: Double?
    /// The true number of repetitions lies within so many of ``reps``, in about nine recordings of ten; `nil` where the exercise is held,
    /// where a person corrected the count, and in records of earlier versions.
    public var repsMargin: Int?
    /// Those of ``reps`` in which the left side worked, and the right one; the others are of both sides, or of one that was not
    /// seen. `nil` where no side is known, and where a person corrected the set.
    public var leftReps, rightReps: Int?

    /// The label and the count before a correction.
    public struct Recognised: Sendable, Codable, Equatable {
        /// The label that was recognised.
        public var label: String
        /// The repetitions that were counted.
        public var reps: Int

        /// What was recognised.
        package init(label: String, reps: Int) { (self.label, self.reps) = (label, reps) }
    }

    /// A set of these values.
    package init(
        number: Int, label: String, start: String, end: String, reps: Int, restSeconds: Double?, form: Int?,
        zone: String?, corrected: Recognised?, loadKg: Double? = nil, rpe: Double? = nil, confidence: Double? = nil,
        repsMargin: Int? = nil, leftReps: Int? = nil, rightReps: Int? = nil
    ) {
        (self.number, self.label, self.start, self.end, self.reps) = (number, label, start, end, reps)
        (self.restSeconds, self.form, self.zone) = (restSeconds, form, zone)
        (self.corrected, self.loadKg, self.rpe) = (corrected, loadKg, rpe)
        (self.confidence, self.repsMargin) = (confidence, repsMargin)
        (self.leftReps, self.rightReps) = (leftReps, rightReps)
    }

    enum CodingKeys: String, CodingKey {
        case number, label, start, end, reps, zone, corrected, rpe, confidence
        case form = "score"
        case restSeconds = "rest_s"
        case loadKg = "load_kg"
        case repsMargin = "reps_margin"
        case leftReps = "left_reps"
        case rightReps = "right_reps"
    }
}

extension SetBody {
    /// The largest load of a set, kilograms.
    package static let maximumLoadKg = 1000.0
    /// The schema of a load.
    package static let loadSchema = Schema.number(minimum: 0, maximum: maximumLoadKg)

    /// The perceived exertions of a set: 1…10, in steps of a half.
    package static let efforts = 1.0...10.0
    /// The schema of a perceived exertion.
    package static let rpeSchema = Schema.number(minimum: efforts.lowerBound, maximum: efforts.upperBound)

    /// The contract's schema of this body.
    package static let schema = Schema.object([
        ("number", .optional(.tally, "Counts the person's sets; absent in records of earlier versions.")),
        ("label", .required(.word)), ("start", .required(.moment)), ("end", .required(.moment)),
        ("reps", .required(.tally, "0 where the exercise is held: its length counts.")),
        ("rest_s", .optional(.seconds, "Since the session's previous set; absent for its first.")),
        ("score", .optional(.score, "No assessment of safety.")),
        ("zone", .optional(.id, "Where most of it took place; absent outside all zones.")),
        (
            "corrected",
            .optional(
                .object([("label", .required(.word)), ("reps", .required(.tally))]),
                "What was recognised, where a person corrected the set.")
        ), ("load_kg", .optional(loadSchema, "The weight that was moved; absent where nobody entered it.")),
        (
            "rpe",
            .optional(
                rpeSchema, "The perceived exertion in steps of a half, 10 for the most; absent where nobody entered it."
            )
        ),
        (
            "confidence",
            .optional(
                .share,
                "The probability that it took place as it was recognised; absent where a person corrected the exercise, and in records of earlier versions."
            )
        ),
        (
            "reps_margin",
            .optional(
                .tally,
                "The true number lies within so many of `reps`, in about nine recordings of ten; absent where the exercise is held, where a person corrected the set, and in records of earlier versions."
            )
        ),
        (
            "left_reps",
            .optional(
                .tally, "Those of `reps` in which the left side worked; absent where no side is known.")
        ),
        ("right_reps", .optional(.tally, "Those in which the right side worked. The others are of both or unseen.")),
    ])
}
