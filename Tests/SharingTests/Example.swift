import Contract
import Foundation
import History
import Records
import Sharing
import Workouts

/// Workouts for tests.
enum Example {
    /// 2026-11-21, 12:00 in Berlin.
    static let noon = Date(timeIntervalSince1970: 1_795_258_800)
    static let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
    static let id = "019aa0d1-22b0-7f3e-8d51-0c1f6e2b7a90"
    static let node = SendingNode(site: "berlin", node: "sp-one", name: "Rack corner")

    /// Twelve squats, half a minute of plank after a rest, a step that was skipped, and ten squats.
    static func workout(
        id: String = id, name: String? = "Anna", isOpen: Bool = false, isDone: Bool = true, isPrivate: Bool = false,
        first: String = "squat"
    ) -> Workout {
        var plan = WorkoutPlan(
            id: "legs", name: "Legs; \"heavy\"",
            steps: [
                WorkoutPlan.Step(action: first, repetitions: 12, restSeconds: 60),
                WorkoutPlan.Step(action: "plank", seconds: 30), WorkoutPlan.Step(action: "lunge", repetitions: 8),
                WorkoutPlan.Step(action: "squat", repetitions: 10),
            ])
        plan.isPrivate = isPrivate
        var workout = Workout(id: id, plan: plan, camera: "rack1", name: name, start: noon)
        if isDone {
            set(&workout.steps[0], from: 5.25, to: 40.5, reps: 12)
            set(&workout.steps[1], from: 100, to: 131, reps: 0)
            workout.steps[2].isSkipped = true
            set(&workout.steps[3], from: 190, to: 220, reps: 10)
        }
        workout.end = noon + 230
        workout.endReason = isOpen ? nil : .completed
        return workout
    }

    private static func set(_ step: inout Workout.Step, from start: Double, to end: Double, reps: Int) {
        (step.start, step.end) = (noon + start, noon + end)
        (step.repetitions, step.seconds) = (reps, end - start)
    }

    /// The same as it is handed on, with a weight and an exertion in the first set.
    static func finished() throws -> FinishedWorkout {
        try FinishedWorkout(
            WorkoutRow(workout()), efforts: [0: StepEffort(loadKg: 62.5, rpe: 8.5)],
            names: ["squat": "Squat", "plank": "Plank"])
    }
}
