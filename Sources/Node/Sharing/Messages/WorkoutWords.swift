import Words

/// A finished workout in words.
enum WorkoutWords {
    /// One line with the whole, and one for each exercise.
    static func lines(_ workout: FinishedWorkout, _ words: Words) -> [String] {
        let whole = words.say(
            "workout_done", in: .messages,
            [
                "person": workout.person, "plan": workout.plan,
                "time": words.duration(workout.end.timeIntervalSince(workout.start)),
                "reps": words.count(workout.repetitions, "reps", in: .page),
            ])
        var order: [String] = []
        var sets: [String: [String]] = [:]
        for step in workout.steps {
            if sets[step.exercise] == nil { order.append(step.exercise) }
            let amount = step.repetitions > 0 ? String(step.repetitions) : words.duration(step.seconds)
            let load = step.loadKilograms.map { " x \(words.number($0, digits: 2)) kg" } ?? ""
            sets[step.exercise, default: []].append(amount + load)
        }
        return [whole] + order.map { "\($0): \((sets[$0] ?? []).joined(separator: ", "))" }
    }
}
