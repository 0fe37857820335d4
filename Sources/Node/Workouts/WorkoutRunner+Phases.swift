import Foundation

/// The changes of a workout's phase.
extension WorkoutRunner {
    mutating func start(at time: Date, _ events: inout [WorkoutEvent]) {
        guard workout.phase == .waiting else { return }
        workout.phase = .active
        if workout.step.start == nil {
            workout.step.start = time
            if workout.current > 0, let before = workout.steps[workout.current - 1].end {
                workout.step.restBeforeSeconds = max(0, time.timeIntervalSince(before))
            }
            if let seconds = workout.plan.challengeSeconds { workout.until = time.addingTimeInterval(seconds) }
        }
        events.append(WorkoutEvent(.stepStarted(step: workout.current), at: time, of: workout))
    }

    /// Ends the current step. Goes on with its rest, the next step or the end of the workout.
    mutating func complete(at time: Date, rests: Bool = true, _ events: inout [WorkoutEvent]) {
        let step = workout.current
        let rest = rests ? workout.step.planned.restSeconds : 0
        workout.step.end = time
        workout.end = time
        lastActivity = max(lastActivity, time.addingTimeInterval(rest))
        isRunning = false
        heldSince = nil
        guard step + 1 < workout.steps.count else {
            events.append(WorkoutEvent(.stepCompleted(step: step), at: time, of: workout))
            guard workout.painQuestion != nil else { return end(.completed, at: time, &events) }
            workout.phase = .asking
            workout.until = time.addingTimeInterval(Self.questionSeconds)
            return
        }
        workout.current += 1
        if rest > 0 {
            workout.phase = .resting
            workout.until = time.addingTimeInterval(rest)
        } else {
            open(at: time)
        }
        events.append(WorkoutEvent(.stepCompleted(step: step), at: time, of: workout))
    }

    mutating func endRest(at time: Date, _ events: inout [WorkoutEvent]) {
        if workout.phase == .asking, let until = workout.until, time >= until {
            return end(.completed, at: until, &events)
        }
        guard workout.phase == .resting, let until = workout.until, time >= until else { return }
        open(at: until)
    }

    /// Begins to wait for the current step's exercise. Repetitions of a new set count from the end of the step before.
    mutating func open(at time: Date) {
        let before = workout.current > 0 ? workout.steps[workout.current - 1].end : nil
        workout.phase = .waiting
        workout.until = nil
        let earlier = tally.step < workout.current ? tally : nil
        lastTally = earlier.map { ($0, time) }
        // After a restart nothing is known of the sets before it.
        let start = earlier == nil ? time : before ?? time
        tally = RepetitionTally(
            step: workout.current, base: workout.step.repetitions, start: start, lateStart: time, after: earlier)
        announced = workout.step.repetitions
        heldSince = nil
        prepareStep()
    }

    /// Gets ready to measure and to coach the current step.
    mutating func prepareStep() {
        stepRules = workout.step.planned.rules(rules)
        // A person who does as many as possible is not told to take more time.
        let isChallenge = workout.plan.challengeSeconds != nil
        coach = CueCoach(
            isChallenge ? stepRules.filter { $0.measure.unit != .seconds } : stepRules,
            changesSides: workout.step.planned.changesSides)
        judge = RepetitionJudge(workout.step.planned.refusingRules(rules))
        measuredBefore = workout.step.measured
        measuredSets = [:]
        announcedNoReps = workout.step.noReps
        stoppedSince = nil
    }

    /// Says what there is to say about the newest repetitions.
    mutating func coach(_ newest: ArraySlice<WorkoutSet.Repetition>, until count: Int, at time: Date) -> WorkoutEvent? {
        var cue: Cue?
        for (index, repetition) in newest.enumerated() {
            guard let measures = repetition.measures else { continue }
            cue = coach.cue(after: count - newest.count + index + 1, measures) ?? cue
        }
        guard let cue else { return nil }
        if workout.step.cues.count < Cue.maximumInStep { workout.step.cues.append(cue) }
        return WorkoutEvent(.cue(step: workout.current, cue), at: time, of: workout)
    }

    /// The clock of a challenge starts with the first repetition, which is known a moment after the exercise.
    mutating func beginChallenge(with first: WorkoutSet.Repetition) {
        guard let seconds = workout.plan.challengeSeconds, let start = workout.step.start, first.start < start else {
            return
        }
        workout.step.start = first.start
        workout.until = first.start.addingTimeInterval(seconds)
    }

    mutating func endChallenge(at time: Date, _ events: inout [WorkoutEvent]) {
        guard workout.isOpen, workout.plan.challengeSeconds != nil, let until = workout.until else { return }
        if time >= until { isRunning = false }
        if time >= until.addingTimeInterval(Self.settleSeconds) { complete(at: until, &events) }
    }

    /// Ends the workout after a quarter of an hour in which nothing was done, with the last thing that was done.
    mutating func abandon(at time: Date, _ events: inout [WorkoutEvent]) {
        guard workout.isOpen, workout.phase != .asking,
            time.timeIntervalSince(lastActivity) > Self.abandonSeconds
        else { return }
        end(.abandoned, at: workout.end, &events)
    }

    mutating func end(_ reason: Workout.EndReason, at time: Date, _ events: inout [WorkoutEvent]) {
        workout.endReason = reason
        // The question after the last step, answered or not, does not make the workout longer.
        if workout.phase != .asking { workout.end = max(workout.end, time) }
        workout.until = nil
        // A step that was broken off ends with the workout; one that never began has no times.
        if workout.step.start != nil, workout.step.end == nil { workout.step.end = workout.end }
        pause()
        person = nil
        events.append(WorkoutEvent(.ended, at: workout.end, of: workout))
    }
}
