import Records

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
    /// What was measured, as JSON that has been checked; `nil` for nothing.
    let measured: String?
    /// What was said, as a JSON list of texts; `nil` for nothing.
    let cues: String?
    let pain: Int64?
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
        case measured, cues, pain
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
        measured = try fields.optional(.measured) {
            try JSONText.encode(try fields.container.decode(MeasuredFields.self, forKey: $0))
        }
        cues = try fields.optional(.cues) { key in
            let cues = try fields.container.decode([CueText].self, forKey: key)
            guard cues.count <= WorkoutFields.maximumSteps else {
                throw fields.refusal(key, "may be \(WorkoutFields.maximumSteps) at most")
            }
            return try JSONText.encode(cues)
        }
        pain = try fields.optional(.pain) { try fields.integer($0, 0...10) }
    }
}

/// What was measured in a step. Only what is known of it is stored.
private struct MeasuredFields: Codable {
    var values: [String: ValueFields] = [:]
    var scores: [String: Int64] = [:]

    private enum Key: String, CodingKey, CaseIterable {
        case range, tempo, whole, primary, control
        case rangeDrift = "range_drift"
        case tempoDrift = "tempo_drift"

        var isScore: Bool { self == .whole || self == .primary || self == .control }
    }

    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder, by: Key.self)
        for key in Key.allCases where try fields.has(key) {
            if key.isScore {
                scores[key.rawValue] = try fields.integer(key, 0...100)
            } else {
                values[key.rawValue] = try fields.container.decode(ValueFields.self, forKey: key)
            }
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for key in Key.allCases {
            try container.encodeIfPresent(values[key.rawValue], forKey: key)
            try container.encodeIfPresent(scores[key.rawValue], forKey: key)
        }
    }
}

/// One measured value.
private struct ValueFields: Codable {
    let measure: String
    let value: Double
    let uncertainty: Double
    let unit: String
    let reps: Int64

    private enum CodingKeys: String, CodingKey { case measure, value, uncertainty, unit, reps }

    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder, by: CodingKeys.self)
        measure = try fields.word(.measure)
        value = try fields.number(.value, -1e8...1e8)
        uncertainty = try fields.number(.uncertainty, 0...1e8)
        unit = try fields.word(.unit)
        reps = try fields.integer(.reps, 0...Int64(Int32.max))
    }
}

/// A sentence that was said: up to 250 bytes without control characters.
private struct CueText: Codable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = try container.decode(String.self)
        guard (1...250).contains(text.utf8.count), text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expects 1 to 250 bytes without control characters")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
