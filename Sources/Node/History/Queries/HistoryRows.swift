import Contract
import GRDB
import Records

/// One session as printed by `spotter history sessions --json`.
public struct SessionRow: Sendable, Codable, Equatable {
    /// The session's id, a UUIDv7.
    public var id: String
    /// The camera's id.
    public var camera: String
    /// The person's track id.
    public var track: Int
    /// When the session began: RFC 3339, UTC.
    public var start: String
    /// When the session ended, or while it is open when the person was last seen: RFC 3339, UTC.
    public var end: String
    /// Why the session ended; `nil` while it is open.
    public var endReason: String?
    /// The model's name and the start of its digest.
    public var model: String
    /// The frame rate by which frames become seconds.
    public var fps: Double
    /// How often the session was recorded.
    public var rev: Int
    /// The sum of the frames of all ``actions``.
    public var frames: Int
    /// The sum of the seconds of all ``actions``.
    public var seconds: Double
    /// What the person did, one entry per label.
    public var actions: [SessionBody.Action]
    /// The sets; `nil` while there are none.
    public var sets: [SetBody]?
    /// Frames that were not counted, by reason.
    public var excludedFrames: [String: Int]
    /// The zone in which most of the session took place; `nil` outside all zones.
    public var zone: String?

    enum CodingKeys: String, CodingKey {
        case id, camera, track, start, end, model, fps, rev, frames, seconds, actions, sets, zone
        case endReason = "end_reason"
        case excludedFrames = "excluded_frames"
    }
}

/// The totals of one action over several days: `spotter history actions --json`.
public struct ActionRow: Sendable, Codable, Equatable {
    /// The action's label.
    public var label: String
    /// Frames credited to the action.
    public var frames: Int
    /// The same in seconds.
    public var seconds: Double
    /// Repetitions; `nil` where they are not counted.
    public var reps: Int?
    /// The number of days on which it was seen.
    public var days: Int
}

/// A summary of the history: for `spotter history --json` and `spotter status`.
public struct HistorySummary: Sendable, Codable, Equatable {
    /// The node's id.
    public var node: String
    /// The epoch of the record log.
    public var epoch: String
    /// The time zone whose midnights separate the days.
    public var timeZone: String?
    /// The number of sessions.
    public var sessions: Int
    /// The number of sessions that have not ended.
    public var openSessions: Int
    /// When the oldest stored prediction was made: RFC 3339, UTC; `nil` without any.
    public var predictionsSince: String?
    /// The last position of the record log.
    public var lastSeq: Int64
    /// The schema version of the file.
    public var schema: Int
    /// `true` where the history was made up; `nil` otherwise.
    public var madeUp: Bool?

    enum CodingKeys: String, CodingKey {
        case node, epoch, sessions, schema
        case madeUp = "made_up"
        case timeZone = "tz"
        case openSessions = "open_sessions"
        case predictionsSince = "predictions_since"
        case lastSeq = "seq"
    }
}

extension SessionRow {
    /// Whether the session has frames or repetitions of an action.
    func holds(_ action: String) -> Bool {
        actions.contains { $0.label == action && ($0.frames > 0 || ($0.reps ?? 0) > 0) }
    }

    static func fetch(_ id: String, in db: Database) throws -> SessionRow? {
        try Row.fetchOne(db, sql: "SELECT * FROM session WHERE id = ?", arguments: [id])
            .map { try SessionReader(db).session($0) }
    }
}

extension SessionRow {
    /// The JSON of a session in a history.
    package static let schema = SessionBody.schema.adding([
        ("id", .required(.uuid)), ("track", .required(.count)), ("rev", .required(.count)),
        ("frames", .required(.tally)), ("seconds", .required(.seconds)),
    ])
}

extension ActionRow {
    /// The JSON of an action's totals.
    package static let schema = Schema.object([
        ("label", .required(.word)), ("frames", .required(.count)), ("seconds", .required(.number(minimum: 0))),
        ("reps", .optional(.count)), ("days", .required(.count)),
    ])
}
