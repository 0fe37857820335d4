import Foundation
import History
import Messaging
import Records
import Workouts

extension WorkoutSupervisor {
    /// How long a command waits for workouts on their way to the disk.
    private static let longestCommit = Duration.seconds(8)

    /// Carries out a command about workouts. Called on the queue of the commands, so it may block.
    func carryOut(_ command: WorkoutCommand) -> CommandOutcome {
        do {
            switch command {
            case .start(let plan, let camera, let name, let nickname):
                let workout = try start(plan: plan, camera: camera, name: name, nickname: nickname)
                return .success(Self.answer(try stored(workout)))
            case .stop(let which): return .success(Self.answer(try stored(stop(which))))
            case .skip(let which): return .success(Self.answer(try stored(skip(which))))
            case .answerPain(let which, let pain):
                return .success(Self.answer(try stored(answer(pain: pain, of: which))))
            case .deleteName(let name): return .success(try deleteName(name))
            }
        } catch {
            return .failure(error as? CommandError ?? CommandError(.failed, "\(error)", retryable: true))
        }
    }

    /// Starts a workout.
    ///
    /// - Parameters:
    ///   - plan: the id of a plan file.
    ///   - camera: the camera; `nil` for the node's only one.
    ///   - name: what a person typed, by the rule of ``PersonName``; `nil` for none.
    ///   - nickname: what public places show in its place, by the same rule; `nil` for nothing.
    /// - Throws: ``CommandError``.
    package func start(
        plan: String, camera: String?, name: String?, nickname: String? = nil
    ) throws -> Workout {
        guard let camera = camera ?? (cameras.count == 1 ? cameras[0] : nil) else {
            throw CommandError(.invalidArguments, "name the camera, one of: \(cameras.joined(separator: ", "))")
        }
        let person = WorkoutPerson(name: try name.map(Self.checked), nickname: try nickname.map(Self.checked))
        let found: WorkoutPlan
        do { found = try library.plan(plan) } catch {
            throw CommandError(.unknownPlan, "\(error)")
        }
        if let ends = found.prescription?.ends, found.prescription?.isOver(at: now(camera), calendar) == true {
            throw CommandError(
                .invalidArguments,
                "the prescription '\(found.name)' ended on \(ends); ask the person who prescribed it for a new one")
        }
        guard open.filter({ $0.camera == camera }).count < Self.maximumPerCamera else {
            throw CommandError(
                .busy, "\(Self.maximumPerCamera) workouts go on in front of \(camera); stop one first", retryable: true)
        }
        return begin(found, camera: camera, person: person, at: now(camera))
    }

    private static func checked(_ typed: String) throws -> String {
        guard let name = PersonName(typed) else { throw CommandError(.invalidArguments, PersonName.rule) }
        return name.text
    }

    /// Takes over the pain after the last step of a workout.
    ///
    /// - Parameter which: the workout's id, or its camera; `nil` for the only one that asks.
    /// - Throws: ``CommandError``.
    package func answer(pain: Int, of which: String?) throws -> Workout {
        guard open.contains(where: { $0.painQuestion != nil }) else {
            throw CommandError(.unknownWorkout, "no workout asks for the pain now")
        }
        return try change(which, among: { $0.painQuestion != nil }) { runner, time in
            runner.answer(pain: pain, at: time) ?? []
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

    /// The answer does not repeat the name: answers are remembered, and a name that is deleted must not stay in them.
    private static func answer(_ workout: Workout) -> JSONValue {
        var answer: [String: JSONValue] = [
            "workout": .text(workout.id), "plan": .text(workout.plan.id), "camera": .text(workout.camera),
            "step": .integer(Int64(workout.current + 1)), "steps": .integer(Int64(workout.steps.count)),
        ]
        if let reason = workout.endReason { answer["end_reason"] = .text(reason.rawValue) }
        return .object(answer)
    }

    /// Deletes a name from the workouts that go on, from the history and from the record log, and with its training clips
    /// and in the databases beside the history.
    ///
    /// - Returns: how much had it, and what was not reached. The name itself is not repeated: paths of clips have it.
    private func deleteName(_ name: String) throws -> JSONValue {
        forget(name)
        // What is on its way to the disk may still have the name.
        try waitForDisk()
        let count = try history.deleteName(name, wall: Date())
        if count > 0 { publisher?.recordsAvailable() }
        let removal = try NameRemoval(of: name, beside: history.path)
        let waiting = try history.query.waitingReceivers().map {
            "the receiver \($0.name): it deletes the name when it has fetched all records"
        }
        let problems = removal.copies.compactMap(\.problem)
        let retained = ["what the broker retains of former sites: spotter person forget looks there"]
        return [
            "workouts": .integer(Int64(count)), "clips": .integer(Int64(removal.clips.count)),
            "copies": .integer(Int64(removal.copies.count { $0.workouts > 0 })),
            "not_reached": .list((problems + waiting + retained + NameRemoval.unreached).map { .text($0) }),
        ]
    }
}
