import Actions
import Foundation
import Testing
import Workouts

@Suite struct WorkoutRunnerTests {
    private let squats = WorkoutPlan.Step(action: "squat", repetitions: 5, restSeconds: 20)
    private let lunges = WorkoutPlan.Step(action: "lunge", repetitions: 3)

    @Test func `a workout waits, counts, rests, goes on and ends by itself`() {
        var player = Player(.of(squats, lunges))
        player.wait(10, track: nil)
        #expect(player.workout.phase == .waiting && player.events.isEmpty)
        player.exercise("squat", 5)
        #expect(player.workout.phase == .resting && player.workout.current == 1)
        player.wait(21)
        #expect(player.workout.phase == .waiting)
        player.exercise("lunge", 3)
        #expect(player.workout.endReason == .completed)
        #expect(player.workout.steps.map(\.repetitions) == [5, 3])
        #expect(player.workout.completedSteps == 2)
        let steps: [WorkoutEvent.Kind] = player.kinds.filter { if case .repetition = $0 { false } else { true } }
        #expect(
            steps == [
                .stepStarted(step: 0), .stepCompleted(step: 0), .stepStarted(step: 1), .stepCompleted(step: 1), .ended,
            ])
        let counts = player.kinds.compactMap { if case .repetition(_, let count) = $0 { count } else { nil } }
        #expect(counts == [1, 2, 3, 4, 5, 1, 2, 3])
        let rest = player.workout.steps[1].restBeforeSeconds ?? 0
        #expect((20...23).contains(rest), "\(rest)")
    }

    @Test func `a person who was known again goes on with the workout and its count`() {
        var player = Player(.of(squats))
        player.exercise("squat", 3, track: 2)
        player.link(2, to: 1)
        #expect(player.runner.person == 1 && player.workout.repetitions == 3)
        player.exercise("squat", 2, track: 1)
        #expect(player.workout.endReason == .completed && player.workout.repetitions == 5)
    }

    @Test func `other exercises are ignored, and said`() {
        var player = Player(.of(squats))
        player.exercise("lunge", 4)
        #expect(player.workout.repetitions == 0 && player.runner.ignored == "lunge")
        #expect(player.workout.phase == .waiting)
        player.exercise("squat", 5)
        #expect(player.workout.endReason == .completed && player.workout.repetitions == 5)
    }

    @Test func `another exercise in the middle of a step neither counts nor ends it`() {
        var player = Player(.of(squats))
        player.exercise("squat", 3)
        player.exercise("lunge", 4)
        #expect(player.workout.phase == .active && player.runner.ignored == "lunge" && !player.runner.isRunning)
        player.exercise("squat", 2)
        #expect(player.workout.endReason == .completed && player.workout.repetitions == 5)
    }

    @Test func `the timer runs only while the exercise is shown`() {
        var player = Player(.of(WorkoutPlan.Step(action: "plank", seconds: 20)))
        player.wait(10, label: "plank")
        let half = player.workout.step.seconds
        #expect((8.5...10).contains(half), "\(half)")
        player.wait(10, label: "other")
        player.wait(10, label: nil, track: nil)
        #expect(player.workout.step.seconds == half && !player.runner.isRunning)
        player.wait(12, label: "plank")
        #expect(player.workout.endReason == .completed)
        #expect(player.workout.steps[0].seconds >= 20)
    }

    @Test func `repetitions beyond the plan belong to the step, and do not begin the next one`() {
        var player = Player(.of(squats, rounds: 2))
        player.exercise("squat", 7)
        #expect(player.workout.steps.map(\.repetitions) == [7, 0] && player.workout.phase == .resting)
        player.wait(21)
        #expect(player.workout.phase == .waiting && player.workout.step.repetitions == 0)
        player.exercise("squat", 5)
        #expect(player.workout.endReason == .completed && player.workout.steps.map(\.repetitions) == [7, 5])
    }

    @Test func `somebody who does not rest is counted for the next step once the rest is over`() {
        var player = Player(.of(WorkoutPlan.Step(action: "squat", repetitions: 5, restSeconds: 4), rounds: 2))
        player.exercise("squat", 12)
        #expect(player.workout.endReason == .completed)
        #expect(player.workout.steps.map(\.repetitions) == [7, 5])
    }

    @Test func `without a rest the repetitions of one set fill several steps`() {
        let step = WorkoutPlan.Step(action: "squat", repetitions: 4)
        var player = Player(.of(step, rounds: 3))
        player.exercise("squat", 12)
        #expect(player.workout.endReason == .completed && player.workout.steps.map(\.repetitions) == [4, 4, 4])
    }

    @Test func `a new set of the next exercise ends the rest early`() {
        var player = Player(.of(squats, lunges))
        player.exercise("squat", 5)
        player.wait(3)
        player.exercise("lunge", 3)
        #expect(player.workout.endReason == .completed)
        let rest = player.workout.steps[1].restBeforeSeconds ?? 99
        #expect((2...4).contains(rest), "\(rest)")
    }

    @Test func `who comes back under another number goes on with the same count`() {
        var player = Player(.of(squats))
        player.exercise("squat", 3, track: 1)
        player.wait(8, label: nil, track: nil)
        #expect(player.runner.person == nil && player.workout.step.repetitions == 3)
        player.exercise("squat", 2, track: 2)
        #expect(player.workout.endReason == .completed && player.workout.repetitions == 5)
    }

    @Test func `a workout that was stored goes on with the right step and count`() throws {
        var player = Player(.of(squats, lunges))
        player.exercise("squat", 5)
        player.wait(21)
        player.exercise("lunge", 2)
        let stored = try JSONDecoder().decode(Workout.self, from: JSONEncoder().encode(player.workout))
        #expect(stored == player.workout)
        player.runner = WorkoutRunner(stored, exercises: Player.exercises, now: Player.date(player.time))
        player.exercise("lunge", 2, track: 7)
        #expect(player.workout.endReason == .completed)
        #expect(player.workout.steps.map(\.repetitions) == [5, 4])
    }

    @Test func `a rest goes on after a restart, and is never longer than planned`() {
        var player = Player(.of(squats, lunges))
        player.exercise("squat", 5)
        // The clock was set back by an hour while the node restarted.
        let now = Player.date(player.time - 3600)
        let runner = WorkoutRunner(player.workout, exercises: Player.exercises, now: now)
        #expect(runner.workout.until.map { $0.timeIntervalSince(now) <= 20 } == true)
    }

    @Test func `a step that is skipped says so`() {
        var player = Player(.of(squats, lunges))
        player.exercise("squat", 2)
        player.events += player.runner.skip(at: Player.date(player.time))
        #expect(player.workout.current == 1 && player.workout.phase == .waiting)
        player.exercise("lunge", 3)
        #expect(player.workout.endReason == .completed && player.workout.completedSteps == 1)
        #expect(player.workout.steps.map(\.isSkipped) == [true, false])
    }

    @Test func `a workout that nobody does ends after a quarter of an hour`() {
        var player = Player(.of(squats))
        player.exercise("squat", 2)
        player.wait(890, label: nil, track: nil)
        #expect(player.workout.isOpen)
        player.wait(30, label: nil, track: nil)
        #expect(player.workout.endReason == .abandoned && player.kinds.last == .ended)
        // It ended with the last repetition, and so did its open step.
        #expect(player.workout.end == Player.date(4) && player.workout.steps[0].end == Player.date(4))
        #expect(player.events.last?.time == Player.date(4))
    }

    @Test func `a workout that is abandoned in a rest, or never begun, ends with the last thing that was done`() {
        var rested = Player(.of(squats, lunges))
        rested.exercise("squat", 5)
        rested.wait(1000, label: nil, track: nil)
        #expect(rested.workout.endReason == .abandoned && rested.workout.end == Player.date(10))
        var unused = Player(.of(squats))
        unused.wait(1000, label: nil, track: nil)
        #expect(unused.workout.endReason == .abandoned && unused.workout.end == Player.start)
        var skipped = Player(.of(squats, lunges))
        skipped.wait(600, label: nil, track: nil)
        skipped.events += skipped.runner.skip(at: Player.date(600))
        skipped.wait(850, label: nil, track: nil)
        #expect(skipped.workout.isOpen, "a skip is something that was done")
        skipped.wait(100, label: nil, track: nil)
        #expect(skipped.workout.endReason == .abandoned && skipped.workout.end == Player.date(600))
    }

    @Test func `a set that is told again and again without a new repetition keeps no workout alive`() {
        var player = Player(.of(squats))
        player.exercise("squat", 2)
        let set = WorkoutSet(
            track: 1, number: 1, label: "squat",
            repetitions: [0, 2].map {
                .init(start: Player.date($0), extreme: Player.date($0 + 1), end: Player.date($0 + 2))
            })
        for second in 5...920 {
            _ = player.runner.observe(WorkoutScene(time: Player.date(Double(second)), tracks: [1], sets: [set]))
        }
        #expect(player.workout.endReason == .abandoned && player.workout.end == Player.date(4))
    }

    @Test func `time goes on without frames`() {
        var player = Player(.of(squats, lunges))
        player.exercise("squat", 5)
        #expect(player.runner.pass(to: Player.date(29)).isEmpty && player.workout.phase == .resting)
        _ = player.runner.pass(to: Player.date(31))
        #expect(player.workout.phase == .waiting && player.workout.current == 1)
        #expect(player.runner.pass(to: Player.date(900)).isEmpty && player.workout.isOpen)
        #expect(player.runner.pass(to: Player.date(931)).map(\.kind) == [.ended])
        #expect(player.workout.endReason == .abandoned && player.workout.end == Player.date(10))
        #expect(player.runner.pass(to: Player.date(2000)).isEmpty)
    }

    @Test func `a stop ends it once`() {
        var player = Player(.of(squats))
        player.exercise("squat", 2)
        #expect(player.runner.stop(.stopped, at: Player.date(player.time)).map(\.kind) == [.ended])
        #expect(player.runner.stop(.stopped, at: Player.date(player.time)).isEmpty)
        #expect(player.workout.endReason == .stopped && player.workout.repetitions == 2)
        player.events = []
        player.exercise("squat", 3)
        #expect(player.events.isEmpty && player.workout.repetitions == 2)
    }
}

