import Actions
import Foundation

/// Runs one workout: feed it what the camera sees, and it starts the timer, counts, times the rest and goes on by itself.
///
/// It is a value without a clock: all times come with the scenes. The person is the first who does the exercise. One
/// who has been out of view for ``graceSeconds`` may be replaced by the next who does the exercise.
public struct WorkoutRunner: Sendable {
    /// Seconds out of view after which the person is free to be another person.
    static let graceSeconds = 3.0
    /// Seconds without any exercise or rest after which a workout ends.
    package static let abandonSeconds = 900.0
    /// A window counts for the timer for this long at most, in seconds.
    static let longestWindowSeconds = 1.0
    /// An exercise that is held ends a rest early once it has been shown for this long, in seconds.
    static let heldSeconds = 2.0
    /// Seconds after a challenge in which repetitions that were done in time may still be recognised.
    static let settleSeconds = 2.0

    /// Seconds in which the pain after the last step can be stated.
    static let questionSeconds = 300.0
    /// Seconds between the words to stop, because the repetitions have become slow, and the end of the step.
    static let stopSeconds = 3.0

    /// The workout so far.
    public internal(set) var workout: Workout
    /// The person's track; `nil` while nobody does the workout.
    public internal(set) var person: Int?
    /// Whether the step's exercise is recognised now, so that the timer runs.
    public internal(set) var isRunning = false
    /// Another exercise that the person does now, which does not count; `nil` for none.
    public private(set) var ignored: String?
    private let exercises: Set<String>
    let rules: FormRules
    /// The rules of the current step.
    var stepRules: [FormRule] = []
    var coach = CueCoach([])
    /// Says which repetitions of the current step count.
    var judge = RepetitionJudge(nil)
    /// How many of the current step were said not to count.
    var announcedNoReps = 0
    /// When it was said to stop the current step; `nil` while nothing speaks for it.
    var stoppedSince: Date?
    /// What was measured in the current step before the present person's sets.
    var measuredBefore: [MeasuredRepetition] = []
    /// What was measured in the current step, by the set's number.
    var measuredSets: [Int: [MeasuredRepetition]] = [:]
    var tally: RepetitionTally
    /// The tally of the step before, and the end of its rest: until then its sets may still grow.
    var lastTally: (tally: RepetitionTally, until: Date)?
    /// The highest count of the current step that was announced.
    var announced = 0
    /// When a track last did another workout. What it did until then is not of this one.
    private var busyUntil: [Int: Date] = [:]
    private var lastSeen: Date
    private var lastWindow: Date?
    var lastActivity: Date
    /// Since when the next step's exercise has been shown during the rest.
    var heldSince: Date?

    /// Begins a workout, or continues one that was stored.
    ///
    /// - Parameters:
    ///   - exercises: all labels of the model that are exercises.
    ///   - rules: what good form is.
    ///   - now: the time from which repetitions count.
    public init(_ workout: Workout, exercises: Set<String>, rules: FormRules = FormRules(), now: Date) {
        self.workout = workout
        self.exercises = exercises
        self.rules = rules
        tally = RepetitionTally(step: workout.current, base: workout.step.repetitions, start: now)
        announced = workout.step.repetitions
        (lastSeen, lastActivity) = (now, now)
        // A clock that was set meanwhile must not make a rest longer than planned.
        if let until = workout.until, workout.phase == .resting, workout.current > 0 {
            let rest = workout.steps[workout.current - 1].planned.restSeconds
            self.workout.until = min(until, now.addingTimeInterval(rest))
        }
        prepareStep()
        // It was said before a restart.
        if workout.step.isStopped, workout.step.end == nil { stoppedSince = now }
    }

    /// Takes over one frame.
    ///
    /// - Parameter taken: tracks that do another workout.
    /// - Returns: what happened, in order.
    public mutating func observe(_ scene: WorkoutScene, taken: Set<Int> = []) -> [WorkoutEvent] {
        guard workout.isOpen else { return [] }
        note(taken, of: scene)
        var events: [WorkoutEvent] = []
        endRest(at: scene.time, &events)
        guard workout.isOpen, workout.phase != .asking else { return events }
        follow(scene, taken)
        if let person, let label = scene.labels[person] { show(label, at: scene.time, &events) }
        if let lastWindow, scene.time.timeIntervalSince(lastWindow) > Self.longestWindowSeconds * 1.5 { pause() }
        for set in scene.sets where set.track == person { count(set, at: scene.time, &events) }
        endStopped(at: scene.time, &events)
        endChallenge(at: scene.time, &events)
        abandon(at: scene.time, &events)
        return events
    }

