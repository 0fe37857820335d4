import Actions
import Configuration
import Foundation
import History
import Logging
import Messaging
import Records
import Synchronization
import Workouts

/// Runs the workouts of a node: starts and stops them, feeds them what the cameras see, stores and publishes them.
package final class WorkoutSupervisor: Sendable {
    /// The most workouts in front of one camera.
    static let maximumPerCamera = 8

    struct Entry {
        var runner: WorkoutRunner
        /// What was stored last.
        var stored: Workout
    }

    struct State {
        /// The workouts that go on, oldest first.
        var entries: [Entry] = []
        /// The times of each camera that was seen.
        var clocks: [String: CameraClock] = [:]
        /// What was published of each camera last.
        var published: [String: [WorkoutState]] = [:]
        /// The plan to start with a camera's first frame.
        var waiting: [String: (plan: WorkoutPlan, person: WorkoutPerson)] = [:]
    }

    /// The plan files of the node.
    package let library: PlanLibrary
    let cameras: [String]
    private let exercises: Set<String>
    private let rules: FormRules
    /// The calendar by which prescriptions end.
    let calendar: Calendar
    let history: Store
    let writer: HistoryWriter
    let publisher: Publisher?
    private let logger: Logger
    let state = Mutex(State())

    /// Continues the workouts that were open when the last run ended.
    ///
    /// - Throws: `HistoryError`.
    init(
        _ configuration: Configuration, exercises: PlanExercises, rules: FormRules, store: Store, writer: HistoryWriter,
        publisher: Publisher?, logger: Logger
    ) throws {
        library = PlanLibrary(folder: configuration.workouts.plans, exercises: exercises)
        cameras = configuration.cameras.map(\.id)
        self.exercises = Set(exercises.all)
        self.rules = rules
        calendar = .gregorian(in: store.settings.timeZone)
        history = store
        self.writer = writer
        self.publisher = publisher
        self.logger = logger
        resume(try store.query.openWorkouts(), now: Date())
        for camera in cameras { publish(camera, at: Date()) }
    }

    private func resume(_ workouts: [Workout], now: Date) {
        for workout in workouts {
            var runner = WorkoutRunner(workout, exercises: exercises, rules: rules, now: now)
            let isOld = abs(now.timeIntervalSince(workout.until ?? workout.end)) > WorkoutRunner.abandonSeconds
            if isOld || !cameras.contains(workout.camera) {
                let events = runner.stop(.abandoned, at: workout.end)
                enqueue(events, of: runner.workout)
                tell(events, of: runner.workout)
                continue
            }
            logger.notice(
                "\(workout.camera): the workout '\(workout.plan.publicName)' goes on at step \(workout.current + 1)")
            state.withLock { $0.entries.append(Entry(runner: runner, stored: workout)) }
        }
    }

    // MARK: - What people ask for

    /// Starts a plan with the first frame of a camera, for `spotter run --plan`. Workouts that are open there are those of the last
    /// run: they ended with it.
    ///
    /// - Parameters:
    ///   - name: what a person typed; what is no ``PersonName`` is left out.
    ///   - nickname: what public places show in its place.
    package func start(_ plan: WorkoutPlan, atFirstFrameOf camera: String, name: String?, nickname: String? = nil) {
        for workout in open where workout.camera == camera {
            _ = try? change(workout.id) { runner, _ in runner.stop(.stopped, at: workout.end) }
        }
        state.withLock { $0.waiting[camera] = (plan, WorkoutPerson(typed: name, nickname)) }
    }

    func begin(_ plan: WorkoutPlan, camera: String, person: WorkoutPerson, at time: Date) -> Workout {
        let workout = person.workout(plan, camera: camera, at: time)
        let runner = WorkoutRunner(workout, exercises: exercises, rules: rules, now: time)
        let events = [WorkoutEvent(.started, at: time, of: workout)]
        state.withLock { state in
            state.entries.append(Entry(runner: runner, stored: workout))
            enqueue(events, of: workout)
        }
        logger.notice("\(camera): the workout '\(plan.publicName)' starts: \(workout.steps.count.counted("step"))")
        tell(events, of: workout)
        publish(camera, at: time)
        return workout
    }

    /// Stops a workout.
    ///
    /// - Parameter which: its id, or its camera; `nil` for the only one.
    /// - Throws: ``CommandError``.
    package func stop(_ which: String?) throws -> Workout {
        try change(which) { runner, time in runner.stop(.stopped, at: time) }
    }

    /// Goes on with the next step.
    ///
    /// - Parameter which: the workout's id, or its camera; `nil` for the only one.
    /// - Throws: ``CommandError``.
    package func skip(_ which: String?) throws -> Workout {
        try change(which) { runner, time in runner.skip(at: time) }
    }

    func change(
        _ which: String?, among candidates: (Workout) -> Bool = { _ in true },
        _ action: (inout WorkoutRunner, Date) -> [WorkoutEvent]
    ) throws -> Workout {
        let matches = open.filter { workout in
            candidates(workout) && (which.map { $0 == workout.camera || TypedId($0).fits(workout.id) } ?? true)
        }
        guard let workout = matches.first, matches.count == 1 else {
            throw CommandError(
                .unknownWorkout,
                matches.isEmpty
                    ? "no workout goes on" + (which.map { " as '\($0)'" } ?? "")
                    : "several workouts go on; give one of the ids: \(matches.map(\.id).joined(separator: ", "))")
        }
        let time = now(workout.camera)
        let result = state.withLock { state -> (Workout, [WorkoutEvent])? in
            guard let place = state.entries.firstIndex(where: { $0.runner.workout.id == workout.id }) else {
                return nil
            }
            let events = action(&state.entries[place].runner, time)
            let changed = state.entries[place].runner.workout
            state.entries[place].stored = changed
            state.entries.removeAll { !$0.runner.workout.isOpen }
            enqueue(events, of: changed)
            return (changed, events)
        }
        guard let (changed, events) = result else {
            throw CommandError(.unknownWorkout, "the workout has just ended")
        }
        tell(events, of: changed)
        publish(changed.camera, at: time)
        return changed
    }

    /// Takes a name away from the workouts that go on, and from those that wait for a first frame.
    package func forget(_ typed: String) {
        let cameras = state.withLock { state -> Set<String> in
            var cameras: Set<String> = []
            for (camera, waiting) in state.waiting where waiting.person.isCalled(typed) {
                state.waiting[camera]?.person = WorkoutPerson()
            }
            for place in state.entries.indices
            where WorkoutPerson(of: state.entries[place].runner.workout).isCalled(typed) {
                state.entries[place].runner.removeName()
                (state.entries[place].stored.name, state.entries[place].stored.nickname) = (nil, nil)
                cameras.insert(state.entries[place].runner.workout.camera)
            }
            return cameras
        }
        for camera in cameras { publish(camera, at: now(camera)) }
    }

    // MARK: - What is shown

    /// The workouts that go on, oldest first.
    package var open: [Workout] { state.withLock { $0.entries.map(\.runner.workout) } }

    /// The workouts in front of a camera as they are now.
    package func states(of camera: String) -> [WorkoutState] {
        state.withLock { state in
            state.entries.filter { $0.runner.workout.camera == camera }.map { WorkoutState($0.runner) }
        }
    }

    /// The exercises that workouts in front of a camera expect now: those of their steps, and during a rest the next one's.
    package func expected(of camera: String) -> ExpectedExercises {
        state.withLock { state in
            state.entries.lazy.map(\.runner).filter { $0.workout.camera == camera }
                .reduce(into: ExpectedExercises()) { expected, runner in
                    let action = runner.workout.step.planned.action
                    if let person = runner.person {
                        expected.ofPeople[person] = action
                    } else {
                        expected.ofAnybody.insert(action)
                    }
                }
        }
    }

    /// Whether a person in front of a camera does a workout that has a name or is private. Where a workout waits for its
    /// person, everybody may be.
    package func isPrivate(_ track: Int, camera: String) -> Bool {
        state.withLock { state in
            state.entries.contains { entry in
                let workout = entry.runner.workout
                guard workout.camera == camera, entry.runner.person ?? track == track else { return false }
                return workout.name != nil || workout.nickname != nil || workout.plan.isPrivate
            }
        }
    }

    // MARK: - Where it goes

    /// Hands a workout to the disk. Call it with the state locked: a state from before a name was forgotten must not come
    /// after one without the name.
    func enqueue(_ events: [WorkoutEvent], of workout: Workout) {
        writer.enqueue(workout, events: events.filter { !$0.isImmediate }, now: .now)
    }

    /// Tells of a workout. Repetitions and beginnings of steps are published at once; what ends is published after the
    /// commit.
    func tell(_ events: [WorkoutEvent], of workout: Workout) {
        for event in events where event.isImmediate { publisher?.event(CameraEvent(event)) }
        for event in events {
            guard case .ended = event.kind else { continue }
            let done =
                "\(workout.completedSteps) of \(workout.steps.count.counted("step")), "
                + "\(workout.repetitions.counted("repetition"))"
            logger.notice("\(workout.camera): the workout '\(workout.plan.publicName)' has ended: \(done)")
        }
    }

    /// Publishes the workouts in front of a camera, if they have changed: most frames change nothing.
    func publish(_ camera: String, at time: Date) {
        let states = states(of: camera)
        let isNew = state.withLock { state in
            defer { state.published[camera] = states }
            return state.published[camera] != states
        }
        if isNew { publisher?.workouts(CameraWorkouts(states, ts: time), camera: camera) }
    }
}

extension WorkoutEvent {
    /// Whether it is published before it is on disk: what is only shown for a moment.
    fileprivate var isImmediate: Bool {
        switch kind {
        case .repetition, .noRep, .stepStarted, .cue: true
        case .started, .stepCompleted, .ended: false
        }
    }
}
