import Foundation
import TOMLSettings
import TestSupport
import Testing
import Workouts

@Suite struct WorkoutPlanTests {
    private let folder = try? TemporaryFolder()
    private static let usual = PlanExercises(repeated: ["squat", "lunge"], held: ["plank"])

    private func read(_ text: String, exercises: PlanExercises? = Self.usual) throws -> WorkoutPlan {
        let path = try #require(folder).file("legs.toml").path
        try Data(text.utf8).write(to: URL(filePath: path))
        return try WorkoutPlan(path: path, exercises: exercises)
    }

    private func error(_ text: String) -> String {
        do {
            _ = try read(text)
            return "none"
        } catch {
            return "\(error)"
        }
    }

    @Test func `a plan is read with its steps in order`() throws {
        let plan = try read(
            """
            name = "Legs"
            rounds = 2
            [[step]]
            action = "squat"
            repetitions = 12
            rest_seconds = 60
            [[step]]
            action = "lunge"
            seconds = 45
            side = "left"
            """)
        #expect(plan.id == "legs" && plan.name == "Legs" && plan.sequence.count == 4)
        #expect(plan.sequence.map(\.round) == [1, 1, 2, 2])
        #expect(plan.steps[0] == WorkoutPlan.Step(action: "squat", repetitions: 12, restSeconds: 60))
        #expect(plan.steps[1] == WorkoutPlan.Step(action: "lunge", seconds: 45, side: .left))
        #expect(plan.actions == ["squat", "lunge"])
    }

    @Test(arguments: [
        ("", "", false), ("private = true\n", "", true), ("", "[prescription]\npain_limit = 4\n", true),
        ("private = false\n", "[prescription]\npain_limit = 4\n", false),
        ("private = true\n", "[prescription]\npain_limit = 4\n", true), ("", "[prescription]\n", true),
    ])
    func `a prescription is private unless the plan says otherwise`(key: String, block: String, isPrivate: Bool) throws
    {
        let plan = try read("name = \"Legs\"\n\(key)\(block)[[step]]\naction = \"squat\"\nrepetitions = 3\n")
        #expect(plan.isPrivate == isPrivate)
        #expect(plan.publicName == (isPrivate ? "Private workout" : "Legs"))
        // As it is stored with each workout, also by earlier versions.
        let stored = try JSONDecoder().decode(WorkoutPlan.self, from: JSONEncoder().encode(plan))
        #expect(stored == plan && stored.isPrivate == isPrivate)
    }

