import Records

/// The `body` of a workout record, and a workout in `spotter history workouts --json`.
public struct WorkoutBody: Sendable, Codable, Equatable {
    /// The camera's id.
    public var camera: String
    /// The plan's id: the name of its file.
    public var plan: String
    /// The plan's name, as people see it.
    public var planName: String
    /// The name that a person typed; `nil` for none.
    public var name: String?
    /// What public places show in the place of the name; `nil` for nothing.
    public var nickname: String?
    /// `true` for a plan of which public places show nothing; `nil` for any other.
    public var isPrivate: Bool?
    /// When the workout was started: RFC 3339, UTC.
    public var start: String
    /// When it ended, or while it is open when something last happened: RFC 3339, UTC.
    public var end: String
    /// Why it ended; `nil` while it is open.
    public var endReason: String?
    /// What a therapist prescribes; `nil` for a plan that nobody prescribed.
    public var prescription: WorkoutPrescription?
    /// The length of a challenge in seconds; `nil` for a usual plan.
    public var challengeSeconds: Double?
    /// The number of steps that are complete.
    public var completedSteps: Int
    /// The repetitions of all steps.
    public var reps: Int
    /// The steps of all rounds.
    public var steps: [Step]

    /// One step: planned and done.
    public struct Step: Sendable, Codable, Equatable {
        /// The round, from 1.
        public var round: Int
        /// The exercise's label.
        public var action: String
        /// `left`, `right` or `alternating`; `nil` for both sides.
        public var side: String?
        /// Planned repetitions; `nil` for another kind of step.
        public var plannedReps: Int?
        /// Planned seconds of exercise; `nil` for another kind of step.
        public var plannedSeconds: Double?
        /// Planned seconds of rest after the step.
        public var plannedRestSeconds: Double
        /// When the exercise was recognised first: RFC 3339, UTC; `nil` before.
        public var start: String?
        /// When the step was complete or broken off: RFC 3339, UTC; `nil` before.
        public var end: String?
        /// The repetitions counted.
        public var reps: Int
        /// Seconds in which the exercise was recognised.
        public var seconds: Double
        /// Seconds from the end of the step before; `nil` for the first step and before the start.
        public var restBeforeSeconds: Double?
        /// The score of its form, 0…100; `nil` when too little was seen.
        public var form: Int?
        /// What was measured in its repetitions; `nil` when nothing was.
        public var measured: StepForm?
        /// The wanted range of motion and seconds of a repetition, each from and to; `nil` for the usual ones.
        public var rangeLeast, rangeMost, secondsLeast, secondsMost: Double?
        /// What a repetition had to show to count: `strict`; `nil` where every one counts.
        public var standard: String?
        /// The most degrees of bend at the end of a repetition that counts; `nil` for the usual.
        public var lockOut: Double?
        /// From how many percent slower on the step had to end; `nil` for never.
        public var stopAtSlower: Double?
        /// Why it ended before what was planned was done: `slower`; `nil` for another reason.
        public var stopped: String?
        /// What was said in it.
        public var cues: [String]?
        /// The pain that a person stated after it, 0…10; `nil` for no answer.
        public var pain: Int?
        /// Whether a person skipped it.
        public var skipped: Bool
        /// Whether what was planned is done.
        public var complete: Bool

        /// A step of these values.
        package init(
            round: Int, action: String, side: String?, plannedReps: Int?, plannedSeconds: Double?,
            plannedRestSeconds: Double, start: String?, end: String?, reps: Int, seconds: Double,
            restBeforeSeconds: Double?, form: Int?, measured: StepForm?, rangeLeast: Double?, rangeMost: Double?,
            secondsLeast: Double?, secondsMost: Double?, cues: [String]?, pain: Int?, skipped: Bool, complete: Bool
        ) {
            (self.round, self.action, self.side, self.plannedReps) = (round, action, side, plannedReps)
            (self.plannedSeconds, self.plannedRestSeconds) = (plannedSeconds, plannedRestSeconds)
            (self.start, self.end, self.reps, self.seconds) = (start, end, reps, seconds)
            (self.restBeforeSeconds, self.form, self.measured) = (restBeforeSeconds, form, measured)
            (self.rangeLeast, self.rangeMost) = (rangeLeast, rangeMost)
            (self.secondsLeast, self.secondsMost) = (secondsLeast, secondsMost)
            (self.cues, self.pain, self.skipped, self.complete) = (cues, pain, skipped, complete)
        }

        enum CodingKeys: String, CodingKey {
            case round, action, side, start, end, reps, seconds, skipped, complete, measured, cues, pain
            case standard, stopped
            case lockOut = "lock_out"
            case stopAtSlower = "stop_at_slower"
            case rangeLeast = "range_least"
            case rangeMost = "range_most"
            case secondsLeast = "seconds_least"
            case secondsMost = "seconds_most"
            case plannedReps = "planned_reps"
            case plannedSeconds = "planned_s"
            case plannedRestSeconds = "planned_rest_s"
            case restBeforeSeconds = "rest_before_s"
            case form = "score"
        }
    }

