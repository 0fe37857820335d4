import Actions
import Foundation

/// Which repetitions count, what is measured in all of them, and what is told of both.
extension WorkoutRunner {
    /// Counts the repetitions of a set of the person, for the step that is done now or the one before.
    mutating func count(_ set: WorkoutSet, at time: Date, _ events: inout [WorkoutEvent]) {
        while workout.isOpen, workout.phase != .asking {
            if workout.phase == .resting {
                let isOfLastStep = tally.step < workout.current && (tally.contains(set) || tally.isEarlier(set))
                if isOfLastStep { return countMore(set, at: time) }
                guard set.label == workout.step.planned.action else { return }
                open(at: time)
            }
            let planned = workout.step.planned
            guard set.label == planned.action else { return }
            if tally.isEarlier(set) { countLate(set, at: time) }
            let (seen, own) = tally.count(
                set, until: workout.until, where: isCounted(set, inStep: tally.step, at: time))
            workout.step.repetitions = tally.total
            measure(seen, of: set, at: time)
            if let form = set.form { workout.step.form = form }
            guard let first = seen.first, let newest = seen.last?.end else { return }
            lastActivity = max(lastActivity, newest)
            workout.end = max(workout.end, min(newest, time))
            start(at: first.start, &events)
            beginChallenge(with: first)
            announce(planned, own, at: time, &events)
            tellNoReps(seen, of: set, at: time, &events)
            stopWhereSlower(at: time, &events)
            guard let wanted = planned.repetitions, tally.total >= wanted, !own.isEmpty else { return }
            let surplus = tally.total - wanted
            let last = own[max(0, own.count - 1 - surplus)]
            if surplus > 0, isNextSame { workout.step.repetitions = wanted }
            complete(at: min(last.end, time), &events)
        }
    }

    /// Whether the next step follows without a rest and has the same exercise.
    private var isNextSame: Bool {
        workout.current + 1 < workout.steps.count && workout.step.planned.restSeconds == 0
            && workout.steps[workout.current + 1].planned.action == workout.step.planned.action
    }

    /// Counts what the person does beyond the plan before the rest.
    private mutating func countMore(_ set: WorkoutSet, at time: Date) {
        guard set.label == workout.steps[tally.step].planned.action else { return }
        let own = tally.count(
            set, until: workout.until, where: isCounted(set, inStep: tally.step, at: time)
        ).seen
        workout.steps[tally.step].repetitions = max(tally.total, workout.steps[tally.step].repetitions)
        if let newest = own.last?.end { workout.end = max(workout.end, newest) }
        if let form = set.form { workout.steps[tally.step].form = form }
    }

    /// Counts for the step before what was done during its rest, but recognised after it.
    private mutating func countLate(_ set: WorkoutSet, at time: Date) {
        guard let until = lastTally?.until, var last = lastTally?.tally else { return }
        _ = last.count(set, until: until, where: isCounted(set, inStep: last.step, at: time))
        workout.steps[last.step].repetitions = max(last.total, workout.steps[last.step].repetitions)
        lastTally?.tally = last
    }

    private mutating func announce(
        _ planned: WorkoutPlan.Step, _ own: [WorkoutSet.Repetition], at time: Date, _ events: inout [WorkoutEvent]
    ) {
        let count = min(tally.total, planned.repetitions ?? .max)
        guard count > announced else { return }
        let newest = own.dropLast(tally.total - count).suffix(count - announced)
        for number in (announced + 1)...count {
            events.append(WorkoutEvent(.repetition(step: workout.current, count: number), at: time, of: workout))
        }
        announced = count
        if let event = coach(newest, until: count, at: time) { events.append(event) }
    }

    /// Whether a repetition of a set counts for a step.
    private func isCounted(
        _ set: WorkoutSet, inStep step: Int, at time: Date
    ) -> (WorkoutSet.Repetition) -> Bool {
        let judge =
            step == workout.current ? judge : RepetitionJudge(workout.steps[step].planned.refusingRules(rules))
        return { repetition in
            let ruling = judge.verdict(repetition, of: set, at: time)?.ruling
            return ruling == .counts || ruling == .unjudged
        }
    }

    /// Takes over what was measured in the repetitions of a set.
    private mutating func measure(_ seen: [WorkoutSet.Repetition], of set: WorkoutSet, at time: Date) {
        measuredSets[set.number] = seen.compactMap { repetition in
            let ruling = judge.verdict(repetition, of: set, at: time)?.ruling
            let nothing = judge.isStrict ? RepetitionMeasures(view: .unknown) : nil
            guard let ruling, let measures = repetition.measures ?? nothing else { return nil }
            var measured = MeasuredRepetition(measures, by: stepRules)
            if judge.isStrict { measured.ruling = ruling }
            // The way up is not known before it is over.
            if !set.isOver(repetition, at: time) { measured.readings[.raisingSpeed] = nil }
            return measured
        }
        let all = measuredBefore + measuredSets.sorted { $0.key < $1.key }.flatMap(\.value)
        let limit = judge.isStrict ? all.count : workout.step.repetitions
        workout.step.measured = Array(all.prefix(min(limit, MeasuredRepetition.maximumInStep)))
    }

    /// Tells of the repetitions that do not count, where it has not been told.
    private mutating func tellNoReps(
        _ seen: [WorkoutSet.Repetition], of set: WorkoutSet, at time: Date, _ events: inout [WorkoutEvent]
    ) {
        let count = workout.step.noReps
        guard count > announcedNoReps else { return }
        let verdicts = seen.compactMap { judge.verdict($0, of: set, at: time) }
        let before = max(0, workout.step.measured.count - verdicts.count)
        let faults = verdicts.enumerated().compactMap { place, verdict in verdict.fault?.cue(before + place + 1) }
        for cue in faults.suffix(count - announcedNoReps) {
            announcedNoReps += 1
            if workout.step.cues.count < Cue.maximumInStep { workout.step.cues.append(cue) }
            let kind = WorkoutEvent.Kind.noRep(step: workout.current, count: announcedNoReps, cue)
            events.append(WorkoutEvent(kind, at: time, of: workout))
        }
        announcedNoReps = count
    }
}