    @Test(arguments: [
        ("name = \"Legs\"\n", "legs.toml:1:1: [[step]] is missing"),
        ("[[step]]\naction = \"squat\"\n", "legs.toml:1:1: [[step]] needs either repetitions or seconds"),
        ("[[step]]\naction = \"squat\"\nrepetitions = 3\nseconds = 4\n", "legs.toml:1:1: [[step]] needs either"),
        ("[[step]]\nrepetitions = 3\n", "legs.toml:1:1: [[step]] needs an action"),
        ("[[step]]\naction = \"squad\"\nrepetitions = 3\n", "legs.toml:2:1: step.action names 'squad'"),
        ("[[step]]\naction = \"squad\"\nrepetitions = 3\n", "did you mean 'squat'?"),
        (
            "[[step]]\naction = \"plank\"\nrepetitions = 3\n",
            "legs.toml:2:1: step.action names 'plank', which is held and has no repetitions: give the step seconds"
        ),
        ("challenge_seconds = 60\n[[step]]\naction = \"plank\"\n", "legs.toml:3:1: step.action names 'plank'"),
        (
            "[[step]]\naction = \"squat\"\n  repetition = 3\n",
            "legs.toml:3:3: unknown key 'step.repetition'; did you mean"
        ),
        ("[[step]]\naction = \"squat\"\nrepetitions = 0\n", "legs.toml:3:1: step.repetitions expects a whole number"),
        ("[[step]]\naction = \"squat\"\nseconds = \"long\"\n", "legs.toml:3:1: step.seconds expects a number"),
        ("[[step]]\naction = \"squat\"\nrepetitions = 3\nside = \"both\"\n", "legs.toml:4:1: step.side expects"),
        (
            "[[step]]\naction = \"squat\"\nrepetitions = 3\nstandard = \"loose\"\n",
            "legs.toml:4:1: step.standard expects one of: strict"
        ),
        ("[[step]]\naction = \"squat\"\nrepetitions = 3\nlock_out = 9\n", "[[step]] has lock_out without standard"),
        (
            "[[step]]\naction = \"squat\"\nrepetitions = 3\nstop_at_slower = 2\n",
            "legs.toml:4:1: step.stop_at_slower expects"
        ),
        (
            "[[step]]\naction = \"plank\"\nseconds = 30\nstop_at_slower = 20\n",
            "legs.toml:2:1: step.action names 'plank', which is held and has no repetitions: leave stop_at_slower out"
        ),
        (
            "[[step]]\naction = \"plank\"\nseconds = 30\nstandard = \"strict\"\n",
            "legs.toml:2:1: step.action names 'plank', which is held and has no repetitions: leave standard out"
        ),
        ("rounds = 0\n[[step]]\naction = \"squat\"\nrepetitions = 3\n", "legs.toml:1:1: rounds expects"),
        ("[step]\naction = \"squat\"\n", "legs.toml:1:1: step must be written in double brackets"),
        ("name = \n", "legs.toml:1"),
        (
            "challenge_seconds = 60\n[[step]]\naction = \"squat\"\nrepetitions = 3\n",
            "legs.toml:2:1: [[step]] of a challenge has neither"
        ),
        (
            "challenge_seconds = 60\n[[step]]\naction = \"squat\"\n[[step]]\naction = \"lunge\"\n",
            "legs.toml:1:1: challenge_seconds is for a plan of one step"
        ),
        (
            "rounds = 20\n" + String(repeating: "[[step]]\naction = \"squat\"\nrepetitions = 3\n", count: 6),
            "legs.toml:1:1: rounds makes 120 steps: 100 are the limit"
        ),
    ])
    func `an error is named with its line`(text: String, message: String) {
        let found = error(text)
        #expect(found.contains(message), "\(found)")
    }

    @Test func `a step says what counts as a repetition, and when it is over`() throws {
        let plan = try read(
            """
            [[step]]
            action = "squat"
            repetitions = 12
            range_least = 90
            standard = "strict"
            lock_out = 20
            stop_at_slower = 20
            """)
        let step = plan.steps[0]
        #expect(step.standard == .strict && step.lockOut == 20 && step.stopAtSlower == 20)
        let stored = try JSONDecoder().decode(WorkoutPlan.self, from: JSONEncoder().encode(plan))
        #expect(stored == plan)
    }

    @Test func `a step of seconds may have a held exercise`() throws {
        #expect(try read("[[step]]\naction = \"plank\"\nseconds = 30\n").steps.map(\.action) == ["plank"])
    }

    @Test func `the shipped plans can be used with the shipped model`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../deploy/plans").path
        let exercises = PlanExercises(repeated: ["burpee", "jumping_jack", "lunge", "push_up", "sit_up", "squat"])
        let entries = PlanLibrary(folder: folder, exercises: exercises).entries
        #expect(entries.map(\.id) == ["full-body", "legs", "squat-minute"])
        for entry in entries { _ = try entry.plan.get() }
    }

    @Test func `a plan that does not exist is an error with the nearest name`() throws {
        let folder = try #require(folder)
        try Data("[[step]]\naction = \"squat\"\nrepetitions = 3\n".utf8).write(to: folder.file("legs.toml"))
        let library = PlanLibrary(folder: folder.url.path, exercises: nil)
        #expect(throws: PlanLibrary.Unknown.self) { try library.plan("leg") }
        do { _ = try library.plan("leg") } catch { #expect("\(error)".contains("did you mean 'legs'?")) }
        #expect(try library.plan("legs").steps.count == 1)
        #expect(try library.plan("Legs").id == "legs")
        #expect(PlanLibrary(folder: "/nowhere").entries.isEmpty)
        #expect(throws: PlanLibrary.Unknown.self) { try library.plan("../legs") }
    }
}
