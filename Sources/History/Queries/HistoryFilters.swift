import Foundation
import GRDB
import Records

/// Selects sessions.
public struct SessionFilter: Sendable {
    /// Only sessions that began at or after this moment.
    public var since: Date?
    /// Only sessions that began before this moment.
    public var until: Date?
    /// Only sessions of this camera.
    public var camera: String?
    /// Only sessions with at least one frame or repetition of this action, as people corrected them.
    public var action: String?
    /// Only sessions with a set in this zone, or that mostly took place there.
    public var zone: String?
    /// Only the newest `limit` sessions.
    public var limit: Int?

    /// Selects all sessions that satisfy every given condition.
    public init(
        since: Date? = nil, until: Date? = nil, camera: String? = nil, action: String? = nil, zone: String? = nil,
        limit: Int? = nil
    ) {
        self.since = since
        self.until = until
        self.camera = camera
        self.action = action
        self.zone = zone
        self.limit = limit
    }

    /// The condition for rows of `session`. Sessions whose action was corrected away satisfy it, too; see
    /// ``SessionRow/holds(_:)``.
    func condition(in db: Database) throws -> SQLCondition {
        var condition = SQLCondition()
        condition.add("start_ms >= ?", since.map(Timestamp.milliseconds))
        condition.add("start_ms < ?", until.map(Timestamp.milliseconds))
        condition.add("camera = ?", camera)
        let corrections = try SetCorrection.table(in: db)
        // Point questions to primary keys: a rare action is looked for in the sessions of years.
        condition.add(
            """
            (EXISTS (SELECT 1 FROM session_action a WHERE a.session = session.id AND a.label = ?)
              OR EXISTS (SELECT 1 FROM \(corrections) c WHERE c.session = session.id AND c.label = ?))
            """, action)
        condition.add(
            "(zone = ? OR EXISTS (SELECT 1 FROM session_set b WHERE b.session = session.id AND b.zone = ?))", zone)
        return condition
    }
}

/// Selects days. A day ends at midnight in the node's own time zone, unless ``timeZone`` is another one.
public struct DayFilter: Sendable {
    /// The first day, `2026-11-21`.
    public var from: String?
    /// The last day, included.
    public var through: String?
    /// Only this camera.
    public var camera: String?
    /// Only days with this action.
    public var action: String?
    /// Only days on which this zone was used.
    public var zone: String?
    /// Only the newest `limit` rows.
    public var limit: Int?
    /// The time zone whose midnights separate the days; `nil` for the node's own.
    public var timeZone: TimeZone?

    /// Selects all days that satisfy every given condition.
    public init(
        from: String? = nil, through: String? = nil, camera: String? = nil, action: String? = nil,
        zone: String? = nil, limit: Int? = nil, timeZone: TimeZone? = nil
    ) {
        self.timeZone = timeZone
        self.from = from
        self.through = through
        self.camera = camera
        self.action = action
        self.zone = zone
        self.limit = limit
    }

    func condition(labels: Bool) -> SQLCondition {
        var condition = SQLCondition()
        condition.add("day >= ?", from)
        condition.add("day <= ?", through)
        condition.add("camera = ?", camera)
        if labels { condition.add("label = ?", action) }
        return condition
    }
}

extension DayRow {
    /// Adds an action of a session that began on this day.
    mutating func add(_ action: SessionBody.Action) {
        frames[action.label, default: 0] += action.frames
        seconds[action.label, default: 0] += action.seconds
        if let reps = action.reps { self.reps[action.label, default: 0] += reps }
    }

    /// The same with milliseconds.
    var rounded: DayRow {
        var row = self
        row.seconds = seconds.mapValues { $0.rounded(decimals: 3) }
        return row
    }
}
