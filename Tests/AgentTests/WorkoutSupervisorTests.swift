import Actions
import Agent
import Foundation
import History
import Messaging
import Records
import Synchronization
import Testing
import Workouts

@Suite struct WorkoutSupervisorTests {
    private let fixture: NodeFixture
    private static let start = Date(timeIntervalSince1970: 1_795_258_800)

    init() throws {
        fixture = try NodeFixture()
        let plans = fixture.folder.file("plans")
        try FileManager.default.createDirectory(at: plans, withIntermediateDirectories: true)
        try Data("[[step]]\naction = \"squat\"\nrepetitions = 3\n".utf8).write(to: plans.appending(path: "three.toml"))
        try Data("[[step]]\naction = \"squad\"\nrepetitions = 3\n".utf8).write(to: plans.appending(path: "bad.toml"))
    }

    private func node() throws -> Node {
        var configuration = fixture.configuration([fixture.camera("rack1"), fixture.camera("rack2")])
        configuration.workouts.plans = fixture.folder.file("plans").path
        return try Node(configuration, logger: fixture.log.logger())
    }

    /// A frame in which these people have done so many squats, two seconds each.
    private static func scene(_ second: Double, _ counts: [Int: Int]) -> WorkoutScene {
        let sets = counts.map { track, count in
            WorkoutSet(
                track: track, number: 1, label: "squat",
                repetitions: (0..<count).map { number in
                    let begin = start + Double(number) * 2 + 1
                    return WorkoutSet.Repetition(start: begin, extreme: begin + 1, end: begin + 2)
                })
        }
        return WorkoutScene(
            time: start + second, tracks: counts.keys.sorted(), labels: counts.mapValues { _ in "squat" },
            sets: sets.filter { $0.repetitions.count >= 2 })
    }

    private static func see(_ workouts: WorkoutSupervisor, _ scene: WorkoutScene, camera: String, isLive: Bool) {
        workouts.receive(scene, at: scene.time, camera: camera, isLive: isLive)
    }

    @Test func `a camera expects the exercises of its workouts`() throws {
        let workouts = try node().workouts
        #expect(workouts.expected(of: "rack1") == ExpectedExercises())
        let workout = try workouts.start(plan: "three", camera: "rack1", name: nil)
        #expect(workouts.expected(of: "rack1").ofAnybody == ["squat"])
        #expect(workouts.expected(of: "rack2") == ExpectedExercises())
        // Once somebody does the workout, nobody else is expected to.
        Self.see(workouts, Self.scene(1, [4: 0]), camera: "rack1", isLive: true)
        let expected = workouts.expected(of: "rack1")
        #expect(expected.ofPeople == [4: "squat"] && expected.ofAnybody.isEmpty)
        _ = try workouts.stop(workout.id)
        #expect(workouts.expected(of: "rack1") == ExpectedExercises())
    }

