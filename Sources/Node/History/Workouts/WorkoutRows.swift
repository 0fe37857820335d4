import Contract
import Foundation
import GRDB
import Records
import Workouts

/// Writes workouts, and records them when a step or the workout has ended.
///
/// A repetition's measurements are written once: as a row of `workout_rep` while its step goes on, and together with those
/// of its step when that has ended. The sums of a step stand beside them, so that a list reads no measurements.
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
        try writeSteps(of: workout, in: db)
        guard isDue else { return false }
        // A workout is dated by the clock it began under.
        let clock = try known.map { try ClockStretch.state(of: $0.position("clock"), in: db) } ?? clock
        try RecordLog.append(
            .workout, id: workout.id, rev: rev, final: !workout.isOpen,
            body: JSONText.encode(WorkoutBody(workout).forReceivers),
            wallMilliseconds: wallMilliseconds, clock: clock, in: db)
        return true
    }

    private static func writeWorkout(_ workout: Workout, rev: Int, stretch: Int64, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO workout(id, camera, plan, name, nickname, start_ms, end_ms, end_reason, step, phase, until_ms,
                  rev, clock)
                VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT(id) DO UPDATE SET name = excluded.name, nickname = excluded.nickname,
                  end_ms = excluded.end_ms, end_reason = excluded.end_reason, step = excluded.step, phase = excluded.phase,
                  until_ms = excluded.until_ms, rev = excluded.rev
                """
        ).execute(arguments: [
            workout.id, workout.camera, try JSONText.encode(workout.plan), workout.name, workout.nickname,
            Timestamp.milliseconds(workout.start), Timestamp.milliseconds(max(workout.start, workout.end)),
            workout.endReason?.rawValue, workout.current, workout.phase.rawValue,
            workout.until.map(Timestamp.milliseconds), rev, stretch,
        ])
    }

    private static func writeSteps(of workout: Workout, in db: Database) throws {
        // The measurements of steps that were stored as ended change no more.
        let settled = Set(
            try Row.fetchAll(
                db.cachedStatement(
                    sql: "SELECT number FROM workout_step WHERE workout = ? AND end_ms IS NOT NULL"),
                arguments: [workout.id]
            ).map { $0.integer("number") })
        for (number, step) in workout.steps.enumerated() {
            try write(step, number, of: workout.id, in: db)
            if settled.contains(number) { continue }
            try writeMeasured(of: step, number, of: workout, in: db)
        }
    }

    /// Writes a step without its measurements. A step that did not change costs no write.
    private static func write(_ step: Workout.Step, _ number: Int, of workout: String, in db: Database) throws {
        let start = step.start.map(Timestamp.milliseconds), end = step.end.map(Timestamp.milliseconds)
        try db.cachedStatement(sql: upsert).execute(arguments: [
            workout, number, step.planned.action, start, end.map { max($0, start ?? $0) }, step.repetitions,
            step.seconds.rounded(decimals: 3), step.restBeforeSeconds?.rounded(decimals: 3), step.form, step.isSkipped,
            step.cues.isEmpty ? "[]" : try JSONText.encode(step.cues), step.pain,
        ])
    }

    private static let upsert: String = {
        let changing = [
            "start_ms", "end_ms", "reps", "seconds", "rest_before_seconds", "form", "skipped", "cues", "pain",
        ]
        func list(_ prefix: String) -> String { changing.map { prefix + $0 }.joined(separator: ", ") }
        return """
            INSERT INTO workout_step(workout, number, action, \(list("")))
            VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT(workout, number) DO UPDATE SET (\(list(""))) = (\(list("excluded.")))
            WHERE (\(list("workout_step."))) IS NOT (\(list("excluded.")))
            """
    }()

    /// Writes what was measured: the new repetitions of a step that goes on, or all of one that has ended.
    private static func writeMeasured(
        of step: Workout.Step, _ number: Int, of workout: Workout, in db: Database
    ) throws {
        guard number <= workout.current else { return }
        let isOver = step.end != nil || !workout.isOpen
        try writeRepetitions(isOver ? [] : step.measured, number, of: workout.id, in: db)
        try db.cachedStatement(
            sql: """
                UPDATE workout_step SET measured = :measured, sums = :sums
                WHERE workout = :id AND number = :number AND (measured, sums) IS NOT (:measured, :sums)
                """
        ).execute(arguments: [
            "measured": isOver ? PackedText.list(step.measured.map(\.packed)) : "[]",
            "sums": step.summary.map { PackedText.line($0.packed) }, "id": workout.id, "number": number,
        ])
    }

    /// The measurements of a set can change with its next repetition, so those before are compared; equal ones cost no write.
    private static func writeRepetitions(
        _ repetitions: [MeasuredRepetition], _ step: Int, of workout: String, in db: Database
    ) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO workout_rep(workout, step, number, measured) VALUES(?, ?, ?, ?)
                ON CONFLICT(workout, step, number) DO UPDATE SET measured = excluded.measured
                WHERE measured IS NOT excluded.measured
                """)
        for (number, repetition) in repetitions.enumerated() {
            try statement.execute(arguments: [workout, step, number, PackedText.line(repetition.packed)])
        }
        try db.cachedStatement(sql: "DELETE FROM workout_rep WHERE workout = ? AND step = ? AND number >= ?")
            .execute(arguments: [workout, step, repetitions.count])
    }
}

/// Whole numbers as text: `1,2,3` in a line, and `[[1,2,3],[4,5,6]]` in a list of lines, which is JSON.
enum PackedText {
    static func line(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ",") }

    static func list(_ lines: [[Int]]) -> String { "[" + lines.map { "[\(line($0))]" }.joined(separator: ",") + "]" }

    /// The numbers of a line; `nil` for text that is none.
    static func numbers(_ line: String) -> [Int]? {
        var numbers: [Int] = []
        for part in line.utf8.split(separator: UInt8(ascii: ",")) {
            guard let number = Int(Substring(part)) else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    /// The lines of a list; `nil` for text that is none.
    static func lines(_ list: String) -> [[Int]]? {
        if list == "[]" { return [] }
        return try? JSONDecoder().decode([[Int]].self, from: Data(list.utf8))
    }
}
