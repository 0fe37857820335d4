import Foundation

/// Runs one workout: feed it what the camera sees, and it starts the timer, counts, times the rest and goes on by itself.
///
/// It is a value without a clock: all times come with the scenes. The person is whoever does the exercise first. Somebody
/// who has been out of view for ``graceSeconds`` may be replaced by whoever does the exercise next.
public struct WorkoutRunner: Sendable {
    /// Seconds out of view after which the person is free to be somebody else.
    static let graceSeconds = 3.0
    /// Seconds without any exercise or rest after which a workout ends.
    package static let abandonSeconds = 900.0
    /// A window counts for the timer for this long at most, in seconds.
    static let longestWindowSeconds = 1.0
    /// An exercise that is held ends a rest early once it has been shown for this long, in seconds.
    static let heldSeconds = 2.0
    /// Seconds after a challenge in which repetitions that were done in time may still be recognised.
    static let settleSeconds = 2.0

    /// The workout so far.
    public private(set) var workout: Workout
    /// The person's track; `nil` while nobody does the workout.
    public private(set) var person: Int?
    /// Whether the step's exercise is recognised now, so that the timer runs.
    public private(set) var isRunning = false
    /// Another exercise that the person does now, which does not count; `nil` for none.
    public private(set) var ignored: String?
    private let exercises: Set<String>
    private var tally: RepetitionTally
    /// The highest count of the current step that was announced.
    private var announced = 0
    private var lastSeen: Date
    private var lastWindow: Date?
    private var lastActivity: Date
    /// Since when the next step's exercise has been shown during the rest.
    private var heldSince: Date?

    /// Begins a workout, or continues one that was stored.
    ///
    /// - Parameters:
    ///   - exercises: all labels of the model that are exercises.
    ///   - now: the time from which repetitions count.
    public init(_ workout: Workout, exercises: Set<String>, now: Date) {
        self.workout = workout
        self.exercises = exercises
        tally = RepetitionTally(step: workout.current, base: workout.step.repetitions, start: now)
        announced = workout.step.repetitions
        (lastSeen, lastActivity) = (now, now)
        // A clock that was set meanwhile must not make a rest longer than planned.
        if let until = workout.until, workout.phase == .resting, workout.current > 0 {
            let rest = workout.steps[workout.current - 1].planned.restSeconds
            self.workout.until = min(until, now.addingTimeInterval(rest))
        }
    }

    /// Takes over one frame.
    ///
    /// - Parameter taken: tracks that do another workout.
    /// - Returns: what happened, in order.
    public mutating func observe(_ scene: WorkoutScene, taken: Set<Int> = []) -> [WorkoutEvent] {
        guard workout.isOpen else { return [] }
        var events: [WorkoutEvent] = []
        endRest(at: scene.time)
        follow(scene, taken)
        if let person, let label = scene.labels[person] { show(label, at: scene.time, &events) }
        if let lastWindow, scene.time.timeIntervalSince(lastWindow) > Self.longestWindowSeconds * 1.5 { pause() }
        for set in scene.sets where set.track == person { count(set, at: scene.time, &events) }
        endChallenge(at: scene.time, &events)
        if workout.isOpen, scene.time.timeIntervalSince(lastActivity) > Self.abandonSeconds {
            end(.abandoned, at: scene.time, &events)
        }
        return events
    }

    /// Ends the current step as it is, and goes on with the next one.
    public mutating func skip(at time: Date) -> [WorkoutEvent] {
        guard workout.isOpen else { return [] }
        var events: [WorkoutEvent] = []
        if workout.phase == .resting { open(at: time) }
        workout.step.isSkipped = !workout.step.isComplete
        complete(at: time, rests: false, &events)
        return events
    }

    /// Ends the workout.
    public mutating func stop(_ reason: Workout.EndReason, at time: Date) -> [WorkoutEvent] {
        var events: [WorkoutEvent] = []
        if workout.isOpen { end(reason, at: time, &events) }
        return events
    }

    /// Takes the name away.
    public mutating func removeName() { workout.name = nil }

    /// Lets go of the person, because the camera was lost or its people are numbered anew.
    public mutating func releasePerson(at time: Date) {
        pause()
        tally.settle(at: lastSeen)
        (person, lastWindow, heldSince) = (nil, nil, nil)
        lastSeen = time
    }
}

// MARK: - One frame

extension WorkoutRunner {
    private mutating func follow(_ scene: WorkoutScene, _ taken: Set<Int>) {
        if let person {
            if scene.tracks.contains(person) {
                lastSeen = scene.time
            } else if scene.time.timeIntervalSince(lastSeen) > Self.graceSeconds {
                releasePerson(at: scene.time)
            }
        }
        guard person == nil else { return }
        let action = workout.step.planned.action
        let free = scene.tracks.filter { !taken.contains($0) }
        person = free.first { track in
            scene.labels[track] == action || scene.sets.contains { $0.track == track && $0.label == action }
        }
        if person != nil {
            lastSeen = scene.time
        } else {
            let others = free.compactMap { scene.labels[$0] }
            if !others.isEmpty { ignored = others.first { exercises.contains($0) && $0 != action } }
        }
    }

