import Actions
import Foundation
import Workouts

/// Plays what a camera sees to a workout: frames at 10 Hz, windows three times a second, sets that grow.
struct Player {
    var runner: WorkoutRunner
    var events: [WorkoutEvent] = []
    /// Seconds since the start.
    var time = 0.0
    private var sets: [Int: (number: Int, label: String, repetitions: [WorkoutSet.Repetition])] = [:]
    private var setNumbers: [Int: Int] = [:]

    static let start = Date(timeIntervalSince1970: 1_800_000_000)
    static let exercises: Set<String> = ["squat", "lunge", "plank"]

    init(_ plan: WorkoutPlan, camera: String = "rack-1", rules: FormRules = FormRules()) {
        self.init(Workout(id: "w", plan: plan, camera: camera, name: nil, start: Self.start), rules: rules, at: 0)
    }

    /// Goes on with a stored workout.
    init(_ workout: Workout, rules: FormRules, at time: Double) {
        runner = WorkoutRunner(workout, exercises: Self.exercises, rules: rules, now: Self.date(time))
        self.time = time
    }

    var workout: Workout { runner.workout }
    var kinds: [WorkoutEvent.Kind] { events.map(\.kind) }

    /// The wall-clock time of a second since the start.
    static func date(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    /// Somebody does repetitions of an exercise, each `pace` seconds long.
    ///
    /// - Parameters:
    ///   - isNew: whether a new set begins; otherwise the last one goes on.
    ///   - measures: what is measured in each repetition.
    mutating func exercise(
        _ label: String, _ repetitions: Int, pace: Double = 2, track: Int = 1, isNew: Bool = true,
        measures: RepetitionMeasures? = nil
    ) {
        if isNew || sets[track] == nil {
            setNumbers[track, default: 0] += 1
            sets[track] = (setNumbers[track] ?? 1, label, [])
        }
        for _ in 0..<repetitions {
            let from = time
            wait(pace, label: label, track: track)
            sets[track]?.repetitions.append(
                WorkoutSet.Repetition(
                    start: Self.date(from), extreme: Self.date(from + pace / 2), end: Self.date(from + pace),
                    measures: measures))
            // A set is reported once it has two repetitions.
            if let set = sets[track], set.repetitions.count >= 2 { see(label: label, track: track, set: set) }
        }
    }

    /// Time passes: somebody is in view and shows a label, or nobody is.
    mutating func wait(_ seconds: Double, label: String? = "other", track: Int? = 1) {
        let steps = max(1, Int((seconds * 10).rounded()))
        for step in 1...steps {
            let now = time + seconds * Double(step) / Double(steps)
            let labels: [Int: String] =
                step % 3 == 0 ? track.flatMap { track in label.map { [track: $0] } } ?? [:] : [:]
            let scene = WorkoutScene(time: Self.date(now), tracks: track.map { [$0] } ?? [], labels: labels)
            events += runner.observe(scene)
        }
        time += seconds
    }

    /// Somebody's track turns out to be a person who was here before.
    mutating func link(_ track: Int, to earlier: Int) {
        let link = PersonLink(from: track, to: earlier, since: 0)
        events += runner.observe(WorkoutScene(time: Self.date(time), tracks: [earlier], links: [link]))
    }

    /// The newest set of a person is seen once more, as with every window while it is open.
    mutating func see(track: Int = 1) {
        if let set = sets[track] { see(label: set.label, track: track, set: set) }
    }

    private mutating func see(
        label: String, track: Int, set: (number: Int, label: String, repetitions: [WorkoutSet.Repetition])
    ) {
        events += runner.observe(
            WorkoutScene(
                time: Self.date(time), tracks: [track],
                sets: [
                    WorkoutSet(
                        track: track, number: set.number, label: set.label, repetitions: set.repetitions, form: 80)
                ]))
    }
}

extension WorkoutPlan {
    /// A plan of these steps.
    static func of(_ steps: Step..., rounds: Int = 1) -> WorkoutPlan {
        WorkoutPlan(id: "test", name: "Test", rounds: rounds, steps: steps)
    }
}