    /// A workout of these values.
    package init(
        camera: String, plan: String, planName: String, name: String?, nickname: String?, isPrivate: Bool?,
        start: String, end: String, endReason: String?, prescription: WorkoutPrescription?, challengeSeconds: Double?,
        completedSteps: Int, reps: Int, steps: [Step]
    ) {
        (self.camera, self.plan, self.planName, self.name) = (camera, plan, planName, name)
        (self.nickname, self.isPrivate, self.start, self.end) = (nickname, isPrivate, start, end)
        (self.endReason, self.prescription) = (endReason, prescription)
        (self.challengeSeconds, self.completedSteps) = (challengeSeconds, completedSteps)
        (self.reps, self.steps) = (reps, steps)
    }

    enum CodingKeys: String, CodingKey {
        case camera, plan, name, nickname, start, end, reps, steps, prescription
        case isPrivate = "private"
        case planName = "plan_name"
        case endReason = "end_reason"
        case challengeSeconds = "challenge_s"
        case completedSteps = "completed_steps"
    }
}

extension WorkoutBody {
    /// The contract's schema of this body.
    package static let schema = Schema.object([
        ("camera", .required(.id)), ("plan", .required(.word)), ("plan_name", .required(.title)),
        ("name", .optional(.name, "What a person typed; nobody is recognised. Never of a private workout.")),
        ("nickname", .optional(.name, "What public places show in its place.")),
        ("private", .optional(.flag, "True for a plan whose name and pain stay on the node.")),
        ("start", .required(.moment)),
        ("end", .required(.moment)),
        (
            "end_reason",
            .optional(
                .text(words: WorkoutEndReason.allCases.map(\.rawValue), limit: .word), "Absent while it goes on.")
        ),
        ("prescription", .optional(prescriptionSchema, "Absent where nobody prescribed the plan.")),
        ("challenge_s", .optional(.seconds, "As many repetitions as possible in this time.")),
        ("completed_steps", .required(.tally)), ("reps", .required(.tally)), ("steps", .required(.list(stepSchema))),
    ])

    private static let stepSchema = Schema.object([
        ("round", .required(.integer(minimum: 1, maximum: 1000))), ("action", .required(.word)),
        ("side", .optional(.text(words: WorkoutSide.allCases.map(\.rawValue), limit: .word), "Absent for both.")),
        ("planned_reps", .optional(.tally)), ("planned_s", .optional(.seconds)),
        ("planned_rest_s", .required(.seconds, "After the step.")), ("start", .optional(.moment)),
        ("end", .optional(.moment)), ("reps", .required(.tally)), ("seconds", .required(.seconds)),
        ("rest_before_s", .optional(.seconds, "Since the end of the step before.")),
        ("score", .optional(.score, "No assessment of safety.")),
        ("measured", .optional(measuredSchema, "Absent when nothing was measured.")),
        ("range_least", .optional(.measure, "The wanted range of motion.")), ("range_most", .optional(.measure)),
        ("seconds_least", .optional(.seconds, "The wanted seconds of a repetition.")),
        ("seconds_most", .optional(.seconds)),
        ("standard", .optional(.text(words: ["strict"], limit: .word), "Absent where every repetition counts.")),
        ("lock_out", .optional(.measure, "The most degrees of bend at the end of a repetition that counts.")),
        ("stop_at_slower", .optional(.measure, "The step ends when the repetitions are so many percent slower.")),
        ("stopped", .optional(.text(words: ["slower"], limit: .word), "Why it ended early.")),
        ("cues", .optional(.list(.text(limit: .cue)), "What was said.")),
        ("pain", .optional(.integer(minimum: 0, maximum: 10), "As a person stated it after the step.")),
        ("skipped", .required(.flag)), ("complete", .required(.flag)),
    ])

    private static let prescriptionSchema = Schema.object([
        ("days_a_week", .required(.integer(minimum: 1, maximum: 7))),
        ("ends", .optional(.word, "The last day, such as 2026-12-31.")), ("asks_pain", .required(.flag)),
        ("pain_limit", .required(.integer(minimum: 0, maximum: 10))),
    ])

    private static let measuredSchema = Schema.object([
        ("range", .optional(valueSchema, "The range of motion.")), ("tempo", .optional(valueSchema)),
        ("range_drift", .optional(valueSchema, "From the first to the last repetition.")),
        ("tempo_drift", .optional(valueSchema)), ("whole", .optional(.score)),
        ("primary", .optional(.score, "Range and repetitions.")),
        ("control", .optional(.score, "Trunk, symmetry and tempo.")),
        (
            "no_reps",
            .optional(.tally, "Repetitions that miss the standard or are of the other side; reps counts the others.")
        ),
        ("unjudged_reps", .optional(.tally, "Count, because the standard could not be judged.")),
        ("speeds_percent", .optional(.list(.tally), "Of the way up, by the fastest of the first three.")),
        ("left_reps", .optional(.tally, "Repetitions of the left side; absent where no side is known.")),
        ("right_reps", .optional(.tally, "Repetitions of the right side.")),
        ("speed_loss", .optional(valueSchema, "The last two repetitions by the fastest of the first three.")),
    ])

    private static let valueSchema = Schema.object([
        ("measure", .required(.word)), ("value", .required(.measure)),
        ("uncertainty", .required(.number(minimum: 0, maximum: 1e8), "The standard error.")),
        ("unit", .required(.word)),
        ("reps", .required(.tally, "With a reading.")),
    ])
}