    private func code(_ body: () throws -> Workout) -> CommandError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? CommandError)?.code
        }
    }

    @Test func `wrong plans, cameras and names are refused, each with its code`() throws {
        let workouts = try node().workouts
        #expect(code { try workouts.start(plan: "none", camera: "rack1", name: nil) } == .unknownPlan)
        #expect(code { try workouts.start(plan: "bad", camera: "rack1", name: nil) } == .unknownPlan)
        #expect(code { try workouts.start(plan: "three", camera: nil, name: nil) } == .invalidArguments)
        for name in ["", "   ", "a\nb", String(repeating: "x", count: 41), "\u{7}"] {
            #expect(code { try workouts.start(plan: "three", camera: "rack1", name: name) } == .invalidArguments)
        }
        #expect(code { try workouts.stop(nil) } == .unknownWorkout)
        for _ in 0..<8 { _ = try workouts.start(plan: "three", camera: "rack1", name: nil) }
        #expect(code { try workouts.start(plan: "three", camera: "rack1", name: nil) } == .busy)
        #expect(code { try workouts.stop(nil) } == .unknownWorkout, "one of eight")
        #expect(try workouts.start(plan: "three", camera: "rack2", name: " anna ").name == "anna")
    }

    @Test func `two people do two workouts, and a third person none`() throws {
        let workouts = try node().workouts
        // The camera's times are those of a recording, so the workouts begin at its time.
        Self.see(workouts, WorkoutScene(time: Self.start, tracks: []), camera: "rack1", isLive: false)
        workouts.start(try workouts.library.plan("three"), atFirstFrameOf: "rack1", name: "anna")
        Self.see(workouts, WorkoutScene(time: Self.start, tracks: []), camera: "rack1", isLive: false)
        _ = try workouts.start(plan: "three", camera: "rack1", name: "ben")
        for count in 0...2 {
            Self.see(
                workouts,
                Self.scene(Double(count) * 2 + 2, [1: count, 2: count, 3: count]), camera: "rack1", isLive: false)
        }
        let states = workouts.states(of: "rack1")
        #expect(states.map(\.name) == ["anna", "ben"] && states.map(\.reps) == [2, 2])
        #expect(Set(states.compactMap(\.track)).count == 2)
        Self.see(workouts, Self.scene(8, [1: 3, 2: 2, 3: 3]), camera: "rack1", isLive: false)
        #expect(workouts.states(of: "rack1").map(\.name) == ["ben"])
        #expect(workouts.states(of: "rack2").isEmpty)
    }

    @Test func `a workout that the last run left behind ends with that run when a plan is started anew`() throws {
        let start = Date(timeIntervalSinceNow: -120)
        do {
            let before = try node()
            before.workouts.start(try before.workouts.library.plan("three"), atFirstFrameOf: "rack1", name: "anna")
            Self.see(before.workouts, WorkoutScene(time: start, tracks: []), camera: "rack1", isLive: false)
            Self.see(before.workouts, WorkoutScene(time: start + 9, tracks: []), camera: "rack1", isLive: false)
            _ = try before.writer.flush(now: .now, wall: start + 10)
            try before.store.close()
        }
        let now = try node()
        #expect(now.workouts.states(of: "rack1").map(\.name) == ["anna"])
        now.workouts.start(try now.workouts.library.plan("three"), atFirstFrameOf: "rack1", name: "ben")
        _ = try now.writer.flush(now: .now, wall: Date())
        let stored = try #require(try now.store.query.workouts().first { $0.body.name == "anna" })
        let end = try #require(Timestamp.date(text: stored.body.end))
        #expect(stored.body.endReason == "stopped" && end.timeIntervalSince(start) < 10, "\(stored.body)")
    }

    @Test func `what is shown and told of a step knows its no-reps and its speeds`() throws {
        let plan = "[[step]]\naction = \"squat\"\nrepetitions = 9\nstandard = \"strict\"\nstop_at_slower = 20\n"
        try Data(plan.utf8).write(to: fixture.folder.file("plans/strict.toml"))
        var rule = FormRule()
        (rule.action, rule.measure, rule.least, rule.tolerance) = ("squat", .kneeFlexion, 90, 15)
        rule.factor = .primary
        let bends = [95.0, 70, 96, 97, 98]
        let runner = { () throws -> WorkoutRunner in
            let plan = try WorkoutPlan(path: fixture.folder.file("plans/strict.toml").path)
            let workout = Workout(id: "w", plan: plan, camera: "rack1", name: nil, start: Self.start)
            return WorkoutRunner(workout, exercises: ["squat"], rules: FormRules([rule]), now: Self.start)
        }
        var one = try runner(), events: [WorkoutEvent] = []
        for count in 2...bends.count {
            let repetitions = bends.prefix(count).enumerated().map { number, bend -> WorkoutSet.Repetition in
                let begin = Self.start + Double(number) * 2 + 1
                let measures = RepetitionMeasures(
                    view: .side,
                    readings: [
                        .kneeFlexion: .init(bend, uncertainty: 6),
                        .raisingSpeed: .init(1 - 0.05 * Double(number), uncertainty: 0.03),
                    ])
                return .init(start: begin, extreme: begin + 1, end: begin + 2, measures: measures)
            }
            let set = WorkoutSet(track: 1, number: 1, label: "squat", repetitions: repetitions)
            let time = Self.start + Double(count) * 2 + 2
            events += one.observe(WorkoutScene(time: time, tracks: [1], labels: [1: "squat"], sets: [set]))
            if count == 2 {
                let state = WorkoutState(one)
                #expect(state.cue == "No rep: knee bend 70°, needs 90 ± 10°." && state.noReps == 1 && state.cues == 1)
            }
        }
        let state = WorkoutState(one)
        #expect(state.reps == 4 && state.noReps == 1 && state.repsLeft == 5)
        #expect(state.cue == nil, "what was wrong in one repetition is no news after the next")
        #expect(state.speeds == [100, 95, 90, 85, 80] && state.speedError == 3 && state.stopAtSlower == 20)
        let told = events.map(CameraEvent.init)
        let miss = try #require(told.first { $0.eventType == .noRep })
        #expect(miss.noReps == 1 && miss.reps == 1 && miss.step == 1 && miss.kind == "no_rep")
        #expect(miss.value == 70 && miss.uncertainty == 6 && miss.limit == 90 && miss.unit == "degrees")
        #expect(told.filter { $0.eventType == .repetition }.allSatisfy { $0.noReps != nil })
        for event in told {
            let json = try JSONText.encode(event)
            #expect(json.contains("no_reps"))
        }
    }

    @Test func `a camera that is lost keeps its workouts, a recording that is over ends them`() throws {
        let node = try node()
        let workouts = node.workouts
        _ = try workouts.start(plan: "three", camera: "rack1", name: nil)
        workouts.close("rack1", isOver: false, at: Date())
        #expect(workouts.open.count == 1)
        workouts.close("rack1", isOver: true, at: Date())
        #expect(workouts.open.isEmpty)
        _ = try node.writer.flush(now: .now, wall: Date())
        #expect(try node.store.query.workouts().map(\.body.endReason) == ["source_ended"])
    }

    @Test func `a rest, and a workout that nobody does, end also while the camera delivers nothing`() throws {
        let node = try node()
        let workouts = node.workouts
        let plan =
            "[[step]]\naction = \"squat\"\nrepetitions = 3\nrest_seconds = 8\n[[step]]\naction = \"squat\"\nrepetitions = 3\n"
        try Data(plan.utf8).write(to: fixture.folder.file("plans/rest.toml"))
        let wall = Date()
        for (camera, isLive) in [("rack1", true), ("rack2", false)] {
            // A recording has its own times, a live camera those of the wall clock.
            let start = isLive ? wall : Self.start
            Self.see(workouts, WorkoutScene(time: start, tracks: []), camera: camera, isLive: isLive)
            _ = try workouts.start(plan: "rest", camera: camera, name: nil)
            let set = WorkoutSet(
                track: 1, number: 1, label: "squat",
                repetitions: [1, 3, 5].map { .init(start: start + $0, extreme: start + $0 + 1, end: start + $0 + 2) })
            let scene = WorkoutScene(time: start + 8, tracks: [1], labels: [1: "squat"], sets: [set])
            Self.see(workouts, scene, camera: camera, isLive: isLive)
            #expect(workouts.states(of: camera).map(\.phase) == ["resting"])
        }
        let seen = ContinuousClock.now
        // While a recording is read, its own times count, however slowly they come.
        workouts.pass(wall: wall + 30, now: seen + .seconds(30))
        #expect(workouts.states(of: "rack1").map(\.phase) == ["waiting"])
        #expect(workouts.states(of: "rack2").map(\.phase) == ["resting"])
        workouts.close("rack2", isOver: false, at: wall)
        workouts.pass(wall: wall + 3, now: seen + .seconds(3))
        #expect(workouts.states(of: "rack2").map(\.phase) == ["resting"])
        workouts.pass(wall: wall + 30, now: seen + .seconds(30))
        #expect(workouts.states(of: "rack2").map(\.phase) == ["waiting"])
        workouts.pass(wall: wall + 1000, now: seen + .seconds(1000))
        #expect(workouts.open.isEmpty)
        _ = try node.writer.flush(now: .now, wall: Date())
        let rows = try node.store.query.workouts()
        #expect(rows.map(\.body.endReason) == ["abandoned", "abandoned"])
        let ends = Set(rows.map(\.body.end))
        #expect(ends == [Timestamp.text(wall + 7), Timestamp.text(Self.start + 7)])
    }

    @Test func `commands from many sides while frames arrive: each workout ends once, and none is lost`() async throws {
        let node = try node()
        let workouts = node.workouts
        let started = Started()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<25 {
                        guard let workout = try? workouts.start(plan: "three", camera: "rack1", name: "anna") else {
                            continue
                        }
                        started.ids.withLock { $0.append(workout.id) }
                        _ = try? workouts.skip(workout.id)
                        _ = try? workouts.stop(workout.id)
                    }
                }
            }
            group.addTask {
                for count in 0..<400 {
                    Self.see(workouts, Self.scene(Double(count) / 10, [1: count % 3]), camera: "rack1", isLive: true)
                }
            }
            group.addTask {
                for _ in 0..<50 {
                    _ = try? node.writer.flush(now: .now, wall: Date())
                    workouts.forget("ben")
                }
            }
        }
        _ = try node.writer.flush(now: .now, wall: Date())
        #expect(workouts.open.isEmpty)
        let ids = started.ids.withLock { $0 }
        let rows = try node.store.query.workouts()
        #expect(Set(rows.map(\.id)) == Set(ids) && ids.count > 20)
        #expect(rows.allSatisfy { $0.body.endReason != nil })
        let records = try node.store.records.records(after: 0, limit: 10_000).filter { $0.type == .workout && $0.final }
        #expect(records.count == ids.count, "one final record each")
    }
}

