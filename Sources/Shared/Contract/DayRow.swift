import Records

/// One day of one camera: `spotter history days --json`, and the counts on MQTT.
public struct DayRow: Sendable, Codable, Equatable {
    /// The day: `2026-11-21`.
    public var day: String
    /// The camera's id.
    public var camera: String
    /// The number of sessions that began on this day.
    public var sessions: Int
    /// Credited frames by label.
    public var frames: [String: Int]
    /// Credited seconds by label.
    public var seconds: [String: Double]
    /// Repetitions by label.
    public var reps: [String: Int]
    /// Frames that were not counted, by reason.
    public var excludedFrames: [String: Int]
    /// The use of each zone; `nil` while none was used.
    public var zones: [String: ZoneUse]?
    /// The revision of the totals. It grows with every change.
    public var rev: Int

    /// The sets that took place in one zone.
    public struct ZoneUse: Sendable, Codable, Equatable {
        /// The number of sets.
        public var sets: Int
        /// Their repetitions.
        public var reps: Int
        /// Their duration.
        public var seconds: Double

        /// The sum of some sets.
        package init(sets: Int, reps: Int, seconds: Double) {
            self.sets = sets
            self.reps = reps
            self.seconds = seconds
        }
    }

    enum CodingKeys: String, CodingKey {
        case day, camera, sessions, frames, seconds, reps, zones, rev
        case excludedFrames = "excluded_frames"
    }

    /// A day without any totals.
    public init(day: String, camera: String) {
        self.day = day
        self.camera = camera
        sessions = 0
        frames = [:]
        seconds = [:]
        reps = [:]
        excludedFrames = [:]
        rev = 0
    }
}

extension DayRow {
    /// The JSON of a day in a history.
    package static let schema = Schema.object([
        ("day", .required(.text(pattern: #"^\d{4}-\d\d-\d\d$"#))), ("camera", .required(.id)),
        ("sessions", .required(.count)), ("frames", .required(.map(.count))),
        ("seconds", .required(.map(.number(minimum: 0)))), ("reps", .required(.map(.integer()))),
        ("excluded_frames", .required(.map(.count))),
        ("zones", .optional(.map(ZoneUse.schema), "The sets in each zone; absent while there are none.")),
        ("rev", .required(.count, "Grows with every change.")),
    ])
}

extension DayRow.ZoneUse {
    /// The JSON of a zone's use on a day.
    package static let schema = Schema.object([
        ("sets", .required(.count)), ("reps", .required(.integer())), ("seconds", .required(.number(minimum: 0))),
    ])
}
