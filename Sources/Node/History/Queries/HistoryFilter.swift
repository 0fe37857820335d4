import Contract
import Foundation
import GRDB
import Records

/// Selects a part of the history: the same for every question.
///
/// The span goes from ``since`` up to, and not including, ``until``. Sessions and sets are in it if they began in it,
/// predictions if their window ended in it. Totals count the time that was spent in it, and the repetitions of its sets.
public struct HistoryFilter: Sendable {
    /// The first moment; `nil` for the beginning of the history.
    public var since: Date?
    /// The moment after the last one; `nil` for no end.
    public var until: Date?
    /// Only this camera.
    public var camera: String?
    /// Only this action: sessions and days with at least one frame or repetition of it, as people corrected them.
    public var action: String?
    /// Only this zone: sessions with a set in it, or that mostly took place there, and days on which it was used.
    public var zone: String?
    /// Only the newest `limit` rows.
    public var limit: Int?
    /// The time zone whose midnights separate the days; `nil` for the node's own.
    public var timeZone: TimeZone?

    /// Selects what satisfies every given condition.
    public init(
        since: Date? = nil, until: Date? = nil, camera: String? = nil, action: String? = nil, zone: String? = nil,
        limit: Int? = nil, timeZone: TimeZone? = nil
    ) {
        self.since = since
        self.until = until
        self.camera = camera
        self.action = action
        self.zone = zone
        self.limit = limit
        self.timeZone = timeZone
    }

    /// Whether the span ends before it begins, so that nothing can lie in it.
    package var isReversed: Bool {
        guard let since, let until else { return false }
        return until < since
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

extension DayRow {
    /// Adds an action of a session that began on this day.
    mutating func add(_ action: SessionBody.Action) {
        frames[action.label, default: 0] += action.frames
        seconds[action.label, default: 0] += action.seconds
        if let reps = action.reps { self.reps[action.label, default: 0] += reps }
    }

    /// Whether the day has the action and the zone of a filter.
    func fits(_ filter: HistoryFilter) -> Bool {
        (filter.action.map { frames[$0] != nil || reps[$0] != nil } ?? true)
            && (filter.zone.map { zones?[$0] != nil } ?? true)
    }

    /// The same with the action and the zone of a filter alone, where it has one. Which actions were done in a zone is not stored
    /// day by day, so these are those of the whole camera.
    func limited(to filter: HistoryFilter) -> DayRow {
        var row = self
        if let action = filter.action {
            row.frames = frames.filter { $0.key == action }
            row.seconds = seconds.filter { $0.key == action }
            row.reps = reps.filter { $0.key == action }
            row.excludedFrames = [:]
        }
        if let zone = filter.zone { row.zones = zones?.filter { $0.key == zone } }
        return row
    }

    /// The same with milliseconds, and without labels of which corrections left nothing.
    var rounded: DayRow {
        var row = self
        row.frames = frames.mapValues { max(0, $0) }
        row.seconds = seconds.mapValues { max(0, $0).rounded(decimals: 3) }
        row.zones = zones?.mapValues {
            ZoneUse(sets: $0.sets, reps: $0.reps, seconds: $0.seconds.rounded(decimals: 3))
        }
        for label in frames.keys where row.frames[label] == 0 && (reps[label] ?? 0) == 0 {
            (row.frames[label], row.seconds[label], row.reps[label]) = (nil, nil, nil)
        }
        return row
    }
}

extension ActionRow {
    /// The same with milliseconds.
    var rounded: ActionRow {
        var row = self
        row.seconds = seconds.rounded(decimals: 3)
        return row
    }

    /// Adds parts of a day to totals.
    ///
    /// - Parameter action: only this one; `nil` for all.
    static func add(_ days: [DayRow], to rows: inout [String: ActionRow], _ action: String?) {
        var seen: Set<String> = []
        for day in days {
            for label in Set(day.frames.keys).union(day.reps.keys) where action == nil || action == label {
                var row = rows[label] ?? ActionRow(label: label, frames: 0, seconds: 0, reps: nil, days: 0)
                row.frames += day.frames[label] ?? 0
                row.seconds += day.seconds[label] ?? 0
                if let reps = day.reps[label] { row.reps = (row.reps ?? 0) + reps }
                // Several cameras have the same day.
                if seen.insert(label).inserted { row.days += 1 }
                rows[label] = row
            }
        }
    }
}
