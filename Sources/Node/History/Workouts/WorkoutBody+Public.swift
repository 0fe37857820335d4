import Contract
import Workouts

extension WorkoutBody {
    /// What public places may show: no name, and of a private workout neither its plan nor what was prescribed or hurt.
    package var forEverybody: WorkoutBody {
        var body = self
        body.name = nil
        guard isPrivate == true else { return body }
        (body.plan, body.planName, body.prescription) = (PublicView.planId, PublicView.planName, nil)
        body.endReason = endReason.map { Workout.EndReason(rawValue: $0)?.withoutPain.rawValue ?? $0 }
        body.steps = steps.map(\.withoutPrescription)
        return body
    }

    /// What receivers of the record log get. Every client of the broker may read it, so a private workout leaves the node
    /// as ``forEverybody``; of any other one a receiver also gets the name.
    package var forReceivers: WorkoutBody { isPrivate == true ? forEverybody : self }
}

extension WorkoutBody.Step {
    /// The step without targets, what was said about them, and pain.
    fileprivate var withoutPrescription: WorkoutBody.Step {
        var step = self
        (step.rangeLeast, step.rangeMost, step.secondsLeast, step.secondsMost) = (nil, nil, nil, nil)
        (step.standard, step.lockOut, step.stopAtSlower) = (nil, nil, nil)
        (step.cues, step.pain) = (nil, nil)
        return step
    }
}

extension WorkoutRow {
    /// What public places may show of it.
    package var forEverybody: WorkoutRow {
        var row = self
        row.body = body.forEverybody
        return row
    }
}
