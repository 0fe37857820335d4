import Contract
import Foundation
import Records
import Workouts

extension WorkoutBody {
    /// The body of a workout.
    package init(_ workout: Workout) { self.init(workout, sums: workout.steps.map(\.summary)) }

    /// The body of a workout whose measurements were not read.
    ///
    /// - Parameter sums: what was measured in each step.
    init(_ workout: Workout, sums: [StepForm?]) {
        self.init(
            camera: workout.camera, plan: workout.plan.id, planName: workout.plan.name, name: workout.name,
            nickname: workout.nickname, isPrivate: workout.plan.isPrivate ? true : nil,
            start: Timestamp.text(workout.start),
            end: Timestamp.text(max(workout.start, workout.end)),
            endReason: workout.endReason?.rawValue, prescription: workout.plan.prescription,
            challengeSeconds: workout.plan.challengeSeconds,
            completedSteps: workout.completedSteps, reps: workout.repetitions,
            steps: zip(workout.steps, sums).map { Step($0, measured: $1) })
    }
}

extension WorkoutBody.Step {
    init(_ step: Workout.Step, measured: StepForm?) {
        self.init(
            round: step.round, action: step.planned.action, side: step.planned.side?.rawValue,
            plannedReps: step.planned.repetitions, plannedSeconds: step.planned.seconds,
            plannedRestSeconds: step.planned.restSeconds, start: step.start.map(Timestamp.text),
            end: step.end.map(Timestamp.text), reps: step.repetitions, seconds: step.seconds.rounded(decimals: 1),
            restBeforeSeconds: step.restBeforeSeconds?.rounded(decimals: 1), form: step.form, measured: measured,
            rangeLeast: step.planned.rangeLeast, rangeMost: step.planned.rangeMost,
            secondsLeast: step.planned.secondsLeast, secondsMost: step.planned.secondsMost,
            cues: step.cues.isEmpty ? nil : step.cues.map(\.text), pain: step.pain, skipped: step.isSkipped,
            complete: step.isComplete)
        (standard, lockOut) = (step.planned.standard?.rawValue, step.planned.lockOut)
        stopAtSlower = step.planned.stopAtSlower
        stopped = step.isStopped ? "slower" : nil
    }
}