    /// Takes over that time passes without a frame: rests, the question, challenges and the quarter of an hour go on.
    ///
    /// - Returns: what happened, in order.
    public mutating func pass(to time: Date) -> [WorkoutEvent] {
        guard workout.isOpen else { return [] }
        var events: [WorkoutEvent] = []
        if let lastWindow, time.timeIntervalSince(lastWindow) > Self.longestWindowSeconds * 1.5 { pause() }
        endRest(at: time, &events)
        endStopped(at: time, &events)
        endChallenge(at: time, &events)
        abandon(at: time, &events)
        return events
    }

    /// Ends the current step as it is, and goes on with the next one.
    public mutating func skip(at time: Date) -> [WorkoutEvent] {
        guard workout.isOpen else { return [] }
        var events: [WorkoutEvent] = []
        if workout.phase == .asking {
            end(.completed, at: time, &events)
            return events
        }
        if workout.phase == .resting { open(at: time) }
        workout.step.isSkipped = !workout.step.isComplete && !workout.step.isStopped
        complete(at: time, rests: false, &events)
        return events
    }

    /// Takes over the pain after the last step, 0…10. Above the limit of the prescription the workout ends.
    ///
    /// - Returns: what happened, in order; `nil` when nothing was asked.
    public mutating func answer(pain: Int, at time: Date) -> [WorkoutEvent]? {
        guard let step = workout.painQuestion else { return nil }
        var events: [WorkoutEvent] = []
        workout.steps[step].pain = pain
        if pain > workout.plan.prescription?.painLimit ?? 10 {
            end(.pain, at: time, &events)
        } else if workout.phase == .asking {
            end(.completed, at: time, &events)
        }
        return events
    }

    /// Ends the workout.
    public mutating func stop(_ reason: Workout.EndReason, at time: Date) -> [WorkoutEvent] {
        var events: [WorkoutEvent] = []
        // Only the answer about the pain is missing after the last step.
        if workout.isOpen { end(workout.phase == .asking ? .completed : reason, at: time, &events) }
        return events
    }

    /// Takes the name away, and the nickname with it.
    public mutating func removeName() { (workout.name, workout.nickname) = (nil, nil) }

    /// Lets go of the person, because the camera was lost or its people are numbered anew.
    public mutating func releasePerson(at time: Date) {
        pause()
        settle()
        (person, lastWindow, heldSince) = (nil, nil, nil)
        lastSeen = time
    }

    /// Makes final what the person's sets have counted, because other sets follow.
    private mutating func settle() {
        tally.settle(at: lastSeen)
        (measuredBefore, measuredSets) = (workout.step.measured, [:])
        lastTally = nil
    }
}

// MARK: - One frame

extension WorkoutRunner {
    /// Goes on with the person's sets under the number that they had before.
    private mutating func renumberPerson(by links: [PersonLink]) {
        guard let link = links.first(where: { $0.from == person }) else { return }
        settle()
        person = link.to
    }

    private mutating func note(_ taken: Set<Int>, of scene: WorkoutScene) {
        for link in scene.links {
            if let busy = busyUntil.removeValue(forKey: link.from) { busyUntil[link.to] = busy }
        }
        for track in taken { busyUntil[track] = scene.time }
        busyUntil = busyUntil.filter { scene.time.timeIntervalSince($0.value) < Self.abandonSeconds }
    }

    private mutating func follow(_ scene: WorkoutScene, _ taken: Set<Int>) {
        renumberPerson(by: scene.links)
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
        if let person {
            lastSeen = scene.time
            if let busy = busyUntil[person] { tally.begin(after: busy) }
        } else {
            let others = free.compactMap { scene.labels[$0] }
            if scene.tracks.isEmpty { ignored = nil }
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

    mutating func pause() {
        isRunning = false
        ignored = nil
    }
}
