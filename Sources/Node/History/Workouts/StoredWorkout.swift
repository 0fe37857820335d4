import Contract
import Foundation
import GRDB
import Records
import Workouts

/// A stored workout, and the sums of its steps.
struct StoredWorkout {
    /// The workout. What was measured in its steps is there only where it was asked for.
    var workout: Workout
    /// What was measured in each step.
    var sums: [StepForm?]
    /// What receivers and readers see.
    var body: WorkoutBody { WorkoutBody(workout, sums: sums) }
}

/// Reads workouts from one database. Many workouts have the same plan, which is decoded once.
struct StoredWorkouts {
    private let db: Database
    private let hasSums: Bool
    private var plans: [String: WorkoutPlan] = [:]

    init(_ db: Database) throws {
        self.db = db
        // A history of an earlier version may be read as it is.
        hasSums = try db.columns(in: "workout_step").contains { $0.name == "sums" }
    }

    /// The workout with this id; `nil` where there is none, or its plan cannot be used.
    static func workout(_ id: String, in db: Database) throws -> StoredWorkout? {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM workout WHERE id = ?", arguments: [id]) else {
            return nil
        }
        var all = try StoredWorkouts(db)
        return try all.workout(row)
    }

    /// The workout of a row of `workout`; `nil` where its plan cannot be used.
    ///
    /// - Parameter measured: whether to read what was measured in each repetition.
    mutating func workout(_ row: Row, measured: Bool = false) throws -> StoredWorkout? {
        guard let plan = plan(row.text("plan")) else { return nil }
        var workout = Workout(
            id: row.text("id"), plan: plan, camera: row.text("camera"), name: row.optionalText("name"),
            nickname: row.optionalText("nickname"),
            start: Timestamp.date(milliseconds: row.moment("start_ms")))
        workout.end = Timestamp.date(milliseconds: row.moment("end_ms"))
        workout.endReason = row.optionalText("end_reason").flatMap(Workout.EndReason.init(rawValue:))
        workout.current = min(max(0, row.integer("step")), workout.steps.count - 1)
        workout.phase = Workout.Phase(rawValue: row.text("phase")) ?? .waiting
        workout.until = Self.date(row, "until_ms")
        var sums = [StepForm?](repeating: nil, count: workout.steps.count)
        let steps = try Row.fetchCursor(db.cachedStatement(sql: stepColumns), arguments: [workout.id])
        while let step = try steps.next() {
            let number = step.integer("number")
            guard workout.steps.indices.contains(number) else { continue }
            try Self.read(step, into: &workout.steps[number])
            sums[number] = step.optionalText("sums").flatMap(PackedText.numbers).flatMap(StepForm.init(packed:))
        }
        if measured {
            for number in workout.steps.indices {
                workout.steps[number].measured = try Self.measured(ofStep: number, of: workout.id, in: db)
            }
        }
        return StoredWorkout(workout: workout, sums: sums)
    }

    /// What was measured in the repetitions of a step.
    static func measured(ofStep number: Int, of workout: String, in db: Database) throws -> [MeasuredRepetition] {
        let whole = try String.fetchOne(
            db.cachedStatement(sql: "SELECT measured FROM workout_step WHERE workout = ? AND number = ?"),
            arguments: [workout, number])
        if let lines = whole.flatMap(PackedText.lines), !lines.isEmpty {
            return lines.compactMap(MeasuredRepetition.init(packed:))
        }
        return try String.fetchAll(
            db.cachedStatement(sql: "SELECT measured FROM workout_rep WHERE workout = ? AND step = ? ORDER BY number"),
            arguments: [workout, number]
        ).compactMap { PackedText.numbers($0).flatMap(MeasuredRepetition.init(packed:)) }
    }

    private mutating func plan(_ text: String) -> WorkoutPlan? {
        if let known = plans[text] { return known }
        // A plan with a billion rounds would fill the memory with its steps.
        guard let plan = try? JSONDecoder().decode(WorkoutPlan.self, from: Data(text.utf8)), plan.isPossible else {
            return nil
        }
        plans[text] = plan
        return plan
    }

    /// The columns of the steps, without the measurements.
    private var stepColumns: String {
        """
        SELECT number, start_ms, end_ms, reps, seconds, rest_before_seconds, form, skipped, cues, pain,
          \(hasSums ? "sums" : "NULL AS sums")
        FROM workout_step WHERE workout = ? ORDER BY number
        """
    }

    private static func read(_ row: Row, into step: inout Workout.Step) throws {
        step.start = date(row, "start_ms")
        step.end = date(row, "end_ms")
        step.repetitions = row.integer("reps")
        step.seconds = row.number("seconds")
        step.restBeforeSeconds = row.optionalNumber("rest_before_seconds")
        step.form = row.optionalInteger("form")
        step.isSkipped = row.integer("skipped") != 0
        if let cues = row.optionalText("cues"), cues != "[]" {
            step.cues = (try? JSONDecoder().decode([Cue].self, from: Data(cues.utf8))) ?? []
        }
        step.pain = row.optionalInteger("pain")
    }

    private static func date(_ row: Row, _ column: String) -> Date? {
        row.optionalInteger(column) == nil ? nil : Timestamp.date(milliseconds: row.moment(column))
    }
}
