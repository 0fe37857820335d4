import Foundation
import History
import Messaging
import Records
import Workouts

extension WorkoutSupervisor {
    /// How long the deletion of a name waits for workouts on their way to the disk.
    private static let longestCommit = Duration.seconds(20)

    /// Carries out a command about workouts. Called on the queue of the commands, so it may block.
    func carryOut(_ command: Command) -> CommandOutcome {
        do {
            switch command {
            case .startWorkout(let plan, let camera, let name):
                return .success(Self.answer(try start(plan: plan, camera: camera, name: name)))
            case .stopWorkout(let which): return .success(Self.answer(try stop(which)))
            case .skipStep(let which): return .success(Self.answer(try skip(which)))
            case .deleteName(let name): return .success(["workouts": .integer(Int64(try deleteName(name)))])
            default: return .failure(CommandError(.failed, "this is no command about workouts"))
            }
        } catch {
            return .failure(error as? CommandError ?? CommandError(.failed, "\(error)", retryable: true))
        }
    }

    private static func answer(_ workout: Workout) -> JSONValue {
        var answer: [String: JSONValue] = [
            "workout": .text(workout.id), "plan": .text(workout.plan.id), "camera": .text(workout.camera),
            "step": .integer(Int64(workout.current + 1)), "steps": .integer(Int64(workout.steps.count)),
        ]
        if let name = workout.name { answer["name"] = .text(name) }
        if let reason = workout.endReason { answer["end_reason"] = .text(reason.rawValue) }
        return .object(answer)
    }

    /// Deletes a name from the workouts that go on, from the history and from the record log.
    ///
    /// - Returns: how many workouts had it.
    private func deleteName(_ name: String) throws -> Int {
        forget(name)
        // What is on its way to the disk may still have the name.
        let batch = writer.waitingWorkoutBatch
        let end = ContinuousClock.now + Self.longestCommit
        while writer.committedBatch < batch, ContinuousClock.now < end { usleep(50_000) }
        guard writer.committedBatch >= batch else {
            throw CommandError(.failed, "the disk takes nothing now; look at the node's health", retryable: true)
        }
        let count = try history.deleteName(name, wall: Date())
        if count > 0 { publisher?.recordsAvailable() }
        return count
    }
}