    /// Takes over the label that is shown for the person.
    private mutating func show(_ label: String, at time: Date, _ events: inout [WorkoutEvent]) {
        let passed = lastWindow.map { max(0, time.timeIntervalSince($0)) } ?? 0
        lastWindow = time
        guard label == workout.step.planned.action else {
            isRunning = false
            heldSince = nil
            let isLastOne = workout.phase == .resting && label == workout.steps[workout.current - 1].planned.action
            ignored = exercises.contains(label) && !isLastOne ? label : nil
            return
        }
        ignored = nil
        if workout.phase == .resting { return hold(at: time, &events) }
        if isRunning { workout.step.seconds += min(passed, Self.longestWindowSeconds) }
        isRunning = true
        lastActivity = time
        workout.end = time
        start(at: time, &events)
        if let wanted = workout.step.planned.seconds, workout.step.seconds >= wanted { complete(at: time, &events) }
    }

    /// A step of seconds begins before its rest is over, if its exercise is shown for long enough.
    private mutating func hold(at time: Date, _ events: inout [WorkoutEvent]) {
        // Steps of repetitions begin early with a new set: the label alone may be the last of the step before.
        guard workout.step.planned.seconds != nil,
            workout.step.planned.action != workout.steps[workout.current - 1].planned.action
        else { return }
        let since = heldSince ?? time
        heldSince = since
        guard time.timeIntervalSince(since) >= Self.heldSeconds else { return }
        open(at: since)
        isRunning = true
        start(at: since, &events)
    }

    private mutating func pause() {
        isRunning = false
        ignored = nil
    }

    /// Counts the repetitions of a set of the person, for the step that is done now or the one before.
    private mutating func count(_ set: WorkoutSet, at time: Date, _ events: inout [WorkoutEvent]) {
        while workout.isOpen {
            if workout.phase == .resting {
                let isOfLastStep = tally.step < workout.current && (tally.contains(set) || tally.isEarlier(set))
                if isOfLastStep { return countMore(set) }
                guard set.label == workout.step.planned.action else { return }
                open(at: time)
            }
            let planned = workout.step.planned
            guard set.label == planned.action else { return }
            let own = tally.count(set, side: planned.side, until: workout.until)
            workout.step.repetitions = tally.total
            if let form = set.form { workout.step.form = form }
            guard let first = own.first else { return }
            (lastActivity, workout.end) = (time, time)
            start(at: first.start, &events)
            announce(planned, own, at: time, &events)
            guard let wanted = planned.repetitions, tally.total >= wanted else { return }
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
    private mutating func countMore(_ set: WorkoutSet) {
        guard set.label == workout.steps[tally.step].planned.action else { return }
        _ = tally.count(set, side: workout.steps[tally.step].planned.side, until: workout.until)
        workout.steps[tally.step].repetitions = max(tally.total, workout.steps[tally.step].repetitions)
        if let form = set.form { workout.steps[tally.step].form = form }
    }

    private mutating func announce(
        _ planned: WorkoutPlan.Step, _ own: [WorkoutSet.Repetition], at time: Date, _ events: inout [WorkoutEvent]
    ) {
        let count = min(tally.total, planned.repetitions ?? .max)
        guard count > announced else { return }
        for number in (announced + 1)...count {
            events.append(WorkoutEvent(.repetition(step: workout.current, count: number), at: time, of: workout))
        }
        announced = count
    }
}

// MARK: - Changes of the phase

extension WorkoutRunner {
    private mutating func start(at time: Date, _ events: inout [WorkoutEvent]) {
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
    private mutating func complete(at time: Date, rests: Bool = true, _ events: inout [WorkoutEvent]) {
        let step = workout.current
        let rest = rests ? workout.step.planned.restSeconds : 0
        workout.step.end = time
        workout.end = time
        isRunning = false
        heldSince = nil
        guard step + 1 < workout.steps.count else {
            events.append(WorkoutEvent(.stepCompleted(step: step), at: time, of: workout))
            return end(.completed, at: time, &events)
        }
        workout.current += 1
        if rest > 0 {
            workout.phase = .resting
            workout.until = time.addingTimeInterval(rest)
            lastActivity = time.addingTimeInterval(rest)
        } else {
            open(at: time)
        }
        events.append(WorkoutEvent(.stepCompleted(step: step), at: time, of: workout))
    }

    private mutating func endRest(at time: Date) {
        guard workout.phase == .resting, let until = workout.until, time >= until else { return }
        open(at: until)
    }

    /// Begins to wait for the current step's exercise. Repetitions of a new set count from the end of the step before.
    private mutating func open(at time: Date) {
        let before = workout.current > 0 ? workout.steps[workout.current - 1].end : nil
        workout.phase = .waiting
        workout.until = nil
        let earlier = tally.step < workout.current ? tally : nil
        tally = RepetitionTally(
            step: workout.current, base: workout.step.repetitions, start: max(before ?? time, earlier == nil ? time : before ?? time),
            lateStart: time, after: earlier)
        announced = workout.step.repetitions
        heldSince = nil
    }

    private mutating func endChallenge(at time: Date, _ events: inout [WorkoutEvent]) {
        guard workout.isOpen, workout.plan.challengeSeconds != nil, let until = workout.until else { return }
        if time >= until { isRunning = false }
        if time >= until.addingTimeInterval(Self.settleSeconds) { complete(at: until, &events) }
    }

    private mutating func end(_ reason: Workout.EndReason, at time: Date, _ events: inout [WorkoutEvent]) {
        workout.endReason = reason
        workout.end = max(workout.end, time)
        workout.until = nil
        // A step that was broken off ends with the workout; one that never began has no times.
        if workout.step.start != nil, workout.step.end == nil { workout.step.end = workout.end }
        pause()
        person = nil
        events.append(WorkoutEvent(.ended, at: workout.end, of: workout))
    }
}
