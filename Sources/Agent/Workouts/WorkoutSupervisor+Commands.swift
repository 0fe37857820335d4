import Foundation
import History
import Messaging
import Records
import Workouts

extension WorkoutSupervisor {
    /// How long a command waits for workouts on their way to the disk.
    private static let longestCommit = Duration.seconds(8)

    /// Carries out a command about workouts. Called on the queue of the commands, so it may block.
    func carryOut(_ command: Command) -> CommandOutcome {
        do {
            switch command {
            case .startWorkout(let plan, let camera, let name):
                return .success(Self.answer(try stored(start(plan: plan, camera: camera, name: name))))
            case .stopWorkout(let which): return .success(Self.answer(try stored(stop(which))))
            case .skipStep(let which): return .success(Self.answer(try stored(skip(which))))
            case .deleteName(let name): return .success(["workouts": .integer(Int64(try deleteName(name)))])
            default: return .failure(CommandError(.failed, "this is no command about workouts"))
            }
        } catch {
            return .failure(error as? CommandError ?? CommandError(.failed, "\(error)", retryable: true))
        }
    }

    /// The workout, once its change is on disk.
    private func stored(_ workout: Workout) throws -> Workout {
        try waitForDisk()
        return workout
    }

    private func waitForDisk() throws {
        let batch = writer.waitingWorkoutBatch
        let end = ContinuousClock.now + Self.longestCommit
        while writer.committedBatch < batch, ContinuousClock.now < end { usleep(20_000) }
        guard writer.committedBatch >= batch else {
            throw CommandError(
                .failed, "it is done, but the disk takes nothing now; look at the node's health", retryable: true)
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
        try waitForDisk()
        let count = try history.deleteName(name, wall: Date())
        if count > 0 { publisher?.recordsAvailable() }
        return count
    }

    /// A name as somebody may type it.
    static func checked(_ name: String) throws -> String {
        let name = name.trimmingCharacters(in: .whitespaces)
        let isPrintable = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard (1...40).contains(name.count), isPrintable else {
            throw CommandError(.invalidArguments, "a name has 1 to 40 characters, without line breaks")
        }
        return name
    }
}
