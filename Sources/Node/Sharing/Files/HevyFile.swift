import Foundation

/// A workout as CSV of the app Hevy, one line for each set.
///
/// The columns and the form of the times are those of Hevy's export in kilograms, as the repositories
/// multiplex55/Multi_Hevy_Workout_Dashboard and DaKheera47/strong-statistics list them.
enum HevyFile {
    private static let columns = [
        "title", "start_time", "end_time", "description", "exercise_title", "superset_id", "exercise_notes",
        "set_index", "set_type", "weight_kg", "reps", "distance_km", "duration_seconds", "rpe",
    ]

    static func text(of workout: FinishedWorkout, zone: TimeZone) -> String {
        func time(_ date: Date) -> AppCSV.Cell { .text(LocalTime.text(date, "d MMM yyyy, HH:mm", in: zone)) }
        let lines = AppCSV.numbered(workout.steps, from: 0).map { number, step in
            AppCSV.line(
                [
                    .text(workout.plan), time(workout.start), time(workout.end), .text(""), .text(step.exercise),
                    .number(nil), .text(""), .number(Double(number)), .text("normal"), .number(step.loadKilograms),
                    .number(step.repetitions > 0 ? Double(step.repetitions) : nil), .number(nil),
                    .number(AppCSV.heldSeconds(step)), .number(step.rpe),
                ], separator: ",")
        }
        return AppCSV.line(columns.map { .text($0) }, separator: ",") + lines.joined()
    }
}