@Suite struct ChallengeTests {
    private var plan: WorkoutPlan {
        WorkoutPlan(
            id: "minute", name: "Minute", challengeSeconds: 30, steps: [WorkoutPlan.Step(action: "squat")])
    }

    @Test func `the clock starts with the first repetition, does not stop, and what comes too late does not count`() {
        var player = Player(plan)
        player.wait(20)
        player.exercise("squat", 5)
        player.wait(10)
        player.exercise("squat", 10)
        #expect(player.workout.endReason == .completed)
        // Ten seconds of squats, ten of rest and ten of squats.
        #expect(player.workout.repetitions == 10)
        let length = player.workout.steps[0].end?.timeIntervalSince(player.workout.steps[0].start ?? .distantPast)
        #expect(length == 30)
    }

    @Test func `its clock goes on without frames`() {
        var player = Player(plan)
        player.exercise("squat", 5)
        _ = player.runner.pass(to: Player.date(33))
        #expect(player.workout.endReason == .completed && player.workout.repetitions == 5)
        #expect(player.workout.end == Player.date(30))
    }

    @Test func `a repetition that is recognised a little late counts`() {
        var player = Player(plan)
        player.exercise("squat", 2, pace: 14)
        player.exercise("squat", 1, pace: 3, isNew: false)
        player.wait(2)
        // Its extreme was at 29.5 s, and it was reported at 31 s.
        #expect(player.workout.endReason == .completed && player.workout.repetitions == 3)
    }
}

