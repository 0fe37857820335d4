import Records

/// A finished workout in words.
enum WorkoutWords {
    /// One line with the whole, and one for each exercise.
    static func lines(_ workout: FinishedWorkout) -> [String] {
        let duration = DurationText.of(workout.end.timeIntervalSince(workout.start))
        let whole =
            "\(workout.person) did \(workout.plan) in \(duration): \(workout.repetitions.counted("repetition"))."
        var order: [String] = []
        var sets: [String: [String]] = [:]
        for step in workout.steps {
            if sets[step.exercise] == nil { order.append(step.exercise) }
            let amount = step.repetitions > 0 ? String(step.repetitions) : DurationText.of(step.seconds)
            let load = step.loadKilograms.map { " x \(AppCSV.plain($0)) kg" } ?? ""
            sets[step.exercise, default: []].append(amount + load)
        }
        return [whole] + order.map { "\($0): \((sets[$0] ?? []).joined(separator: ", "))" }
    }
}
