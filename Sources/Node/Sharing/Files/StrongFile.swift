import Foundation

/// A workout as CSV of the app Strong, one line for each set.
///
/// The columns are those of Strong's export with semicolons and units, as the repositories mtanzim/vis-strong-go and
/// rgdotplot/simple-workout-log-to-hevy list them. Hevy and other apps import this file.
enum StrongFile {
    private static let columns = [
        "Date", "Workout Name", "Exercise Name", "Set Order", "Weight", "Weight Unit", "Reps", "RPE", "Distance",
        "Distance Unit", "Seconds", "Notes", "Workout Notes", "Workout Duration",
    ]

    static func text(of workout: FinishedWorkout, zone: TimeZone) -> String {
        let date = LocalTime.text(workout.start, "yyyy-MM-dd HH:mm:ss", in: zone)
        let duration = duration(workout.end.timeIntervalSince(workout.start))
        let lines = AppCSV.numbered(workout.steps, from: 1).map { number, step in
            AppCSV.line(
                [
                    .text(date), .text(workout.plan), .text(step.exercise), .number(Double(number)),
                    .number(step.loadKilograms ?? 0), .text("kg"), .number(Double(step.repetitions)), .number(step.rpe),
                    .number(nil), .text(""), .number(AppCSV.heldSeconds(step) ?? 0), .text(""), .text(""),
                    .text(duration),
                ], separator: ";")
        }
        return columns.joined(separator: ";") + "\n" + lines.joined()
    }

    /// `45m`, `1h 5m`.
    private static func duration(_ seconds: Double) -> String {
        let minutes = max(1, Int((seconds / 60).rounded()))
        return minutes < 60 ? "\(minutes)m" : "\(minutes / 60)h \(minutes % 60)m"
    }
}
