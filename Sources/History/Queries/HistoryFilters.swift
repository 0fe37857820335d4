import Foundation
import GRDB

/// Which sessions are meant.
public struct SessionFilter: Sendable {
    /// Sessions that began at or after this moment.
    public var since: Date?
    /// Sessions that began before this moment.
    public var until: Date?
    public var camera: String?
    /// Sessions that hold at least one frame of this action.
    public var action: String?
    /// Newest so many.
    public var limit: Int?

    public init(
        since: Date? = nil, until: Date? = nil, camera: String? = nil, action: String? = nil, limit: Int? = nil
    ) {
        self.since = since
        self.until = until
        self.camera = camera
        self.action = action
        self.limit = limit
    }

    var condition: SQLCondition {
        var condition = SQLCondition()
        condition.add("start_ms >= ?", since.map(Timestamp.milliseconds))
        condition.add("start_ms < ?", until.map(Timestamp.milliseconds))
        condition.add("camera = ?", camera)
        condition.add("id IN (SELECT session FROM session_action WHERE label = ? AND frames > 0)", action)
        return condition
    }
}

/// Which days are meant. Days are cut at the midnights of the node's own time zone.
public struct DayFilter: Sendable {
    /// First and last day, `2026-11-21`, both included.
    public var from: String?
    public var through: String?
    public var camera: String?
    public var action: String?
    /// Newest so many rows.
    public var limit: Int?

    public init(
        from: String? = nil, through: String? = nil, camera: String? = nil, action: String? = nil, limit: Int? = nil
    ) {
        self.from = from
        self.through = through
        self.camera = camera
        self.action = action
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
    /// The day as the tables hold it.
    init(day: String, camera: String, in db: Database) throws {
        self.init(day: day, camera: camera)
        let key: StatementArguments = [day, camera]
        let head = try Row.fetchOne(
            db, sql: "SELECT sessions, rev FROM day_camera WHERE day = ? AND camera = ?", arguments: key)
        sessions = head?.integer("sessions") ?? 0
        rev = head?.integer("rev") ?? 0
        let actions = try Row.fetchAll(
            db, sql: "SELECT label, frames, seconds, reps FROM day_action WHERE day = ? AND camera = ?", arguments: key)
        for row in actions {
            let label = row.text("label")
            frames[label] = row.integer("frames")
            seconds[label] = row.number("seconds").rounded(decimals: 3)
            reps[label] = row.optionalInteger("reps")
        }
        let excluded = try Row.fetchAll(
            db, sql: "SELECT reason, frames FROM day_excluded WHERE day = ? AND camera = ?", arguments: key)
        for row in excluded { excludedFrames[row.text("reason")] = row.integer("frames") }
    }
}
