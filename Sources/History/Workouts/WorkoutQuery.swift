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
    package init(_ workout: Workout) {
        id = workout.id
        body = WorkoutBody(workout)
    }

    /// Encodes the body's fields in the same object as the id.
    public func encode(to encoder: any Encoder) throws {
        try body.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
    }
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
    /// Only the newest `limit` workouts.
    public var limit: Int?

    /// Selects all workouts that satisfy every given condition.
    public init(
        since: Date? = nil, until: Date? = nil, camera: String? = nil, name: String? = nil, plan: String? = nil,
        limit: Int? = nil
    ) {
        self.since = since
        self.until = until
        self.camera = camera
        self.name = name
        self.plan = plan
        self.limit = limit
    }
}

extension HistoryQuery {
    /// The workouts that satisfy the filter, newest first. A history from before workouts existed has none.
    ///
    /// - Throws: ``HistoryError``.
    public func workouts(_ filter: WorkoutFilter = WorkoutFilter()) throws -> [WorkoutRow] {
        try storedWorkouts(filter).map { WorkoutRow($0) }
    }

    /// The workout with this id; `nil` when there is none.
    ///
    /// - Throws: ``HistoryError``.
    public func workout(_ id: String) throws -> WorkoutRow? {
        try read { db in
            guard try db.tableExists("workout") else { return nil }
            return try WorkoutRows.workout(id, in: db).map { WorkoutRow($0) }
        }
    }

    /// The last ended workout of the same name and plan before this one; `nil` when there is none, or it has no name.
    ///
    /// - Throws: ``HistoryError``.
    public func workout(before workout: WorkoutRow) throws -> WorkoutRow? {
        guard let name = workout.body.name else { return nil }
        let filter = WorkoutFilter(until: Timestamp.date(text: workout.body.start), name: name, plan: workout.body.plan)
        return try workouts(filter).first { $0.id != workout.id && $0.body.endReason != nil }
    }

    /// The workouts that go on, as a run that starts continues them.
    ///
    /// - Throws: ``HistoryError``.
    package func openWorkouts() throws -> [Workout] {
        try storedWorkouts(WorkoutFilter()) { $0.add("end_reason IS NULL") }.reversed()
    }

    /// The challenges of a span of time that were done under a name, best first: at most one of each name and plan.
    ///
    /// - Throws: ``HistoryError``.
    public func board(since: Date, until: Date) throws -> [WorkoutRow] {
        let done = try workouts(WorkoutFilter(since: since, until: until)).filter { row in
            row.body.challengeSeconds != nil && row.body.name != nil && row.body.endReason == "completed"
        }
        var best: [[String?]: WorkoutRow] = [:]
        for row in done {
            let key = [row.body.plan, row.body.name]
            if let known = best[key], known.body.reps > row.body.reps { continue }
            best[key] = row
        }
        return best.values.sorted { first, second in
            let (a, b) = (first.body, second.body)
            return (a.planName, -a.reps, a.end) < (b.planName, -b.reps, b.end)
        }
    }

    private func storedWorkouts(
        _ filter: WorkoutFilter, also: (inout SQLCondition) -> Void = { _ in }
    ) throws -> [Workout] {
        try read { db in
            guard try db.tableExists("workout") else { return [] }
            var condition = SQLCondition()
            condition.add("start_ms >= ?", filter.since.map(Timestamp.milliseconds))
            condition.add("start_ms < ?", filter.until.map(Timestamp.milliseconds))
            condition.add("camera = ?", filter.camera)
            condition.add("name = ?", filter.name)
            condition.add("json_extract(plan, '$.id') = ?", filter.plan)
            also(&condition)
            let sql = "SELECT * FROM workout WHERE \(condition.sql) ORDER BY start_ms DESC, id DESC LIMIT ?"
            return try Row.fetchAll(db, sql: sql, arguments: condition.arguments + [filter.limit ?? -1])
                .compactMap { try WorkoutRows.workout($0, in: db) }
        }
    }
}
