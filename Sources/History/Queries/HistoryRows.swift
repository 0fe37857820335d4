import GRDB

/// One session as it is printed: `spotter history sessions --json`.
public struct SessionRow: Sendable, Codable, Equatable {
    public var id: String
    public var camera: String
    public var track: Int
    /// RFC 3339, UTC.
    public var start: String
    public var end: String
    /// Absent while the session is open.
    public var endReason: String?
    public var model: String
    public var fps: Double
    /// How often the session was recorded.
    public var rev: Int
    /// Sums over ``actions``.
    public var frames: Int
    public var seconds: Double
    public var actions: [SessionBody.Action]
    /// Absent while there are none.
    public var sets: [SetBody]?
    public var excludedFrames: [String: Int]

    enum CodingKeys: String, CodingKey {
        case id, camera, track, start, end, model, fps, rev, frames, seconds, actions, sets
        case endReason = "end_reason"
        case excludedFrames = "excluded_frames"
    }
}

/// What was done of one action over a span of days: `spotter history actions --json`.
public struct ActionRow: Sendable, Codable, Equatable {
    public var label: String
    public var frames: Int
    public var seconds: Double
    /// Absent where repetitions of this action are not counted.
    public var reps: Int?
    /// On how many days it was seen.
    public var days: Int
}

/// One day in front of one camera: `spotter history days --json`, and the counts on MQTT.
public struct DayRow: Sendable, Codable, Equatable {
    public var day: String
    public var camera: String
    /// Sessions that began on this day.
    public var sessions: Int
    /// By model label.
    public var frames: [String: Int]
    public var seconds: [String: Double]
    public var reps: [String: Int]
    /// Frames that were not counted, by reason.
    public var excludedFrames: [String: Int]
    /// Grows with every change of the day's totals.
    public var rev: Int

    enum CodingKeys: String, CodingKey {
        case day, camera, sessions, frames, seconds, reps, rev
        case excludedFrames = "excluded_frames"
    }

    /// A day on which nothing happened yet.
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

/// What the history says about itself: `spotter history --json` heads, `spotter status`.
public struct HistorySummary: Sendable, Codable, Equatable {
    public var node: String
    public var epoch: String
    public var timeZone: String?
    public var sessions: Int
    public var openSessions: Int
    /// When the oldest of the single predictions that are still kept was made: RFC 3339, UTC; absent without any.
    public var predictionsSince: String?
    public var lastSeq: Int64
    public var schema: Int

    enum CodingKeys: String, CodingKey {
        case node, epoch, sessions, schema
        case timeZone = "tz"
        case openSessions = "open_sessions"
        case predictionsSince = "predictions_since"
        case lastSeq = "seq"
    }
}

extension SessionRow {
    /// The row with its actions and excluded frames.
    init(row: Row, in db: Database) throws {
        let id = row.text("id")
        let actions = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT * FROM session_action WHERE session = ? ORDER BY position, label"),
            arguments: [id]
        ).map { action in
            SessionBody.Action(
                label: action.text("label"), frames: action.integer("frames"),
                seconds: action.number("seconds").rounded(decimals: 3), reps: action.optionalInteger("reps"),
                meanConfidence: action.number("conf_mean").rounded(decimals: 3))
        }
        let excluded = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT reason, frames FROM session_excluded WHERE session = ?"), arguments: [id])
        self.init(
            id: id, camera: row.text("camera"), track: row.integer("track"),
            start: Timestamp.text(milliseconds: row.moment("start_ms")),
            end: Timestamp.text(milliseconds: row.moment("end_ms")), endReason: row.optionalText("end_reason"),
            model: row.text("model"), fps: row.number("fps"), rev: row.integer("rev"),
            frames: actions.map(\.frames).clampedSum,
            seconds: actions.reduce(0) { $0 + $1.seconds }.rounded(decimals: 3), actions: actions,
            sets: try SetBody.list(session: id, in: db),
            excludedFrames: excluded.reduce(into: [:]) { $0[$1.text("reason")] = $1.integer("frames") })
    }

    static func fetch(_ id: String, in db: Database) throws -> SessionRow? {
        try Row.fetchOne(db, sql: "SELECT * FROM session WHERE id = ?", arguments: [id])
            .map { try SessionRow(row: $0, in: db) }
    }
}
