import Foundation
import GRDB
import Records
import Workouts

/// Reads and writes workouts, and records them when a step or the workout has ended.
enum WorkoutRows {
    /// Stores the newest state of a workout. A workout that has ended is not changed any more.
    ///
    /// - Returns: whether a record was written.
    static func write(
        _ workout: Workout, clock: ClockState, stretch: Int64, wallMilliseconds: Int64, in db: Database
    ) throws -> Bool {
        let known = try Row.fetchOne(
            db,
            sql: """
                SELECT end_reason, rev, clock,
                  (SELECT count(*) + count(pain) FROM workout_step WHERE workout = id AND end_ms IS NOT NULL) AS ended
                FROM workout WHERE id = ?
                """, arguments: [workout.id])
        if known?.optionalText("end_reason") != nil { return false }
        let ended = workout.steps.reduce(0) { $0 + ($1.end != nil ? $1.pain != nil ? 2 : 1 : 0) }
        let isDue = known == nil || !workout.isOpen || known?.integer("ended") != ended
        let rev = (known?.integer("rev") ?? 0) + (isDue ? 1 : 0)
        try writeWorkout(workout, rev: rev, stretch: stretch, in: db)
        for (number, step) in workout.steps.enumerated() { try write(step, number, of: workout.id, in: db) }
        guard isDue else { return false }
        // A workout is dated by the clock it began under.
        let clock = try known.map { try ClockStretch.state(of: $0.position("clock"), in: db) } ?? clock
        try RecordLog.append(
            .workout, id: workout.id, rev: rev, final: !workout.isOpen, body: JSONText.encode(WorkoutBody(workout)),
            wallMilliseconds: wallMilliseconds, clock: clock, in: db)
        return true
    }

    private static func writeWorkout(_ workout: Workout, rev: Int, stretch: Int64, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO workout(id, camera, plan, name, start_ms, end_ms, end_reason, step, phase, until_ms, rev,
                  clock)
                VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT(id) DO UPDATE SET name = excluded.name, end_ms = excluded.end_ms,
                  end_reason = excluded.end_reason, step = excluded.step, phase = excluded.phase,
                  until_ms = excluded.until_ms, rev = excluded.rev
                """
        ).execute(arguments: [
            workout.id, workout.camera, try JSONText.encode(workout.plan), workout.name,
            Timestamp.milliseconds(workout.start), Timestamp.milliseconds(max(workout.start, workout.end)),
            workout.endReason?.rawValue, workout.current, workout.phase.rawValue,
            workout.until.map(Timestamp.milliseconds), rev, stretch,
        ])
    }

    private static func write(_ step: Workout.Step, _ number: Int, of workout: String, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO workout_step(workout, number, action, start_ms, end_ms, reps, seconds,
                  rest_before_seconds, form, skipped, measured, cues, pain)
                VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            workout, number, step.planned.action, step.start.map(Timestamp.milliseconds),
            step.end.map(Timestamp.milliseconds), step.repetitions, step.seconds.rounded(decimals: 3),
            step.restBeforeSeconds?.rounded(decimals: 3), step.form, step.isSkipped,
            try JSONText.encode(step.measured), try JSONText.encode(step.cues), step.pain,
        ])
    }

    /// A stored workout; `nil` where there is none with this id, or its plan cannot be read.
    static func workout(_ id: String, in db: Database) throws -> Workout? {
        try Row.fetchOne(db, sql: "SELECT * FROM workout WHERE id = ?", arguments: [id])
            .flatMap { try workout($0, in: db) }
    }

    static func workout(_ row: Row, in db: Database) throws -> Workout? {
        let plan = try? JSONDecoder().decode(WorkoutPlan.self, from: Data(row.text("plan").utf8))
        guard let plan, !plan.steps.isEmpty else { return nil }
        var workout = Workout(
            id: row.text("id"), plan: plan, camera: row.text("camera"), name: row.optionalText("name"),
            start: Timestamp.date(milliseconds: row.moment("start_ms")))
        workout.end = Timestamp.date(milliseconds: row.moment("end_ms"))
        workout.endReason = row.optionalText("end_reason").flatMap(Workout.EndReason.init(rawValue:))
        workout.current = min(max(0, row.integer("step")), workout.steps.count - 1)
        workout.phase = Workout.Phase(rawValue: row.text("phase")) ?? .waiting
        workout.until = date(row, "until_ms")
        let steps = try Row.fetchAll(
            db, sql: "SELECT * FROM workout_step WHERE workout = ? ORDER BY number", arguments: [workout.id])
        for step in steps where workout.steps.indices.contains(step.integer("number")) {
            read(step, into: &workout.steps[step.integer("number")])
        }
        return workout
    }

    private static func read(_ row: Row, into step: inout Workout.Step) {
        step.start = date(row, "start_ms")
        step.end = date(row, "end_ms")
        step.repetitions = row.integer("reps")
        step.seconds = row.number("seconds")
        step.restBeforeSeconds = row.optionalNumber("rest_before_seconds")
        step.form = row.optionalInteger("form")
        step.isSkipped = row.integer("skipped") != 0
        step.measured = decoded([MeasuredRepetition].self, row.optionalText("measured")) ?? []
        step.cues = decoded([Cue].self, row.optionalText("cues")) ?? []
        step.pain = row.optionalInteger("pain")
    }

    private static func decoded<Value: Decodable>(_ type: Value.Type, _ text: String?) -> Value? {
        text.flatMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
    }

    private static func date(_ row: Row, _ column: String) -> Date? {
        row.optionalInteger(column) == nil ? nil : Timestamp.date(milliseconds: row.moment(column))
    }
}
