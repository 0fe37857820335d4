import Foundation
import Workouts

/// What the cameras see, and the time that passes while they see nothing.
extension WorkoutSupervisor {
    /// The timer of a workout is stored at least once in this many seconds.
    private static let storedSeconds = 5.0

    /// Takes over one frame of a camera.
    ///
    /// - Parameters:
    ///   - scene: what it shows; asked for only where a workout goes on.
    ///   - isLive: whether the camera's times are those of the wall clock.
    package func receive(_ scene: @autoclosure () -> WorkoutScene, at time: Date, camera: String, isLive: Bool) {
        let (waiting, isIdle) = state.withLock { state in
            state.clocks[camera] = CameraClock(time: time, isLive: isLive, seen: .now)
            return (
                state.waiting.removeValue(forKey: camera),
                !state.entries.contains { $0.runner.workout.camera == camera }
            )
        }
        if let waiting {
            _ = begin(waiting.plan, camera: camera, person: waiting.person, at: time)
        } else if isIdle {
            return
        }
        let scene = scene()
        apply(camera, at: time) { runner, taken in runner.observe(scene, taken: taken) }
    }

    /// A camera's pipeline has ended.
    ///
    /// - Parameter isOver: whether it was a recording that came to its end. Its workouts end with it.
    package func close(_ camera: String, isOver: Bool, at wall: Date) {
        let time = state.withLock { state -> Date in
            let time = state.clocks[camera]?.date(wall: wall, now: .now) ?? wall
            state.clocks[camera]?.isOpen = false
            if isOver { state.clocks[camera] = nil }
            return time
        }
        apply(camera, at: time) { runner, _ in
            if isOver { return runner.stop(.sourceEnded, at: time) }
            runner.releasePerson(at: time)
            return []
        }
    }

    /// Lets time pass for the workouts in front of cameras that deliver no frames: those that are switched off, lost or
    /// silent. Called a few times a second.
    package func pass(wall: Date = Date(), now: ContinuousClock.Instant = .now) {
        let due = state.withLock { state -> [String: Date] in
            let cameras = Set(state.entries.map(\.runner.workout.camera))
            return cameras.reduce(into: [:]) { due, camera in
                guard let clock = state.clocks[camera] else { return due[camera] = wall }
                if clock.isSilent(now: now) { due[camera] = clock.date(wall: wall, now: now) }
            }
        }
        for (camera, time) in due { apply(camera, at: time) { runner, _ in runner.pass(to: time) } }
    }

    private func apply(
        _ camera: String, at time: Date, _ action: (inout WorkoutRunner, _ taken: Set<Int>) -> [WorkoutEvent]
    ) {
        let changes = state.withLock { state -> [(Workout, [WorkoutEvent])] in
            var changes: [(Workout, [WorkoutEvent])] = []
            for place in state.entries.indices where state.entries[place].runner.workout.camera == camera {
                let taken = state.entries.indices.filter { $0 != place }.map { state.entries[$0].runner }
                    .filter { $0.workout.camera == camera }.compactMap(\.person)
                let events = action(&state.entries[place].runner, Set(taken))
                let workout = state.entries[place].runner.workout
                guard !events.isEmpty || Self.mustStore(workout, after: state.entries[place].stored) else { continue }
                state.entries[place].stored = workout
                enqueue(events, of: workout)
                changes.append((workout, events))
            }
            state.entries.removeAll { !$0.runner.workout.isOpen }
            return changes
        }
        for (workout, events) in changes { tell(events, of: workout) }
        publish(camera, at: time)
    }

    private static func mustStore(_ new: Workout, after old: Workout) -> Bool {
        guard new.steps.count == old.steps.count, new.current == old.current, new.phase == old.phase else {
            return true
        }
        return zip(new.steps, old.steps).contains { now, before in
            now.repetitions != before.repetitions || now.measured.count != before.measured.count
                || now.pain != before.pain || now.form != before.form
                || now.seconds - before.seconds >= storedSeconds
        }
    }

    /// The time by which a camera's workouts are dated.
    func now(_ camera: String) -> Date {
        state.withLock { $0.clocks[camera]?.date(wall: Date(), now: .now) } ?? Date()
    }
}
