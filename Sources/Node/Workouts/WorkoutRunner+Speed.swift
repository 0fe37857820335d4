import Actions
import Foundation

/// The end of a step whose repetitions have become slow.
extension WorkoutRunner {
    /// Says to stop where the last repetitions are slower than the plan allows.
    mutating func stopWhereSlower(at time: Date, _ events: inout [WorkoutEvent]) {
        guard let limit = workout.step.planned.stopAtSlower, workout.phase == .active, stoppedSince == nil,
            let speeds = RepetitionSpeeds(workout.step.measured), speeds.isSlower(byPercent: limit),
            let loss = speeds.loss
        else { return }
        let reading = RepetitionMeasures.Reading(loss.value, uncertainty: loss.uncertainty)
            .rounded(for: .speedLoss)
        let words = FormMeasurement.speedLoss.text(loss.value, uncertainty: CueCoach.certainty * loss.uncertainty)
        let cue = Cue(
            kind: .stop, measure: .speedLoss, value: reading.value, uncertainty: reading.uncertainty,
            limit: limit / 100, text: "Stop: \(words) slower.", repetition: workout.step.repetitions)
        workout.step.cues.append(cue)
        stoppedSince = time
        events.append(WorkoutEvent(.cue(step: workout.current, cue), at: time, of: workout))
    }

    /// Ends the step a moment after it was said, so that the person hears it in this step.
    mutating func endStopped(at time: Date, _ events: inout [WorkoutEvent]) {
        guard workout.isOpen, workout.phase == .active, let since = stoppedSince,
            time.timeIntervalSince(since) >= Self.stopSeconds
        else { return }
        complete(at: time, &events)
    }
}
