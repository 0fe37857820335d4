import Contract
import Foundation
import GRDB
import Records
import Workouts

/// A stored workout, as `spotter history workouts --json` prints it.
public struct WorkoutRow: Sendable, Encodable, Equatable {
    /// The workout's id, a UUIDv7.
    public var id: String
    /// What was planned and done.
    public var body: WorkoutBody

    enum CodingKeys: String, CodingKey { case id }

    /// The row of a workout.
    package init(_ workout: Workout) { self.init(StoredWorkout(workout: workout, sums: workout.steps.map(\.summary))) }

    /// The row of a stored workout.
    init(_ stored: StoredWorkout) {
        id = stored.workout.id
        body = stored.body
    }

    /// Encodes the body's fields in the same object as the id.
    public func encode(to encoder: any Encoder) throws {
        try body.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
    }
}

extension WorkoutRow {
    /// The JSON of a workout in a history.
    package static let schema = WorkoutBody.schema.adding([("id", .required(.uuid))])
}

/// Selects workouts.
public struct WorkoutFilter: Sendable {
    /// Only workouts that began at or after this moment.
    public var since: Date?
    /// Only workouts that began before this moment.
    public var until: Date?
    /// Only workouts in front of this camera.
    public var camera: String?
    /// Only workouts of this name.
    public var name: String?
    /// Only workouts of the plan with this id.
    public var plan: String?
    /// Only workouts with a step of this exercise.
    public var action: String?
    /// Only the newest `limit` workouts.
    public var limit: Int?
    /// Only workouts that go on.
    public var isOpen: Bool

    /// Selects all workouts that satisfy every given condition.
    public init(
        since: Date? = nil, until: Date? = nil, camera: String? = nil, name: String? = nil, plan: String? = nil,
        action: String? = nil, limit: Int? = nil, isOpen: Bool = false
    ) {
        self.action = action
        self.isOpen = isOpen
        self.since = since
        self.until = until
        self.camera = camera
        self.name = name
        self.plan = plan
        self.limit = limit
    }

    /// The condition for rows of `workout`.
    func condition(in db: Database) throws -> SQLCondition {
        var condition = SQLCondition()
        condition.add("start_ms >= ?", since.map(Timestamp.milliseconds))
        condition.add("start_ms < ?", until.map(Timestamp.milliseconds))
        condition.add("camera = ?", camera)
        if let name { condition.add("name", isOneOf: try HistoryQuery.spellings(of: name, in: db)) }
        condition.add("json_extract(plan, '$.id') = ?", plan)
        condition.add("EXISTS (SELECT 1 FROM workout_step s WHERE s.workout = workout.id AND s.action = ?)", action)
        if isOpen { condition.add("end_reason IS NULL") }
        return condition
    }
}

extension HistoryQuery {
    /// The workouts that satisfy the filter, newest first. A history from before workouts existed has none.
    ///
    /// - Throws: ``HistoryError``.
    public func workouts(_ filter: WorkoutFilter = WorkoutFilter()) throws -> [WorkoutRow] {
        try storedWorkouts(filter).map(WorkoutRow.init)
    }

    /// The number of workouts that satisfy the filter, whatever its limit.
    ///
    /// - Throws: ``HistoryError``.
    public func workoutCount(_ filter: WorkoutFilter = WorkoutFilter()) throws -> Int {
        try read { db in
            guard try db.tableExists("workout") else { return 0 }
            let condition = try filter.condition(in: db)
            return try Int.fetchOne(
                db, sql: "SELECT count(*) FROM workout WHERE \(condition.sql)", arguments: condition.arguments) ?? 0
        }
    }

    /// The workout with this id; `nil` when there is none.
    ///
    /// - Throws: ``HistoryError``.
    public func workout(_ id: String) throws -> WorkoutRow? {
        try read { db in
            guard try db.tableExists("workout") else { return nil }
            return try StoredWorkouts.workout(id, in: db).map(WorkoutRow.init)
        }
    }

    /// The last ended workout of the same name and plan before this one; `nil` when there is none, or it has no name.
    ///
    /// - Throws: ``HistoryError``.
    public func workout(before workout: WorkoutRow) throws -> WorkoutRow? {
        guard let name = workout.body.name else { return nil }
        let filter = WorkoutFilter(
            until: Timestamp.date(text: workout.body.start), name: name, plan: workout.body.plan, limit: 1)
        return try storedWorkouts(filter) { condition in
            condition.add("end_reason IS NOT NULL")
            condition.add("id <> ?", workout.id)
        }.first.map(WorkoutRow.init)
    }

    /// The workouts that go on, as a run that starts continues them.
    ///
    /// - Throws: ``HistoryError``.
    package func openWorkouts() throws -> [Workout] {
        try storedWorkouts(WorkoutFilter(isOpen: true), measured: true).map(\.workout).reversed()
    }

    /// The id of the workout that is meant; `nil` if there is none.
    ///
    /// - Throws: ``AmbiguousId``, ``HistoryError``.
    public func workoutId(_ typed: String) throws -> String? {
        let ids = try read { db -> [String] in
            guard try db.tableExists("workout") else { return [] }
            return try TypedId(typed).candidates(in: "workout", db)
        }
        return try TypedId(typed).find(among: ids)
    }

    /// The names that were typed for workouts, each once.
    ///
    /// - Throws: ``HistoryError``.
    public func workoutNames() throws -> [String] {
        try read { db in try db.tableExists("workout") ? Self.names(in: db) : [] }
    }

    private static func names(in db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT DISTINCT name FROM workout WHERE name IS NOT NULL ORDER BY name")
    }

    /// Every way in which a name was written: a member may be `Anna` one day and `anna` the next.
    fileprivate static func spellings(of name: String, in db: Database) throws -> [String] {
        try names(in: db).filter { PersonName.areSame($0, name) }
    }

    /// The challenges of a span of time that were done under a name or a nickname, best first: at most one of each name and plan.
    ///
    /// - Throws: ``HistoryError``.
    public func board(since: Date, until: Date) throws -> [WorkoutRow] {
        let done = try storedWorkouts(WorkoutFilter(since: since, until: until)) { condition in
            condition.add("json_extract(plan, '$.challenge_seconds') IS NOT NULL")
            condition.add("coalesce(name, nickname) IS NOT NULL AND end_reason = 'completed'")
        }.map(WorkoutRow.init)
        var best: [[String?]: WorkoutRow] = [:]
        for row in done {
            let key = [row.body.plan, (row.body.name ?? row.body.nickname).map(PersonName.key)]
            if let known = best[key], known.body.reps > row.body.reps { continue }
            best[key] = row
        }
        return best.values.sorted { first, second in
            let (a, b) = (first.body, second.body)
            return (a.planName, -a.reps, a.end) < (b.planName, -b.reps, b.end)
        }
    }

    private func storedWorkouts(
        _ filter: WorkoutFilter, measured: Bool = false, also: (inout SQLCondition) -> Void = { _ in }
    ) throws -> [StoredWorkout] {
        try read { db in
            guard try db.tableExists("workout") else { return [] }
            var condition = try filter.condition(in: db)
            also(&condition)
            var all = try StoredWorkouts(db)
            let sql = "SELECT * FROM workout WHERE \(condition.sql) ORDER BY start_ms DESC, id DESC LIMIT ?"
            let rows = try Row.fetchCursor(db, sql: sql, arguments: condition.arguments + [filter.limit ?? -1])
            var found: [StoredWorkout] = []
            while let row = try rows.next() {
                if let stored = try all.workout(row, measured: measured) { found.append(stored) }
            }
            return found
        }
    }
}
