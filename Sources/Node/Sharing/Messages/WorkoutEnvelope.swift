import Foundation
import Records

/// The JSON of a finished workout in a webhook.
struct WorkoutEnvelope: Encodable {
    private struct Set: Encodable {
        let action, exercise, start, end: String
        let reps: Int
        let seconds: Double
        let load, rpe: Double?

        enum CodingKeys: String, CodingKey {
            case action, exercise, start, end, reps, seconds, rpe
            case load = "load_kg"
        }
    }

    private let v = 1
    private let type = "workout"
    private let id, name, plan, start, end, site, node: String
    private let reps: Int
    private let sets: [Set]

    init(_ workout: FinishedWorkout, _ sender: SendingNode) {
        (id, name, plan) = (workout.id, workout.person, workout.plan)
        (start, end) = (Timestamp.text(workout.start), Timestamp.text(workout.end))
        (site, node, reps) = (sender.site, sender.node, workout.repetitions)
        sets = workout.steps.map {
            Set(
                action: $0.action, exercise: $0.exercise, start: Timestamp.text($0.start), end: Timestamp.text($0.end),
                reps: $0.repetitions, seconds: $0.seconds, load: $0.loadKilograms, rpe: $0.rpe)
        }
    }
}
