import Foundation
import Workouts

extension FuzzReader {
    /// A plan file. An accepted one is begun as a workout.
    static let plans = FuzzReader(name: "plans") { bytes in
        try Scratch.file("plan.toml", bytes) { file in
            let plan = try WorkoutPlan(
                path: file.path, exercises: PlanExercises(repeated: ["squat", "lunge"], held: ["plank"]))
            precondition(!plan.steps.isEmpty && plan.sequence.count <= 100, "a plan without measure")
            let start = Date(timeIntervalSince1970: 1_795_258_800)
            let workout = Workout(id: "w", plan: plan, camera: "rack-1", name: nil, start: start)
            let stored = try JSONDecoder().decode(Workout.self, from: JSONEncoder().encode(workout))
            precondition(stored == workout, "it comes back as another one")
            var runner = WorkoutRunner(workout, exercises: ["squat", "lunge", "plank"], now: start)
            for _ in workout.steps { _ = runner.skip(at: start) }
            precondition(!runner.workout.isOpen, "it does not end")
        }
    }
}
