import Contract
import Foundation
import History
import Records
import Words

/// A named workout that has ended, as it is handed to other programs: what was done, without plan, pain and hints.
package struct FinishedWorkout: Sendable, Equatable {
    /// One step in which something was done.
    package struct Performed: Sendable, Equatable {
        /// The exercise's label.
        package let action: String
        /// The exercise's name for people.
        package let exercise: String
        /// When it began and ended.
        package let start, end: Date
        /// The repetitions counted; 0 for an exercise that is held.
        package let repetitions: Int
        /// Seconds in which the exercise was recognised.
        package let seconds: Double
        /// The weight that a person entered for the set, kilograms; `nil` for none.
        package let loadKilograms: Double?
        /// The perceived exertion that a person entered for the set, 1…10; `nil` for none.
        package let rpe: Double?
    }

    /// Why a workout cannot be handed on. The text ends with what to do.
    package struct Refusal: Error, CustomStringConvertible, Equatable {
        /// The reason, and what to do.
        package let description: String
    }

    /// The workout's id, a UUIDv7.
    package let id: String
    /// The name that a person typed.
    package let person: String
    /// The plan's name.
    package let plan: String
    /// When the workout began and ended.
    package let start, end: Date
    /// What was done, in order; not empty.
    package let steps: [Performed]

    /// The repetitions of all steps.
    package var repetitions: Int { steps.reduce(0) { $0 + $1.repetitions } }

    /// Takes over what was done in a stored workout.
    ///
    /// - Parameters:
    ///   - efforts: the weights and exertions of its steps, by the step's index.
    ///   - words: the language of the exercises' names.
    ///   - names: the model's names of exercises, by label.
    /// - Throws: ``Refusal`` for a workout that goes on, has no name, or in which nothing was done.
    package init(
        _ row: WorkoutRow, efforts: [Int: StepEffort] = [:], words: Words = Words(.english),
        names: [String: String] = [:]
    ) throws(Refusal) {
        let body = row.body
        guard body.endReason != nil else {
            throw Refusal(
                description: "workout \(row.id) goes on: wait until it has ended, or end it with `spotter workout stop`"
            )
        }
        guard let person = body.name else {
            throw Refusal(
                description:
                    "workout \(row.id) has no name, and only a named workout is handed on: give a name when it "
                    + "starts, with `spotter workout start PLAN --name NAME`")
        }
        let end = Timestamp.date(text: body.end) ?? .distantPast
        steps = body.steps.enumerated().compactMap { index, step in
            guard let start = step.start.flatMap(Timestamp.date(text:)), step.reps > 0 || step.seconds > 0 else {
                return nil
            }
            return Performed(
                action: step.action, exercise: words.label(step.action, model: names), start: start,
                end: max(start, step.end.flatMap(Timestamp.date(text:)) ?? end), repetitions: step.reps,
                seconds: step.seconds, loadKilograms: efforts[index]?.loadKg, rpe: efforts[index]?.rpe)
        }
        guard !steps.isEmpty else {
            throw Refusal(
                description: "nothing was recognised in workout \(row.id): `spotter history workouts` lists the others")
        }
        (id, self.person, plan) = (row.id, person, body.planName)
        (start, self.end) = (Timestamp.date(text: body.start) ?? end, end)
    }
}

extension FinishedWorkout {
    /// A made-up workout that has just ended, for tests of a recipient.
    package static func example(at end: Date) -> FinishedWorkout {
        FinishedWorkout(
            id: UUIDv7.string(at: end), person: "a made-up person", plan: "Test", start: end - 120, end: end,
            steps: [
                Performed(
                    action: "squat", exercise: "Squat", start: end - 110, end: end - 70, repetitions: 12, seconds: 40,
                    loadKilograms: nil, rpe: nil),
                Performed(
                    action: "plank", exercise: "Plank", start: end - 40, end: end - 10, repetitions: 0, seconds: 30,
                    loadKilograms: nil, rpe: nil),
            ])
    }

    private init(id: String, person: String, plan: String, start: Date, end: Date, steps: [Performed]) {
        (self.id, self.person, self.plan) = (id, person, plan)
        (self.start, self.end, self.steps) = (start, end, steps)
    }
}
