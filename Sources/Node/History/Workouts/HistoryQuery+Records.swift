import Contract
import Foundation
import Records

extension HistoryQuery {
    /// What a person has reached, from all workouts of a name, in whatever letter case it was typed.
    ///
    /// - Returns: `nil` where no workout has the name.
    /// - Throws: ``HistoryError``.
    public func personalRecords(of name: String, now: Date, zone: TimeZone) throws -> PersonalRecords? {
        let rows = try workouts(WorkoutFilter(name: name))
        guard let newest = rows.first else { return nil }
        let steps = try steps(ofWorkouts: rows.map(\.id))
        let efforts = steps.mapValues { step in
            Dictionary(step.sets.map { ($0.step, $0.effort) }, uniquingKeysWith: { first, _ in first })
        }
        return PersonalRecords(
            rows, efforts: efforts, corrections: steps.mapValues(\.corrections), name: newest.body.name ?? name,
            now: now, zone: zone)
    }
}

extension PersonalRecords {
    /// The schema of its JSON.
    package static let schema = Schema.object([
        ("name", .required(.words)),
        ("workouts", .required(.tally, "Those that have ended and in which something was done.")),
        ("days", .required(.tally, "The days with a workout.")),
        ("volume_kg", .required(.number(minimum: 0), "Repetitions times load over all sets with a load.")),
        (
            "streak",
            .required(
                .object([
                    ("weeks", .required(.tally, "Weeks in a row with a workout; they begin on Monday.")),
                    ("longest_weeks", .required(.tally)), ("days", .required(.tally)),
                    ("longest_days", .required(.tally)),
                ]))
        ), ("exercises", .required(.list(.named("ExerciseRecords", exercise)))),
    ])

    private static let best = Schema.named(
        "Best",
        .object([
            ("value", .required(.number(minimum: 0), "Kilograms or repetitions.")),
            ("reps", .optional(.tally, "Of the set; absent for a whole workout.")),
            ("load_kg", .optional(SetBody.loadSchema)), ("rpe", .optional(SetBody.rpeSchema)),
            ("uncertainty", .optional(.number(minimum: 0), "How far an estimate may be off.")),
            ("day", .required(.words)), ("workout", .required(.uuid)),
        ]))

    private static let exercise = Schema.object([
        ("action", .required(.word)), ("sets", .required(.tally)), ("loaded_sets", .required(.tally)),
        ("reps", .required(.tally)), ("volume_kg", .required(.number(minimum: 0))),
        ("heaviest", .optional(best)),
        (
            "e1rm",
            .optional(
                best,
                "The best estimate of the weight for one repetition by Epley's formula, from sets of 1 to 12 repetitions."
            )
        ), ("most_reps", .optional(best)), ("largest_volume", .optional(best, "Of a workout.")),
    ])
}