@Suite struct TwoWorkoutTests {
    @Test func `two people in front of one camera do two workouts`() {
        let plan = WorkoutPlan.of(WorkoutPlan.Step(action: "squat", repetitions: 3))
        let workout = { (id: String) in
            Workout(id: id, plan: plan, camera: "rack-1", name: nil, start: Player.start)
        }
        var first = WorkoutRunner(workout("a"), exercises: Player.exercises, now: Player.start)
        var second = WorkoutRunner(workout("b"), exercises: Player.exercises, now: Player.start)
        for step in 1...12 {
            let count = step / 2
            let repetitions = (0..<count).map { number in
                let begin = Double(number) * 2
                return WorkoutSet.Repetition(
                    start: Player.date(begin), extreme: Player.date(begin + 1), end: Player.date(begin + 2))
            }
            let sets = [1, 2].map { track in
                // The second person is slower by half.
                WorkoutSet(
                    track: track, number: 1, label: "squat",
                    repetitions: Array(repetitions.prefix(track == 1 ? count : count / 2)))
            }
            let scene = WorkoutScene(
                time: Player.date(Double(step)), tracks: [1, 2], labels: [1: "squat", 2: "squat"],
                sets: sets.filter { $0.repetitions.count >= 2 })
            _ = first.observe(scene, taken: Set([second.person].compactMap { $0 }))
            _ = second.observe(scene, taken: Set([first.person].compactMap { $0 }))
            if step == 2 { #expect([first.person, second.person] == [1, 2]) }
            if step == 8 { #expect(!first.workout.isOpen && second.workout.isOpen) }
        }
        #expect(first.workout.repetitions == 4 || first.workout.repetitions == 3)
        #expect(second.workout.repetitions == 3)
    }

    @Test func `what a person did in another workout is not counted for the one that waited`() {
        let plan = WorkoutPlan.of(WorkoutPlan.Step(action: "squat", repetitions: 30))
        var waiting = WorkoutRunner(
            Workout(id: "b", plan: plan, camera: "rack-1", name: nil, start: Player.start),
            exercises: Player.exercises, now: Player.start)
        func see(_ count: Int, at time: Double, taken: Set<Int>, links: [PersonLink] = [], track: Int = 1) {
            let repetitions = (0..<count).map { number in
                WorkoutSet.Repetition(
                    start: Player.date(Double(number) * 2), extreme: Player.date(Double(number) * 2 + 1),
                    end: Player.date(Double(number) * 2 + 2))
            }
            let set = WorkoutSet(track: track, number: 1, label: "squat", repetitions: repetitions)
            let scene = WorkoutScene(
                time: Player.date(time), tracks: [track], labels: [track: "squat"], sets: [set], links: links)
            _ = waiting.observe(scene, taken: taken)
        }
        for count in 1...10 { see(count, at: Double(count) * 2, taken: [1]) }
        #expect(waiting.person == nil && waiting.workout.repetitions == 0)
        // The other workout has ended. The same person goes on, known by an earlier number now.
        see(11, at: 22, taken: [], links: [PersonLink(from: 1, to: 7, since: 0)], track: 7)
        see(12, at: 24, taken: [], track: 7)
        #expect(waiting.person == 7 && waiting.workout.repetitions == 2)
        let start = waiting.workout.step.start
        #expect(start.map { $0 >= Player.date(20) } == true)
    }
}
