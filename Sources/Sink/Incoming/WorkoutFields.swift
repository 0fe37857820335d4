/// The body of a workout.
package struct WorkoutFields: Sendable, Equatable {
    /// The most steps that one workout may have.
    static let maximumSteps = 1000

    let camera: String
    let start: Moment
    let end: Moment
    let endReason: String?
    let plan: String
    let planName: String
    /// What somebody typed; `nil` for none.
    let name: String?
    let challengeSeconds: Double?
    let steps: [StepFields]
}

/// One step of a workout.
package struct StepFields: Sendable, Equatable {
    let round: Int64
    let action: String
    let side: String?
    let plannedReps: Int64?
    let plannedSeconds: Double?
    let plannedRestSeconds: Double
    let start: Moment?
    let end: Moment?
    let reps: Int64
    let seconds: Double
    let restBeforeSeconds: Double?
    let coachingHint: Int64?
    let isSkipped: Bool
    let isComplete: Bool
}

extension WorkoutFields: Decodable {
    private enum Key: String, CodingKey {
        case camera, start, end, plan, name, steps
        case endReason = "end_reason"
        case planName = "plan_name"
        case challengeSeconds = "challenge_s"
    }

    package init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder, by: Key.self)
        camera = try fields.id(.camera)
        start = try fields.moment(.start)
        end = try fields.moment(.end)
        endReason = try fields.optional(.endReason, fields.word)
        plan = try fields.text(.plan)
        planName = try fields.text(.planName)
        name = try fields.optional(.name, fields.text)
        challengeSeconds = try fields.optional(.challengeSeconds) { try fields.number($0, 0...1e8) }
        steps = try fields.container.decode([StepFields].self, forKey: .steps)
        guard steps.count <= Self.maximumSteps else {
            throw fields.refusal(.steps, "may be \(Self.maximumSteps) at most")
        }
    }
}

extension StepFields: Decodable {
    private enum Key: String, CodingKey {
        case round, action, side, start, end, reps, seconds, skipped, complete
        case plannedReps = "planned_reps"
        case plannedSeconds = "planned_s"
        case plannedRestSeconds = "planned_rest_s"
        case restBeforeSeconds = "rest_before_s"
        case coachingHint = "coaching_hint"
    }

    package init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder, by: Key.self)
        let seconds = { (key: Key) in try fields.number(key, 0...1e8) }
        let count = { (key: Key) in try fields.integer(key, 0...Int64(Int32.max)) }
        round = try fields.integer(.round, 1...1000)
        action = try fields.word(.action)
        side = try fields.optional(.side, fields.word)
        plannedReps = try fields.optional(.plannedReps, count)
        plannedSeconds = try fields.optional(.plannedSeconds, seconds)
        plannedRestSeconds = try seconds(.plannedRestSeconds)
        start = try fields.optional(.start, fields.moment)
        end = try fields.optional(.end, fields.moment)
        reps = try count(.reps)
        self.seconds = try seconds(.seconds)
        restBeforeSeconds = try fields.optional(.restBeforeSeconds, seconds)
        coachingHint = try fields.optional(.coachingHint) { try fields.integer($0, 0...100) }
        isSkipped = try fields.flag(.skipped)
        isComplete = try fields.flag(.complete)
    }
}
