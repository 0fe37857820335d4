/// The largest count that a message may hold.
private let most = Int64(Int32.max)
/// The longest time in seconds: about three years.
private let longest = 1e8

/// The body of a session.
package struct SessionFields: Sendable, Equatable {
    /// The most actions, and the most sets, that one session may have.
    static let maximumParts = 1000

    let camera: String
    let start: Moment
    let end: Moment
    let endReason: String?
    let model: String
    let fps: Double
    let zone: String?
    /// Frames that were not counted, all reasons together.
    let excludedFrames: Int64
    let actions: [ActionFields]
    let sets: [SetFields]
}

/// The totals of one label in a session or rollup.
package struct ActionFields: Sendable, Equatable {
    let label: String
    let frames: Int64
    let seconds: Double
    /// `nil` where repetitions are not counted.
    let reps: Int64?
    /// The mean confidence, 0…1; `nil` in rollups.
    let confidence: Double?
}

/// One set of a session.
package struct SetFields: Sendable, Equatable {
    let number: Int64?
    let label: String
    let start: Moment
    let end: Moment
    let reps: Int64
    let restSeconds: Double?
    let coachingHint: Int64?
    let zone: String?
    let recognisedLabel: String?
    let recognisedReps: Int64?
}

/// The body of a rollup.
package struct RollupFields: Sendable, Equatable {
    let camera: String
    let start: Moment
    let end: Moment
    let model: String
    let fps: Double
    let actions: [ActionFields]
}

/// The body of an absence: a time in which a camera delivered no pictures.
package struct AbsenceFields: Sendable, Equatable {
    let camera: String
    let start: Moment
    /// `nil` while the pictures are missing.
    let end: Moment?
    /// `switched_off`, or why there are none.
    let reason: String
}

/// The body of a gap: positions whose records will never come.
package struct GapFields: Sendable, Equatable {
    let epoch: String?
    let fromSeq: Int64
    let toSeq: Int64
    let reason: String
    let records: Int64
}

extension SessionFields: Decodable {
    private enum Key: String, CodingKey {
        case camera, start, end, model, fps, zone, actions, sets
        case endReason = "end_reason"
        case excludedFrames = "excluded_frames"
    }

    package init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder, by: Key.self)
        camera = try fields.id(.camera)
        start = try fields.moment(.start)
        end = try fields.moment(.end)
        endReason = try fields.optional(.endReason, fields.word)
        model = try fields.word(.model)
        fps = try fields.number(.fps, 0...10_000)
        zone = try fields.optional(.zone, fields.id)
        let excluded = try fields.container.decode([String: Double].self, forKey: .excludedFrames)
        guard excluded.values.allSatisfy({ (0...Double(most)).contains($0) }) else {
            throw fields.refusal(.excludedFrames, "expects whole numbers from 0 to \(most)")
        }
        excludedFrames = min(most, excluded.values.reduce(0) { $0 + Int64($1) })
        actions = try fields.container.decode([ActionFields].self, forKey: .actions)
        sets = try fields.optional(.sets) { try fields.container.decode([SetFields].self, forKey: $0) } ?? []
        guard actions.count <= Self.maximumParts, sets.count <= Self.maximumParts else {
            throw fields.refusal(.sets, "and actions may be \(Self.maximumParts) each at most")
        }
    }
}

extension ActionFields: Decodable {
    private enum Key: String, CodingKey {
        case label, frames, seconds, reps
        case confidence = "conf_mean"
    }

    package init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder, by: Key.self)
        label = try fields.word(.label)
        frames = try fields.integer(.frames, 0...most)
        seconds = try fields.number(.seconds, 0...longest)
        reps = try fields.optional(.reps) { try fields.integer($0, 0...most) }
        confidence = try fields.optional(.confidence) { try fields.number($0, 0...1) }
    }
}

extension SetFields: Decodable {
    private enum Key: String, CodingKey {
        case number, label, start, end, reps, zone, corrected
        case restSeconds = "rest_s"
        case coachingHint = "coaching_hint"
    }

    private enum RecognisedKey: String, CodingKey { case label, reps }

    package init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder, by: Key.self)
        number = try fields.optional(.number) { try fields.integer($0, 0...Int64(Int16.max)) }
        label = try fields.word(.label)
        start = try fields.moment(.start)
        end = try fields.moment(.end)
        reps = try fields.integer(.reps, 0...Int64(Int16.max))
        restSeconds = try fields.optional(.restSeconds) { try fields.number($0, 0...longest) }
        coachingHint = try fields.optional(.coachingHint) { try fields.integer($0, 0...100) }
        zone = try fields.optional(.zone, fields.id)
        let recognised = try fields.optional(.corrected) {
            try Fields(fields.container.nestedContainer(keyedBy: RecognisedKey.self, forKey: $0))
        }
        recognisedLabel = try recognised?.word(.label)
        recognisedReps = try recognised?.integer(.reps, 0...Int64(Int16.max))
    }
}

extension RollupFields: Decodable {
    private enum Key: String, CodingKey { case camera, start, end, model, fps, actions }

    package init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder, by: Key.self)
        camera = try fields.id(.camera)
        start = try fields.moment(.start)
        end = try fields.moment(.end)
        model = try fields.word(.model)
        fps = try fields.number(.fps, 0...10_000)
        actions = try fields.container.decode([ActionFields].self, forKey: .actions)
        guard actions.count <= SessionFields.maximumParts else {
            throw fields.refusal(.actions, "may be \(SessionFields.maximumParts) at most")
        }
    }
}

extension AbsenceFields: Decodable {
    private enum Key: String, CodingKey { case camera, start, end, reason }

    package init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder, by: Key.self)
        camera = try fields.id(.camera)
        start = try fields.moment(.start)
        end = try fields.optional(.end, fields.moment)
        reason = try fields.word(.reason)
    }
}

extension GapFields: Decodable {
    private enum Key: String, CodingKey {
        case epoch, reason, records
        case fromSeq = "from_seq"
        case toSeq = "to_seq"
    }

    package init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder, by: Key.self)
        epoch = try fields.optional(.epoch, fields.uuid)
        fromSeq = try fields.integer(.fromSeq, 1...(Int64.max - 2))
        toSeq = try fields.integer(.toSeq, 0...(Int64.max - 2))
        reason = try fields.word(.reason)
        records = try fields.integer(.records, 0...(Int64.max - 2))
    }
}
