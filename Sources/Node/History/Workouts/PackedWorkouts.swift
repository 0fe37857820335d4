import Contract
import Foundation
import GRDB
import Records
import Workouts

/// Brings workouts of schema 7 into the form of schema 8: packed measurements with their sums, and names and plans that
/// keep the limits of an import. What has that form already stays as it is.
enum PackedWorkouts {
    static func pack(in db: Database) throws {
        let steps = try Row.fetchAll(db, sql: "SELECT workout, number FROM workout_step WHERE measured <> '[]'")
        for step in steps { try packStep(step.integer("number"), of: step.text("workout"), in: db) }
        for name in try String.fetchAll(db, sql: "SELECT DISTINCT name FROM workout WHERE name IS NOT NULL") {
            let wanted = PersonName.shortened(name)?.text
            if wanted == name { continue }
            try db.execute(sql: "UPDATE workout SET name = ? WHERE name = ?", arguments: [wanted, name])
        }
        for text in try String.fetchAll(db, sql: "SELECT DISTINCT plan FROM workout") {
            guard var plan = try? JSONDecoder().decode(WorkoutPlan.self, from: Data(text.utf8)), !plan.isPossible else {
                continue
            }
            plan.shorten()
            guard plan.isPossible else { continue }
            try db.execute(
                sql: "UPDATE workout SET plan = ? WHERE plan = ?", arguments: [try JSONText.encode(plan), text])
        }
    }

    /// What cannot be read is no measurement.
    static func packStep(_ number: Int, of workout: String, in db: Database) throws {
        let key: StatementArguments = [workout, number]
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT s.measured, plan FROM workout_step s JOIN workout w ON w.id = s.workout
                WHERE s.workout = ? AND s.number = ?
                """, arguments: key)
        guard let row, PackedText.lines(row.text("measured")) == nil else { return }
        let data = Data(row.text("measured").utf8)
        let read = (try? JSONDecoder().decode([MeasuredRepetition].self, from: data)) ?? []
        let measured = read.prefix(MeasuredRepetition.maximumInStep).map(\.rounded)
        let plan = try? JSONDecoder().decode(WorkoutPlan.self, from: Data(row.text("plan").utf8))
        let planned = plan.flatMap { plan -> Int? in
            guard plan.isPossible, plan.sequence.indices.contains(number) else { return nil }
            return plan.sequence[number].step.repetitions
        }
        let sums = StepForm(measured, planned: planned).map { PackedText.line($0.packed) }
        try db.execute(
            sql: "UPDATE workout_step SET measured = ?, sums = ? WHERE workout = ? AND number = ?",
            arguments: [PackedText.list(measured.map(\.packed)), sums] + key)
    }
}

extension WorkoutPlan {
    /// Cuts texts from before there were limits.
    fileprivate mutating func shorten() {
        func cut(_ text: String, _ limit: TextLimit) -> String {
            let plain = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
            var cut = String(String.UnicodeScalarView(plain))
            if cut.utf8.count > limit.bytes { cut = String(decoding: cut.utf8.prefix(limit.bytes - 3), as: UTF8.self) }
            return cut
        }
        (id, name) = (cut(id, .word), cut(name, .title))
        description = cut(description, .paragraph)
    }
}