/// What becomes of names.
@Suite struct WorkoutNameTests {
    private let fixture: NodeFixture

    init() throws { fixture = try NodeFixture() }

    private func node() throws -> Node {
        let plans = fixture.folder.file("plans")
        try FileManager.default.createDirectory(at: plans, withIntermediateDirectories: true)
        let step = "[[step]]\naction = \"squat\"\nrepetitions = 1000\n"
        try Data(step.utf8).write(to: plans.appending(path: "legs.toml"))
        try Data("name = \"Knee\"\n[prescription]\n\(step)".utf8).write(to: plans.appending(path: "knee.toml"))
        var configuration = fixture.configuration([fixture.camera("rack1")])
        configuration.workouts.plans = plans.path
        return try Node(configuration, logger: fixture.log.logger())
    }

    @Test func `a state on its way to the disk does not bring a deleted name back`() async throws {
        let node = try node()
        let workouts = node.workouts
        for round in 0..<8 {
            let name = "Zebrafink \(round)"
            let id = try workouts.start(plan: "legs", camera: "rack1", name: name, nickname: "Quendelin").id
            await withTaskGroup(of: Void.self) { group in
                // Each frame changes the workout, so its state goes to the disk again and again.
                group.addTask {
                    for count in 0..<300 {
                        let time = Date(timeIntervalSince1970: 1_795_258_800 + 6 * Double(count))
                        let scene = WorkoutScene(time: time, tracks: [1], labels: [1: "squat"])
                        workouts.receive(scene, at: time, camera: "rack1", isLive: true)
                    }
                }
                group.addTask {
                    for _ in 0..<20 { _ = try? node.writer.flush(now: .now, wall: Date()) }
                }
                group.addTask {
                    workouts.forget(name.uppercased())
                    // What was queued before is written first, as the command waits for it. Another task may be writing it.
                    let batch = node.writer.waitingWorkoutBatch
                    while node.writer.committedBatch < batch {
                        _ = try? node.writer.flush(now: .now, wall: Date())
                        await Task.yield()
                    }
                    _ = try? node.store.deleteName(name.uppercased(), wall: Date())
                }
            }
            _ = try workouts.stop(id)
            _ = try node.writer.flush(now: .now, wall: Date())
            #expect(try node.store.query.people().isEmpty, "round \(round)")
        }
        let records = try node.store.records.records(after: 0, limit: 10_000).filter { $0.type == .workout }
        #expect(records.count >= 16)
        #expect(!records.contains { $0.body.contains("Zebrafink") || $0.body.contains("Quendelin") })
        #expect(fixture.log.count("Zebrafink") == 0)
    }

    @Test func `the log names no private plan, and nobody`() throws {
        let workouts = try node().workouts
        _ = try workouts.start(plan: "knee", camera: "rack1", name: "anna", nickname: "Falke")
        _ = try workouts.stop("rack1")
        #expect(fixture.log.count("Private workout") == 2, "\(fixture.log.all)")
        for word in ["Knee", "anna", "Falke"] { #expect(fixture.log.count(word) == 0) }
    }

    @Test func `a nickname follows the rule of names`() throws {
        let workouts = try node().workouts
        #expect(throws: CommandError.self) {
            try workouts.start(plan: "legs", camera: "rack1", name: "anna", nickname: "a\nb")
        }
        let workout = try workouts.start(plan: "legs", camera: "rack1", name: nil, nickname: " Falke ")
        #expect(workout.nickname == "Falke" && workout.name == nil)
    }
}

/// The ids of the workouts that several tasks started.
private final class Started: Sendable {
    let ids = Mutex<[String]>([])
}
